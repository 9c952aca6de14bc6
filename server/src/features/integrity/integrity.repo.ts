import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import { refreshStandings } from '../../db/link-standing.ts'
import { checkSortKeys, setMissingSortKeys } from '../../db/sort-keys.ts'
import { maxSummedCompanies } from '../company/company-total.repo.ts'

/** A file or an earlier version of one, with what is needed to check its bytes. */
export type CheckedFile = Awaited<ReturnType<typeof listFilesToCheck>>[number]

const fileColumns = [
  'file.seq',
  'file.id',
  'file.name',
  'file.company_id',
  'file.directory_id',
  'company.name as company',
  'directory.name as directory',
] as const

const withNames = (db: Db) =>
  db
    .selectFrom('file')
    .innerJoin('directory', 'directory.id', 'file.directory_id')
    .innerJoin('company', 'company.id', 'file.company_id')
    .select(fileColumns)

const selectFilesToCheck = (db: Db) =>
  withNames(db)
    .leftJoin('shared_blob', 'shared_blob.blob_id', 'file.blob_id')
    .select(['file.blob_id', 'file.size', 'file.sha256', 'file.damaged_at', 'file.thumbnail_id', 'file.thumbnail_size'])
    .select(['shared_blob.refs', sql<number | null>`null`.as('number')])

const selectVersionsToCheck = (db: Db) =>
  withNames(db)
    .innerJoin('file_version as version', 'version.file_id', 'file.id')
    .leftJoin('shared_blob', 'shared_blob.blob_id', 'version.blob_id')
    .select(['version.blob_id', 'version.size', 'version.sha256', 'version.damaged_at'])
    .select(['version.thumbnail_id', 'version.thumbnail_size', 'shared_blob.refs', 'version.number'])

/** Lists a page of all files, including the trash. */
export const listFilesToCheck = (db: Db, after: number, limit: number) =>
  selectFilesToCheck(db).where('file.seq', '>', after).orderBy('file.seq').limit(limit).execute()

/** Lists a page of the earlier versions of all files. */
export const listVersionsToCheck = (db: Db, after: { id: string; blob_id: string }, limit: number): Promise<CheckedFile[]> =>
  selectVersionsToCheck(db)
    .where(sql<boolean>`(version.file_id, version.blob_id) > (${after.id}, ${after.blob_id})`)
    .orderBy('version.file_id')
    .orderBy('version.blob_id')
    .limit(limit)
    .execute()

/** Finds a file or a version again. Returns undefined if it is gone. */
export const findFileToCheck = async (db: Db, { id, blob_id }: BytesOfFile): Promise<CheckedFile | undefined> =>
  (await selectFilesToCheck(db).where('file.id', '=', id).where('file.blob_id', '=', blob_id).executeTakeFirst()) ??
  selectVersionsToCheck(db).where('file.id', '=', id).where('version.blob_id', '=', blob_id).executeTakeFirst()

type BytesOfFile = Pick<CheckedFile, 'id' | 'blob_id'>

export const countAllFiles = (db: Db): Promise<number> => countRows(db, 'file')

/** Counts the earlier versions of all files. */
export const countAllVersions = (db: Db): Promise<number> => countRows(db, 'file_version')

async function countRows(db: Db, table: 'file' | 'file_version'): Promise<number> {
  const rows = db.selectFrom(table).select((eb) => eb.fn.countAll<number>().as('count'))
  return Number((await rows.executeTakeFirstOrThrow()).count)
}

/** Marks a file or a version as damaged or undamaged. Returns false if it is already in that state, or gone. */
export const setDamaged = (db: Db, file: BytesOfFile, damaged_at: string | null): Promise<boolean> =>
  updateBytesOfFile(
    db,
    file,
    sql`damaged_at = ${damaged_at}`,
    sql`damaged_at is ${damaged_at === null ? sql`not null` : sql`null`}`,
  )

/** Marks a thumbnail to be drawn again. Returns false if the file or version has a different thumbnail now. */
export const resetThumbnail = (db: Db, file: BytesOfFile, thumbnail_id: string): Promise<boolean> =>
  updateBytesOfFile(
    db,
    file,
    sql`thumbnail = 'wanted', thumbnail_id = null, thumbnail_size = null`,
    sql`thumbnail_id = ${thumbnail_id}`,
  )

/** Updates a file or, if these bytes aren't its current version, the version that has them. */
async function updateBytesOfFile(
  db: Db,
  { id, blob_id }: BytesOfFile,
  change: RawBuilder<unknown>,
  condition: RawBuilder<unknown>,
): Promise<boolean> {
  for (const [table, key] of [['file', 'id'] as const, ['file_version', 'file_id'] as const]) {
    const { numAffectedRows } = await sql`update ${sql.table(table)} set ${change}
      where ${sql.ref(key)} = ${id} and blob_id = ${blob_id} and ${condition}`.execute(db)
    if (numAffectedRows === 1n) return true
  }
  return false
}

