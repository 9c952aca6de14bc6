import { sql } from 'kysely'
import { type Db, isSqlite } from './database.ts'
import { backupHoldPrefix } from './installation.ts'
import type { Schema } from './schema.ts'

/** The primary key of each table, or another unique key in whose order its rows are copied. A table comes after those it references. */
const primaryKeys: { [Table in keyof Schema]: (keyof Schema[Table] & string)[] } = {
  installation: ['name'],
  setting: ['section'],
  brand_image: ['id'],
  company: ['id'],
  user: ['id'],
  user_company: ['user_id', 'company_id'],
  directory: ['depth', 'id'], // parents before their folders
  file: ['seq'],
  file_version: ['file_id', 'blob_id'],
  shared_blob: ['blob_id'],
  link: ['key'],
  link_file: ['link_key', 'file_id'],
  company_total: ['company_id'],
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
  news: ['id'],
  session: ['id'],
  session_token: ['hash'],
  password_reset: ['id'],
  totp: ['user_id'],
  passkey: ['id'],
  recovery_code: ['user_id', 'hash'],
  factor_reset: ['user_id'],
  browser: ['hash', 'user_id'],
  challenge: ['hash'],
  provider: ['id'],
  provider_account: ['issuer', 'subject'],
  provider_session: ['session_id'],
  link_reservation: ['key', 'user_id'],
  link_session: ['id'],
  upload: ['id'],
  throttle: ['bucket'],
  blob_upload: ['id'],
  rendition: ['blob_id'],
  job: ['name'],
}

/** Tables that describe this installation's own store and processes. PDFs of Office documents are made again when needed. */
const localTables = ['blob_upload', 'job', 'rendition']

/**
 * Tables that are not in a backup. After a restore, people sign in or enter their code again, and unfinished uploads start over. A stolen
 * backup contains no open session.
 */
const transientTables = [
  'session',
  'session_token',
  'provider_session',
  'password_reset',
  'factor_reset',
  'challenge',
  'link_reservation',
  'link_session',
  'upload',
  'throttle',
]

export type DumpRow = Record<string, string | number | null>

const listTablesExcept = (excluded: string[]) => Object.entries(primaryKeys).filter(([table]) => !excluded.includes(table))

/** The tables in a backup, in the order in which they can be filled again. */
export const backupTables = listTablesExcept([...localTables, ...transientTables])

/** The tables to move. Includes sessions, so that users stay signed in. `readPages` leaves out unfinished uploads. */
export const movedTables = listTablesExcept(localTables)

/** Runs `work` in a read-only snapshot, which does not block writers. */
export const runInSnapshot = <T>(db: Db, work: (trx: Db) => Promise<T>): Promise<T> =>
  db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(work)

/** Returns the number of rows per page: few for images, which can have several hundred kilobytes each. */
const getPageSize = (table: string) => (table === 'brand_image' ? 20 : 1000)

/** Yields the rows of a table in pages, without those that stay with this installation: see `isPortable`. */
export async function* readPages(trx: Db, table: string, key: string[], size = getPageSize(table)): AsyncGenerator<DumpRow[]> {
  const columns = sql.join(key.map((column) => sql.ref(column)))
  for (let last: DumpRow | undefined; ; ) {
    const after = last ? sql`where (${columns}) > (${sql.join(key.map((column) => last?.[column]))})` : sql``
    const { rows } = await sql<DumpRow>`select * from ${sql.table(table)} ${after} order by ${columns} limit ${size}`.execute(trx)
    const portable = rows.filter((row) => isPortable(table, row))
    if (portable.length > 0) yield portable
    if (rows.length < size) return
    last = rows.at(-1)
  }
}

const localValues = ['restored', 'moved', 'store']

/** Returns false for rows that apply to this installation only, and for unfinished uploads. */
function isPortable(table: string, { name, finished_at }: DumpRow): boolean {
  if (table === 'installation') return !localValues.includes(String(name)) && !String(name).startsWith(backupHoldPrefix)
  return table !== 'upload' || finished_at !== null
}

export async function listTables(db: Db): Promise<Set<string>> {
  return new Set((await db.introspection.getTables()).map(({ name }) => name))
}

