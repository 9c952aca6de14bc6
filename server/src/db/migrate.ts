import { dirname } from 'node:path'
import { sql } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import { type Db, isSqlite } from './database.ts'
import * as m0001 from './migrations/0001_initial.ts'
import * as m0002 from './migrations/0002_people.ts'
import * as m0003 from './migrations/0003_mail.ts'
import * as m0004 from './migrations/0004_files.ts'
import * as m0005 from './migrations/0005_links.ts'
import * as m0006 from './migrations/0006_trust.ts'
import * as m0007 from './migrations/0007_nodes.ts'
import * as m0008 from './migrations/0008_programs.ts'
import * as m0009 from './migrations/0009_overview.ts'
import * as m0010 from './migrations/0010_bounds.ts'
import * as m0011 from './migrations/0011_name_keys.ts'
import * as m0012 from './migrations/0012_access.ts'
import * as m0013 from './migrations/0013_companies.ts'
import * as m0014 from './migrations/0014_invitations.ts'
import * as m0015 from './migrations/0015_removed_users.ts'
import * as m0016 from './migrations/0016_company_usage.ts'
import * as m0017 from './migrations/0017_settings.ts'
import * as m0018 from './migrations/0018_languages.ts'
import * as m0019 from './migrations/0019_selected_companies.ts'
import * as m0020 from './migrations/0020_news.ts'
import * as m0021 from './migrations/0021_sign_in.ts'
import * as m0022 from './migrations/0022_file_management.ts'

/** The migrations of both databases. A released migration never changes. */
export const migrations: Record<string, Migration> = {
  '0001_initial': m0001,
  '0002_people': m0002,
  '0003_mail': m0003,
  '0004_files': m0004,
  '0005_links': m0005,
  '0006_trust': m0006,
  '0007_nodes': m0007,
  '0008_programs': m0008,
  '0009_overview': m0009,
  '0010_bounds': m0010,
  '0011_name_keys': m0011,
  '0012_access': m0012,
  '0013_companies': m0013,
  '0014_invitations': m0014,
  '0015_removed_users': m0015,
  '0016_company_usage': m0016,
  '0017_settings': m0017,
  '0018_languages': m0018,
  '0019_selected_companies': m0019,
  '0020_news': m0020,
  '0021_sign_in': m0021,
  '0022_file_management': m0022,
}

/** Runs all pending migrations in one transaction. Throws if a newer Neptune has migrated the database. */
export async function migrate(db: Db) {
  const { error } = await withTempFiles(db, () => createMigrator(db).migrateToLatest())
  if (error) throw error
}

/**
 * Lets SQLite write temporary files next to the database. It keeps a copy of every page that the migrations change, to undo them, which
 * takes 1 GB for a million files. For requests, memory is faster: see drivers/node-sqlite.ts.
 */
async function withTempFiles<Result>(db: Db, work: () => Promise<Result>): Promise<Result> {
  if (!isSqlite(db)) return work()
  const { rows } = await sql<{ file: string }>`pragma database_list`.execute(db)
  const folder = dirname(rows[0]?.file || '/')
  if (folder === '/') return work() // in memory
  await sql`pragma temp_store_directory = ${sql.lit(folder)}`.execute(db)
  await sql`pragma temp_store = file`.execute(db)
  try {
    return await work()
  } finally {
    await sql`pragma temp_store = memory`.execute(db)
  }
}

/**
 * Creates a migrator that runs migrations in the order of their names. Disables Kysely's own check of the order: it compares the
 * times at which they were applied, and fails if the clock was set back between two updates.
 */
const createMigrator = (db: Db) =>
  new Migrator({ db, provider: { getMigrations: async () => migrations }, allowUnorderedMigrations: true })

/** Migrates a database to the schema with this name: an empty one to restore an older backup, or a recorded one for the migration tests. */
export async function migrateTo(db: Db, name: string) {
  const { error } = await createMigrator(db).migrateTo(name)
  if (error) throw error
}

/** Returns the applied migrations in order. Empty for a new database. */
export async function listMigrations(db: Db): Promise<string[]> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true })
  if (!tables.some(({ name }) => name === 'kysely_migration')) return []
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db)
  return rows.map(({ name }) => name)
}
