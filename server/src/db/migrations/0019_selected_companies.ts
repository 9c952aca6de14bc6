import { type Kysely, sql } from 'kysely'

/**
 * Makes lists faster for users with thousands of selected companies. The indexes for lists also contain the company, so that a list finds
 * its rows in the index alone. Stores the sums of the totals and transfers of their companies, under the id of the user.
 */
export async function up(db: Kysely<unknown>) {
  for (const index of listIndexes) await replaceIndex(db, index, sql`, company_id`)
  await sql`insert into company_total (company_id, directories, files, links)
    select selected.user_id, coalesce(sum(directories), 0), coalesce(sum(files), 0), coalesce(sum(links), 0) from user_company as selected
    left join company_total on company_total.company_id = selected.company_id group by selected.user_id having count(*) > 200`.execute(
    db,
  )
  await sql`insert into transfer (company_id, day, uploads, downloads, bytes_in, bytes_out)
    select selected.user_id, day, sum(uploads), sum(downloads), sum(bytes_in), sum(bytes_out) from user_company as selected
    join company_total as summed on summed.company_id = selected.user_id
    join transfer on transfer.company_id = selected.company_id group by selected.user_id, day`.execute(db)
}

interface ListIndex {
  table: string
  column: string
  id: string
  condition?: string
  /** A column before the others, which also names the index. */
  filter?: string
}

const listIndexes: ListIndex[] = [
  ...['created_at', 'name_key', 'size'].map((column) => ({ table: 'file', column, id: 'id', condition: 'deleted_at is null' })),
  { table: 'file', filter: 'kind', column: 'created_at', id: 'id', condition: 'deleted_at is null' },
  ...['created_at', 'name_key'].map((column) => ({ table: 'directory', column, id: 'id' })),
  ...['created_at', 'name_key', 'expires_at'].map((column) => ({ table: 'link', column, id: 'key' })),
  ...['created_at', 'name_key', 'email'].map((column) => ({ table: 'user', column, id: 'id', condition: 'removed_at is null' })),
]

async function replaceIndex(db: Kysely<unknown>, { table, filter, column, id, condition }: ListIndex, more = sql``) {
  const name = sql.ref(`${table}_${filter ?? column}`)
  const columns = sql.join([filter ?? [], column, id].flat().map((part) => sql.ref(part)))
  await sql`drop index ${name}`.execute(db)
  await sql`create index ${name} on ${sql.table(table)} (${columns}${more}) ${sql.raw(condition ? `where ${condition}` : '')}`.execute(
    db,
  )
}

export async function down(db: Kysely<unknown>) {
  for (const table of ['transfer', 'company_total'])
    await sql`delete from ${sql.table(table)} where company_id in (select id from "user")`.execute(db)
  for (const index of listIndexes) await replaceIndex(db, index)
}