/** Returns whether the database holds no data. */
export async function isEmptyDatabase(db: Db): Promise<boolean> {
  const existing = await listTables(db)
  for (const table of ['installation', 'setting', 'company', 'user', 'directory', 'file', 'link', 'audit']) {
    if (!existing.has(table)) continue
    const { rows } = await sql`select 1 from ${sql.table(table)} limit 1`.execute(db)
    if (rows.length > 0) return false
  }
  return true
}

/** Deletes all rows, for example the one that a migration inserts. */
export const clearTable = (trx: Db, table: string) => sql`delete from ${sql.table(table)}`.execute(trx)

/** Below the limit of parameters per statement in both databases. */
const maxParameters = 20_000

export async function insertIntoTable(trx: Db, table: string, rows: DumpRow[]): Promise<void> {
  const columns = Object.keys(rows[0] ?? {})
  const step = Math.max(1, Math.floor(maxParameters / Math.max(1, columns.length)))
  const names = sql.join(columns.map((column) => sql.ref(column)))
  for (let i = 0; i < rows.length; i += step) {
    const values = rows.slice(i, i + step).map((row) => sql`(${sql.join(columns.map((column) => row[column] ?? null))})`)
    await sql`insert into ${sql.table(table)} (${names}) values ${sql.join(values)}`.execute(trx)
  }
}

/** Advances PostgreSQL's sequence of `file.seq` past the inserted rows. */
export async function resetFileSequence(trx: Db): Promise<void> {
  if (isSqlite(trx)) return
  const next = sql`coalesce((select max(seq) from file), 0) + 1`
  await sql`select setval(pg_get_serial_sequence('file', 'seq'), ${next}, false)`.execute(trx)
}

/** Resets the sequence, and cancels pending emails and webhooks: the original may have sent them since. */
export async function finishRestore(trx: Db, problem: string): Promise<void> {
  await resetFileSequence(trx)
  await sql`update outbox set state = 'unconfirmed', next_at = null, claim = null, problem = ${problem}
    where state in ('waiting', 'sending')`.execute(trx)
  await sql`update webhook_delivery set state = 'failed', next_at = null, claim = null, problem = ${problem}
    where state = 'waiting'`.execute(trx)
}

/** Records which backup was restored. Call it last, because it marks the restore as complete. */
export const setRestored = (trx: Db, sha256: string) =>
  trx
    .insertInto('installation')
    .values({ name: 'restored', value: sha256 })
    .onConflict((c) => c.column('name').doUpdateSet({ value: sha256 }))
    .execute()

/** The expected bytes of a file, or of an earlier version of it. */
export interface ExpectedBytes {
  name: string
  size: number
  sha256: string
}

/** Returns whether the schema has versions of files. Older backups don't: see docs/decisions/0036-versions-and-copies.md. */
export const hasVersionTables = async (trx: Db): Promise<boolean> => (await listTables(trx)).has('file_version')

/** Returns what a blob should contain: one entry for each file and version that refers to it. None for a thumbnail. */
export async function findExpectedBytes(trx: Db, id: string, hasVersions: boolean): Promise<ExpectedBytes[]> {
  const older = sql`union all select name, version.size, version.sha256 from file_version as version
    join file on file.id = version.file_id where version.blob_id = ${id}`
  const { rows } = await sql<ExpectedBytes>`select name, size, sha256 from file where ${hasBlob(id, hasVersions)}
    ${hasVersions ? older : sql``}`.execute(trx)
  return rows.map((row) => ({ ...row, size: Number(row.size) }))
}

/** Builds a condition that indexes can use. The index on `blob_id` has only files whose `blob_id` differs from their id. */
const hasBlob = (id: string, hasVersions: boolean) =>
  hasVersions ? sql`((id = ${id} and blob_id = id) or (blob_id = ${id} and blob_id <> id))` : sql`id = ${id}`

