import { type Kysely, PostgresAdapter, sql } from 'kysely'

/**
 * Stores which quota warning a company got last, and indexes the companies whose usage is checked and the names of companies. Also names
 * why links are closed: until now, they were `paused` or `trashed`.
 */
export async function up(db: Kysely<unknown>) {
  await db.schema
    .alterTable('company')
    .addColumn('warned_percent', 'integer', (c) => c.notNull().defaultTo(0))
    .execute()
  await sql`create index company_checked on company (id) where quota_bytes is not null or warned_percent > 0`.execute(db)

  await sql`update link set standing = case when exists (select 1 from "user" where "user".id = link.maker_id
    and "user".suspended_at is not null) then 'owner_suspended' else 'owner_without_access' end where standing = 'paused'`.execute(
    db,
  )
  await sql`update link set standing = case when exists (select 1 from directory where directory.id = link.directory_id
    and directory.deleted_at is not null) then 'directory_deleted' else 'file_deleted' end where standing = 'trashed'`.execute(db)

  // Trigram indexes, as for files. Companies have no number for SQLite to refer to, so the index stores their ids.
  if (isPostgres(db)) {
    await sql`create index company_search on company using gin (name_key gin_trgm_ops)`.execute(db)
    return
  }
  await sql`create virtual table company_search using fts5(name_key, company_id unindexed, tokenize='trigram case_sensitive 1')`.execute(
    db,
  )
  await sql`create trigger company_search_insert after insert on company begin
    insert into company_search (name_key, company_id) values (new.name_key, new.id); end`.execute(db)
  await sql`create trigger company_search_update after update of name_key on company when new.name_key <> old.name_key begin
    update company_search set name_key = new.name_key where company_id = new.id; end`.execute(db)
  await sql`create trigger company_search_delete after delete on company begin
    delete from company_search where company_id = old.id; end`.execute(db)
  await sql`insert into company_search (name_key, company_id) select name_key, id from company`.execute(db)
}

export async function down(db: Kysely<unknown>) {
  await sql`update link set standing = case when standing in ('file_deleted', 'directory_deleted') then 'trashed' else 'paused' end
    where standing <> 'open'`.execute(db)
  if (isPostgres(db)) await db.schema.dropIndex('company_search').execute()
  else {
    for (const event of ['insert', 'update', 'delete']) await sql`drop trigger ${sql.ref(`company_search_${event}`)}`.execute(db)
    await sql`drop table company_search`.execute(db)
  }
  await db.schema.dropIndex('company_checked').execute()
  await db.schema.alterTable('company').dropColumn('warned_percent').execute()
}

const isPostgres = (db: Kysely<unknown>) => db.getExecutor().adapter instanceof PostgresAdapter
