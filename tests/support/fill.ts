import { randomBytes } from 'node:crypto'
import { DatabaseSync } from 'node:sqlite'

const id = () => randomBytes(16).toString('base64url')
const words = ['report', 'invoice', 'contract', 'drawing', 'offer', 'photo', 'minutes', 'budget', 'plan', 'letter']
const nameOf = (i: number) => `${words[i % 10]} ${i.toString(36)} ${words[Math.floor(i / 10) % 10]}.txt`

/**
 * Rows as uploads and staff would have left them, without the bytes, into a database that Neptune has made: a hundred directories, and
 * one besides if so many files are to be in one. Returns the id of that one, or of the first.
 */
export function fill(
  path: string,
  { files, links = 0, inOneDirectory = 0 }: { files: number; links?: number; inOneDirectory?: number },
) {
  using db = new DatabaseSync(path)
  const { id: company } = db.prepare('select id from company').get() as { id: string }
  const { id: maker } = db.prepare('select id from user').get() as { id: string }
  const spread = files - inOneDirectory
  const directories = Array.from({ length: 100 }, (_, i) => ({ id: id(), name: `directory ${i}`, files: spread / 100 }))
  const large = { id: id(), name: 'large directory', files: inOneDirectory }
  if (inOneDirectory > 0) directories.push(large)
  const addDirectory = db.prepare(
    'insert into directory (id, company_id, name, name_key, files, bytes, created_at) values (?, ?, ?, ?, ?, ?, ?)',
  )
  const addFile = db.prepare(
    `insert into file (id, company_id, directory_id, name, name_key, kind, content_type, size, sha256, crc32, created_at, thumbnail)
     values (?, ?, ?, ?, ?, 'text', 'text/plain', ?, ?, 0, ?, 'none')`,
  )
  const addLink = db.prepare(
    `insert into link (key, type, company_id, directory_id, name, name_key, maker_id, code_mac, code_sealed, generation, created_at,
       expires_at) values (?, 'LINK_DIRECTORY', ?, ?, ?, ?, ?, '', '', 0, ?, ?)`,
  )
  const at = (i: number) => new Date(1_700_000_000_000 + i * 1000).toISOString()
  // A million rows with their indexes kept up at each would take minutes: those are made anew at the end.
  db.exec('pragma journal_mode = off; pragma synchronous = off; pragma cache_size = -500000')
  const later = db
    .prepare(
      `select type, name, sql from sqlite_master where tbl_name in ('file', 'link') and type in ('index', 'trigger') and sql is not null`,
    )
    .all() as { type: string; name: string; sql: string }[]
  db.exec('begin')
  for (const { type, name } of later) db.exec(`drop ${type} "${name}"`)
  for (const { id, name, files } of directories) addDirectory.run(id, company, name, name, files, files * 1000, at(0))
  for (let i = 0; i < files; i++) {
    const directory = i < spread ? directories[i % 100] : large
    addFile.run(id(), company, directory?.id ?? '', nameOf(i), nameOf(i), (i * 7919) % 1_000_000, 'a'.repeat(64), at(i))
  }
  for (let i = 0; i < links; i++) {
    const expires = new Date(Date.now() + ((i % 60) - 20) * 24 * 60 * 60_000).toISOString()
    addLink.run(id(), company, directories[i % 100]?.id ?? '', nameOf(i), nameOf(i), maker, at(i), expires)
  }
  for (const { sql } of later) db.exec(sql)
  db.exec(`insert into file_search (file_search) values ('rebuild')`)
  db.exec('commit')
  db.exec('pragma journal_mode = wal')
  return inOneDirectory > 0 ? large.id : (directories[0]?.id ?? '')
}