/** Handles a missing or damaged blob: marks its files as damaged, or schedules its thumbnail to be drawn again. */
export async function markLost(trx: Db, id: string, now: string, hasVersions: boolean): Promise<void> {
  const redraw = sql`thumbnail = 'wanted', thumbnail_id = null, thumbnail_size = null`
  await sql`update file set damaged_at = coalesce(damaged_at, ${now}) where ${hasBlob(id, hasVersions)}`.execute(trx)
  await sql`update file set ${redraw} where thumbnail_id = ${id}`.execute(trx)
  if (!hasVersions) return
  await sql`update file_version set damaged_at = coalesce(damaged_at, ${now}) where blob_id = ${id}`.execute(trx)
  const lostThumbnails = await sql`update file_version set ${redraw} where thumbnail_id = ${id}`.execute(trx)
  const isThumbnail = lostThumbnails.numAffectedRows !== 0n || (await findExpectedBytes(trx, id, true)).length === 0
  if (isThumbnail) await sql`delete from shared_blob where blob_id = ${id}`.execute(trx)
}

/** Counts the files and earlier versions, each of which needs bytes. */
export async function countExpectedBytes(trx: Db, hasVersions: boolean): Promise<number> {
  const versions = hasVersions ? sql`+ (select count(*) from file_version)` : sql``
  const { rows } = await sql<{ count: number }>`select (select count(*) from file) ${versions} as count`.execute(trx)
  return Number(rows[0]?.count)
}

/** The bytes of a file, or of an earlier version of it, and its thumbnail. */
export interface StoredBytes extends ExpectedBytes {
  file_id: string
  company_id: string
  directory_id: string
  blob_id: string
  thumbnail_id: string | null
  thumbnail_size: number | null
  damaged_at: string | null
}

/**
 * Yields the files that exist now, and then their earlier versions. Reads them in pages, because copying their bytes must not keep a
 * database snapshot open.
 */
export async function* readStoredBytes(db: Db, size: number): AsyncGenerator<StoredBytes> {
  const last = await findLastSeq(db)
  const bytesOf = (table: string) =>
    sql.join(
      ['blob_id', 'size', 'sha256', 'thumbnail_id', 'thumbnail_size', 'damaged_at'].map((column) =>
        sql.ref(`${table}.${column}`),
      ),
    )
  const fileColumns = sql`file.id as file_id, file.name, file.company_id, file.directory_id`
  for (let after = 0; ; ) {
    const { rows } = await sql<StoredBytes & { seq: number }>`select file.seq, ${fileColumns}, ${bytesOf('file')} from file
      where file.seq > ${after} and file.seq <= ${last} order by file.seq limit ${size}`.execute(db)
    yield* rows
    if (rows.length < size) break
    after = Number(rows.at(-1)?.seq)
  }
  for (let after = { file_id: '', blob_id: '' }; ; ) {
    const { rows } = await sql<StoredBytes>`select ${fileColumns}, ${bytesOf('version')}
      from file_version as version join file on file.id = version.file_id
      where (version.file_id, version.blob_id) > (${after.file_id}, ${after.blob_id})
      order by version.file_id, version.blob_id limit ${size}`.execute(db)
    yield* rows
    const lastRow = rows.at(-1)
    if (!lastRow || rows.length < size) return
    after = lastRow
  }
}

/** Returns the highest `seq`. Files added later have a higher one. */
export async function findLastSeq(db: Db): Promise<number> {
  const { rows } = await sql<{ last: number | null }>`select max(seq) as last from file`.execute(db)
  return Number(rows[0]?.last ?? 0)
}

/** Counts the uploads that can still be resumed. */
export async function countUnfinishedUploads(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from upload where finished_at is null`.execute(db)
  return Number(rows[0]?.count)
}

/**
 * Counts the other client connections, whatever their application name, which DATABASE_URL can change. PostgreSQL hides the backend type of
 * other roles, but its own background processes have no role. Returns 0 on SQLite, which keeps no list of connections.
 */
export async function countOtherConnections(db: Db): Promise<number> {
  if (isSqlite(db)) return 0
  const { rows } = await sql<{ count: number }>`select count(*) as count from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()
      and usesysid is not null and coalesce(backend_type, 'client backend') = 'client backend'`.execute(db)
  return Number(rows[0]?.count)
}
