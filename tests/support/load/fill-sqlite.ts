import { randomBytes } from 'node:crypto'
import { DatabaseSync } from 'node:sqlite'
import { countTotals } from './count-totals.ts'
import { makeNameOrder } from './name-order.ts'

export const makeId = () => randomBytes(16).toString('base64url')
const words = ['report', 'invoice', 'contract', 'drawing', 'offer', 'photo', 'minutes', 'budget', 'plan', 'letter']
const makeName = (i: number) => `${words[i % 10]} ${i.toString(36)} ${words[Math.floor(i / 10) % 10]}.txt`

/** Returns a name and its two keys. */
function makeNames(i: number): [string, string, string] {
  const name = makeName(i)
  return [name, name, makeNameOrder(name)]
}

interface FillOptions {
  files: number
  links?: number
  /** How many of the files are in one directory. */
  inOneDirectory?: number
  /** How many entries the audit log gets. They are not chained, so `neptune audit verify` rejects them. */
  entries?: number
  /** The existing records that get the rows; defaults to the first company and user, and a new directory. */
  records?: { company: string; user: string; directory: string }
}

/**
 * Adds rows to a database that Neptune has created, as if from uploads by staff but without file contents: a hundred directories, and
 * one more if `inOneDirectory` is set. Returns the id of that extra directory, or else of the first one.
 */
export function fillSqlite(path: string, { files, links = 0, inOneDirectory = 0, entries = 0, records }: FillOptions) {
  using db = new DatabaseSync(path)
  const { company, user } = records ?? findFirstRecords(db)
  const spreadFiles = files - inOneDirectory
  const directories = Array.from({ length: 100 }, (_, i) => ({ id: makeId(), name: `directory ${i}`, files: spreadFiles / 100 }))
  const largeDirectory = { id: records?.directory ?? makeId(), name: 'large directory', files: inOneDirectory }
  if (inOneDirectory > 0 && !records) directories.push(largeDirectory)
  const addDirectory = db.prepare(
    'insert into directory (id, root_id, company_id, name, name_key, name_order, files, bytes, created_at) values (?, ?, ?, ?, ?, ?, ?, ?, ?)',
  )
  const addFile = prepareToAddFiles(db, company)
  const addLink = db.prepare(
    `insert into link (key, type, company_id, directory_id, name, name_key, name_order, maker_id, code_mac, code_sealed, generation,
       created_at, expires_at) values (?, 'LINK_DIRECTORY', ?, ?, ?, ?, ?, ?, '', '', 0, ?, ?)`,
  )
  const finish = beginFilling(db)
  for (const { id, name, files } of directories)
    addDirectory.run(id, id, company, name, name, makeNameOrder(name), files, files * 1000, makeTimestamp(0))
  for (let i = 0; i < files; i++) {
    const directory = i < spreadFiles ? directories[i % 100] : largeDirectory
    addFile(i, directory?.id ?? '')
  }
  for (let i = 0; i < links; i++) {
    const expires = new Date(Date.now() + ((i % 60) - 20) * 24 * 60 * 60_000).toISOString()
    addLink.run(makeId(), company, directories[i % 100]?.id ?? '', ...makeNames(i), user, makeTimestamp(i), expires)
  }
  const bytes = inOneDirectory * 1000
  if (records) db.prepare('update directory set files = ?, bytes = ? where id = ?').run(inOneDirectory, bytes, largeDirectory.id)
  addEntries(db, entries, { company, user, directory: largeDirectory.id })
  finish()
  return inOneDirectory > 0 ? largeDirectory.id : (directories[0]?.id ?? '')
}

/**
 * Begins a transaction that adds many rows, and returns a function that finishes it. Rebuilding the indexes at the end takes a fraction of
 * the time of updating them for each of a million rows.
 */
export function beginFilling(db: DatabaseSync): () => void {
  db.exec('pragma journal_mode = off; pragma synchronous = off; pragma cache_size = -500000')
  const dropped = db
    .prepare(
      `select type, name, sql from sqlite_master where tbl_name in ('file', 'link', 'audit') and type in ('index', 'trigger') and sql is not null`,
    )
    .all() as { type: string; name: string; sql: string }[]
  db.exec('begin')
  for (const { type, name } of dropped) db.exec(`drop ${type} "${name}"`)
  return () => {
    for (const { sql } of dropped) db.exec(sql)
    db.exec(`insert into file_search (file_search) values ('rebuild')`)
    for (const statement of countTotals) db.exec(statement)
    db.exec('commit')
    db.exec('pragma journal_mode = wal')
  }
}

/** Returns a function that adds the i-th file, to a directory. */
export function prepareToAddFiles(db: DatabaseSync, company: string): (i: number, directory: string) => void {
  const add = db.prepare(
    `insert into file (id, blob_id, company_id, directory_id, name, name_key, name_order, kind, content_type, size, sha256,
       crc32, created_at, thumbnail) values (?, ?, ?, ?, ?, ?, ?, 'text', 'text/plain', ?, ?, 0, ?, 'none')`,
  )
  return (i, directory) => {
    const id = makeId()
    add.run(id, id, company, directory, ...makeNames(i), computeSize(i), 'a'.repeat(64), makeTimestamp(i))
  }
}

export const computeSize = (i: number) => (i * 7919) % 1_000_000

export const makeTimestamp = (i: number) => new Date(1_700_000_000_000 + i * 1000).toISOString()

export function findFirstRecords(db: DatabaseSync) {
  const { id: company } = db.prepare('select id from company').get() as { id: string }
  const { id: user } = db.prepare('select id from user').get() as { id: string }
  return { company, user }
}

const actions = ['file.uploaded', 'file.downloaded', 'link.opened', 'session.started', 'file.deleted']

function addEntries(db: DatabaseSync, entries: number, records: { company: string; user: string; directory: string }) {
  const { seq } = db.prepare('select seq from audit_head').get() as { seq: number }
  const add = db.prepare(
    `insert into audit (seq, at, action, outcome, who, person_id, person, client, company_id, name, directory_id, file_id, times, mac)
     values (?, ?, ?, 'done', 'staff', ?, 'Kim', '192.0.2.1', ?, ?, ?, ?, 1, '')`,
  )
  for (let i = 1; i <= entries; i++)
    add.run(
      seq + i,
      makeTimestamp(i),
      actions[i % 5] ?? '',
      records.user,
      records.company,
      makeName(i),
      records.directory,
      makeId(),
    )
  if (entries > 0) db.prepare('update audit_head set seq = ?').run(seq + entries)
}