/** Lists a page of unfinished uploads. */
export const listUnfinishedUploads = (db: Db, after: string, limit: number) =>
  db
    .selectFrom('upload')
    .innerJoin('directory', 'directory.id', 'upload.directory_id')
    .select(['upload.id', 'upload.name', 'directory.name as directory'])
    .where('upload.finished_at', 'is', null)
    .where('upload.id', '>', after)
    .orderBy('upload.id')
    .limit(limit)
    .execute()

export const isUnfinishedUpload = async (db: Db, id: string): Promise<boolean> =>
  (await db.selectFrom('upload').select('id').where('id', '=', id).where('finished_at', 'is', null).executeTakeFirst()) !==
  undefined

/** Returns how many bytes an unfinished upload reserves; infinity if it has ended. */
export const findReservedBytes = async (db: Db, id: string): Promise<number> => {
  const upload = db.selectFrom('upload').select('reserved').where('id', '=', id).where('finished_at', 'is', null)
  return Number((await upload.executeTakeFirst())?.reserved ?? Infinity)
}

/**
 * Raises the reservation of an upload to at least `bytes`. Returns false if it is that large already, or the upload became a
 * file.
 */
export async function raiseReservedBytes(db: Db, id: string, bytes: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('upload')
    .set({ reserved: bytes })
    .where('id', '=', id)
    .where('reserved', '<', bytes)
    .where('finished_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Counts the links that are listed under the wrong state. With `isRepair`, corrects them. */
export const countWrongStandings = (db: Db, isRepair: boolean) => refreshStandings(db, { all: true }, { dryRun: !isRepair })

/** Counts wrong sort keys of names, and sets missing ones: see db/sort-keys.ts. */
export { checkSortKeys, setMissingSortKeys }

/** Deletes an unfinished upload. Returns false if it became a file meanwhile, or is gone. */
export async function deleteUnfinishedUpload(db: Db, id: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('upload')
    .where('id', '=', id)
    .where('finished_at', 'is', null)
    .executeTakeFirst()
  return numDeletedRows === 1n
}

/** A counter that doesn't match its rows. `files` is null if only bytes are counted. */
export interface WrongCounter {
  id: string
  name: string
  files: number | null
  bytes: number
  counted_files: number | null
  counted_bytes: number
}

export type CounterOwner = 'company' | 'link'

/** The size of every version of a file counts towards its company. */
const companyBytes = sql`(select company_id, size from file
  union all select file.company_id, file_version.size from file_version join file on file.id = file_version.file_id)`

/** The rows that each counter counts: all versions of a company's files, the uploads by a link. tree-check.repo.ts counts directories. */
const countedRows = {
  company: { key: 'id', rows: companyBytes, owner: 'company_id', where: sql`true`, hasFiles: false },
  link: { key: 'key', rows: sql`link_event`, owner: 'link_key', where: sql`kind = 'uploaded'`, hasFiles: true },
}

/**
 * Finds counters that don't match their rows. Uses a single statement, which sees counters and rows at the same moment, and scans the rows
 * once, however many counters there are.
 */
export async function findWrongCounters(db: Db, what: CounterOwner): Promise<WrongCounter[]> {
  const { key, rows, owner, where, hasFiles } = countedRows[what]
  const counterColumn = (column: string) => sql.ref(`counter.${column}`)
  const { rows: found } = await sql<WrongCounter>`
    select ${counterColumn(key)} as id, counter.name as name, counter.bytes as bytes, coalesce(actual.bytes, 0) as counted_bytes,
      ${hasFiles ? counterColumn('files') : sql`0`} as files, ${hasFiles ? sql`coalesce(actual.files, 0)` : sql`0`} as counted_files
    from ${sql.table(what)} counter
    left join (select ${sql.ref(owner)} as owner, count(*) as files, sum(size) as bytes from ${rows} as counted
      where ${where} group by ${sql.ref(owner)}) actual on actual.owner = ${counterColumn(key)}
    where counter.bytes <> coalesce(actual.bytes, 0)
      ${hasFiles ? sql`or counter.files <> coalesce(actual.files, 0)` : sql``}`.execute(db)
  return found.map(({ id, name, ...row }) => ({
    id,
    name,
    bytes: Number(row.bytes),
    counted_bytes: Number(row.counted_bytes),
    files: hasFiles ? Number(row.files) : null,
    counted_files: hasFiles ? Number(row.counted_files) : null,
  }))
}

/** Corrects a counter. Call it inside a transaction. The first statement locks the row. */
export async function correctCounter(trx: Db, what: CounterOwner, id: string): Promise<void> {
  const { key, rows, owner, where, hasFiles } = countedRows[what]
  const row = sql`${sql.table(what)} set bytes = `
  await sql`update ${row} bytes where ${sql.ref(key)} = ${id}`.execute(trx)
  const counted = await sql<{ files: number; bytes: number }>`select count(*) as files, coalesce(sum(size), 0) as bytes
    from ${rows} as counted where ${sql.ref(owner)} = ${id} and ${where}`.execute(trx)
  const [{ files, bytes } = { files: 0, bytes: 0 }] = counted.rows
  const alsoFiles = hasFiles ? sql`, files = ${Number(files)}` : sql``
  await sql`update ${row} ${Number(bytes)} ${alsoFiles} where ${sql.ref(key)} = ${id}`.execute(trx)
}

/** The totals of each company, and those of all companies under an empty id. */
const countedTotalsOfCompanies = sql`
  select company_id, sum(directories) as directories, sum(files) as files, sum(links) as links from (
    select company_id, count(*) as directories, 0 as files, 0 as links from directory
      where deleted_at is null and parent_id is null group by company_id
    union all select '', count(*), 0, 0 from directory where deleted_at is null and parent_id is null
    union all select company_id, 0, 0, count(*) from link group by company_id
    union all select '', 0, 0, count(*) from link
    union all select directory.company_id, 0, count(*), 0 from file join directory on directory.id = file.directory_id
      where file.deleted_at is null and directory.deleted_at is null group by directory.company_id
    union all select '', 0, count(*), 0 from file join directory on directory.id = file.directory_id
      where file.deleted_at is null and directory.deleted_at is null
  ) as parts group by company_id`

/** The totals that `company_total` should contain, including the sums of users with many selected companies, under the id of the user. */
const countedTotals = sql`select company_id, directories, files, links from (${countedTotalsOfCompanies}) as of_companies
  union all select selected.user_id, coalesce(sum(directories), 0), coalesce(sum(files), 0), coalesce(sum(links), 0)
    from user_company as selected left join (${countedTotalsOfCompanies}) as summed on summed.company_id = selected.company_id
    group by selected.user_id having count(*) > ${sql.lit(maxSummedCompanies)}`

const totalColumns = ['directories', 'files', 'links'] as const

export type WrongTotals = { company_id: string; name: string | null; email: string | null } & Record<
  'stored' | 'counted',
  Record<(typeof totalColumns)[number], number>
>

/** Finds totals of companies that don't match their rows, in a single statement, like `findWrongCounters`. */
export async function findWrongTotals(db: Db): Promise<WrongTotals[]> {
  const columns = totalColumns.flatMap((column) => [
    sql`coalesce(${sql.ref(`stored.${column}`)}, 0) as ${sql.ref(`stored_${column}`)}`,
    sql`coalesce(${sql.ref(`counted.${column}`)}, 0) as ${sql.ref(`counted_${column}`)}`,
  ])
  const differs = totalColumns.map(
    (column) => sql`coalesce(${sql.ref(`stored.${column}`)}, 0) <> coalesce(${sql.ref(`counted.${column}`)}, 0)`,
  )
  const { rows } = await sql<{ company_id: string; name: string | null; email: string | null } & Record<string, number>>`
    select ids.company_id, company.name, "user".email, ${sql.join(columns)}
    from (select company_id from company_total union select company_id from (${countedTotals}) as counted) as ids
    left join company_total as stored on stored.company_id = ids.company_id
    left join (${countedTotals}) as counted on counted.company_id = ids.company_id
    left join company on company.id = ids.company_id
    left join "user" on "user".id = ids.company_id
    where ${sql.join(differs, sql` or `)}`.execute(db)
  return rows.map((row) => {
    const read = (kind: string) => ({
      directories: Number(row[`${kind}_directories`]),
      files: Number(row[`${kind}_files`]),
      links: Number(row[`${kind}_links`]),
    })
    return { company_id: row.company_id, name: row.name, email: row.email, stored: read('stored'), counted: read('counted') }
  })
}

/** Corrects all totals. Call it with the audit log locked, because they change only then. */
export async function correctTotals(trx: Db): Promise<void> {
  await sql`delete from company_total`.execute(trx)
  await sql`insert into company_total (company_id, directories, files, links)
    select company_id, directories, files, links from (${countedTotals}) as counted`.execute(trx)
}

const transferColumns = ['uploads', 'downloads', 'bytes_in', 'bytes_out']

/** Returns the users whose stored transfers aren't the sums of those of their selected companies. */
export async function findWrongTransfers(db: Db): Promise<{ id: string; email: string }[]> {
  const sums = sql.join(transferColumns.map((column) => sql`sum(${sql.ref(`transfer.${column}`)}) as ${sql.ref(column)}`))
  const differs = transferColumns.map((column) => sql`stored.${sql.ref(column)} <> summed.${sql.ref(column)}`)
  const ofUsers = sql`(select transfer.* from transfer join "user" on "user".id = transfer.company_id)`
  const { rows } = await sql<{ id: string; email: string }>`
    select distinct "user".id, "user".email from ${ofUsers} as stored
    full join (select selected.user_id, transfer.day, ${sums} from user_company as selected
      join company_total on company_total.company_id = selected.user_id
      join transfer on transfer.company_id = selected.company_id group by selected.user_id, transfer.day) as summed
      on summed.user_id = stored.company_id and summed.day = stored.day
    join "user" on "user".id = coalesce(stored.company_id, summed.user_id)
    where stored.day is null or summed.day is null or ${sql.join(differs, sql` or `)}`.execute(db)
  return rows
}
