import { sql } from 'kysely'
import { type Db, isSqlite } from './database.ts'
import { backups } from './installation.ts'
import type { Schema } from './schema.ts'

/** Each table by its key, after those it refers to. */
const keys: { [Table in keyof Schema]: (keyof Schema[Table] & string)[] } = {
  installation: ['name'],
  company: ['id'],
  user: ['id'],
  directory: ['id'],
  file: ['seq'],
  link: ['key'],
  link_event: ['id'],
  link_ask: ['id'],
  receipt: ['id'],
  api_token: ['id'],
  webhook: ['id'],
  webhook_delivery: ['id'],
  outbox: ['id'],
  audit_head: ['id'],
  audit_checkpoint: ['seq'],
  audit: ['seq'],
  transfer: ['company_id', 'day'],
  session: ['id'],
  session_token: ['hash'],
  password_reset: ['id'],
  link_reservation: ['key', 'user_id'],
  link_session: ['id'],
  upload: ['id'],
  throttle: ['bucket'],
  blob_upload: ['id'],
  job: ['name'],
}

/** True of one place alone: where its store stands with uploads, and what its processes have done. */
const ofOnePlace = ['blob_upload', 'job']

/**
 * Not in a backup: whoever was signed in or had entered a code does so again, what was half uploaded is sent again, and no row of a stolen
 * backup stands for an open session.
 */
const passing = ['session', 'session_token', 'password_reset', 'link_reservation', 'link_session', 'upload', 'throttle']

export type Row = Record<string, string | number | null>

const tablesBut = (left: string[]) => Object.entries(keys).filter(([table]) => !left.includes(table))

/** Every table that a backup keeps, in the order in which they can be filled again. */
export const keptTables = tablesBut([...ofOnePlace, ...passing])

/** The same of a move, after which nobody is to notice anything. */
export const movedTables = tablesBut(ofOnePlace)

/** Everything read within is of one moment, whatever is written meanwhile, and keeps nobody from writing. */
export const inSnapshot = <T>(db: Db, work: (trx: Db) => Promise<T>): Promise<T> =>
  db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(work)

/** The rows of a table, in pages. */
export async function* pagesOf(trx: Db, table: string, key: string[], size: number): AsyncGenerator<Row[]> {
  const columns = sql.join(key.map((column) => sql.ref(column)))
  for (let last: Row | undefined; ; ) {
    const after = last ? sql`where (${columns}) > (${sql.join(key.map((column) => last?.[column]))})` : sql``
    const { rows } = await sql<Row>`select * from ${sql.table(table)} ${after} order by ${columns} limit ${size}`.execute(trx)
    const kept = rows.filter((row) => isLasting(table, row))
    if (kept.length > 0) yield kept
    if (rows.length < size) return
    last = rows.at(-1)
  }
}

const ofOneCopy = ['restored', 'moved', 'store']

/** Not what is true of this moment, or of this copy alone. */
function isLasting(table: string, { name, finished_at }: Row): boolean {
  if (table === 'installation') return !ofOneCopy.includes(String(name)) && !String(name).startsWith(backups)
  return table !== 'upload' || finished_at !== null
}

export async function tablesOf(db: Db): Promise<Set<string>> {
  return new Set((await db.introspection.getTables()).map(({ name }) => name))
}

/** Whether nothing has ever been kept here. */
export async function isEmptyDatabase(db: Db): Promise<boolean> {
  const there = await tablesOf(db)
  for (const table of ['installation', 'company', 'user', 'directory', 'file', 'link', 'audit']) {
    if (!there.has(table)) continue
    const { rows } = await sql`select 1 from ${sql.table(table)} limit 1`.execute(db)
    if (rows.length > 0) return false
  }
  return true
}

/** A migration may have put a first row there. */
export const clearTable = (trx: Db, table: string) => sql`delete from ${sql.table(table)}`.execute(trx)

/** No database takes more than so many values at once. */
const valuesAtOnce = 20_000

export async function fillTable(trx: Db, table: string, rows: Row[]): Promise<void> {
  const columns = Object.keys(rows[0] ?? {})
  const step = Math.max(1, Math.floor(valuesAtOnce / Math.max(1, columns.length)))
  const names = sql.join(columns.map((column) => sql.ref(column)))
  for (let i = 0; i < rows.length; i += step) {
    const values = rows.slice(i, i + step).map((row) => sql`(${sql.join(columns.map((column) => row[column] ?? null))})`)
    await sql`insert into ${sql.table(table)} (${names}) values ${sql.join(values)}`.execute(trx)
  }
}

/** PostgreSQL does not see by itself that rows came with their numbers. */
export async function countOn(trx: Db): Promise<void> {
  if (isSqlite(trx)) return
  const next = sql`coalesce((select max(seq) from file), 0) + 1`
  await sql`select setval(pg_get_serial_sequence('file', 'seq'), ${next}, false)`.execute(trx)
}

/** What a restored copy must not do on its own: count on from another number, or send what may have been sent since. */
export async function settleRestored(trx: Db, problem: string): Promise<void> {
  await countOn(trx)
  await sql`update outbox set state = 'unconfirmed', next_at = null, claim = null, problem = ${problem}
    where state in ('waiting', 'sending')`.execute(trx)
  await sql`update webhook_delivery set state = 'failed', next_at = null, claim = null, problem = ${problem}
    where state = 'waiting'`.execute(trx)
}

/** Which backup all this came from. Known only once everything is here. */
export const setRestored = (trx: Db, sha256: string) =>
  trx
    .insertInto('installation')
    .values({ name: 'restored', value: sha256 })
    .onConflict((c) => c.column('name').doUpdateSet({ value: sha256 }))
    .execute()

/** What is known of some blobs: what they should be, as a file or as a small picture. */
export async function expectedOf(trx: Db, id: string): Promise<{ file?: { name: string; size: number; sha256: string } }> {
  const { rows } = await sql<{ name: string; size: number; sha256: string }>`select name, size, sha256 from file
    where id = ${id}`.execute(trx)
  const [file] = rows
  return file ? { file: { ...file, size: Number(file.size) } } : {}
}

/** Its bytes are not in the backup, or not as they were: a file is marked, a small picture is drawn again. */
export async function markLost(trx: Db, id: string, now: string): Promise<void> {
  await sql`update file set damaged_at = coalesce(damaged_at, ${now}) where id = ${id}`.execute(trx)
  await sql`update file set thumbnail = 'wanted', thumbnail_id = null, thumbnail_size = null where thumbnail_id = ${id}`.execute(
    trx,
  )
}

export async function countFiles(trx: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from file`.execute(trx)
  return Number(rows[0]?.count)
}

/** Where files end for now: later ones have a higher `seq`. */
export async function findLastSeq(db: Db): Promise<number> {
  const { rows } = await sql<{ last: number | null }>`select max(seq) as last from file`.execute(db)
  return Number(rows[0]?.last ?? 0)
}

/** Uploads that may still go on. */
export async function countUnfinished(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from upload where finished_at is null`.execute(db)
  return Number(rows[0]?.count)
}

/**
 * How many connections others have, on any machine and by whatever name: an address may give a node another one. Of other roles not even the
 * kind is shown, but what the server does by itself has no role. Nobody knows of SQLite.
 */
export async function countOthers(db: Db): Promise<number> {
  if (isSqlite(db)) return 0
  const { rows } = await sql<{ count: number }>`select count(*) as count from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()
      and usesysid is not null and coalesce(backend_type, 'client backend') = 'client backend'`.execute(db)
  return Number(rows[0]?.count)
}
