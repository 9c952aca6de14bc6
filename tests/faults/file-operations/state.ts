import { DatabaseSync } from 'node:sqlite'
import { Client } from 'pg'

export interface FolderRow {
  id: string
  parent_id: string | null
  root_id: string
  company_id: string
  depth: number
  name: string
  deleted_at: string | null
  trashed_with: string | null
  files: number
  bytes: number
}

export interface FileRow {
  id: string
  directory_id: string
  company_id: string
  name: string
  blob_id: string
  version: number
  size: number
  sha256: string
  deleted_at: string | null
}

export interface VersionRow {
  file_id: string
  blob_id: string
  number: number
  size: number
  sha256: string
}

/** The rows of a database at one moment. Numbers can be strings: PostgreSQL returns bigint as text. */
export interface State {
  folders: Map<string, FolderRow>
  files: Map<string, FileRow>
  versions: VersionRow[]
  references: { blob_id: string; refs: number }[]
  companies: { id: string; bytes: number }[]
  /** The ids of the hidden folders of incomplete copies, and the files in these folders. */
  stages: string[]
  stagedFiles: FileRow[]
}

type Rows = Record<string, unknown>[]
export type Database = ReturnType<typeof openDatabase>

/** Opens a server's database for the test: SQLite in a data folder, or PostgreSQL at a URL. */
export function openDatabase(data: string, postgresUrl: string) {
  const run = postgresUrl === '' ? (sql: string[]) => runOnSqlite(data, sql) : (sql: string[]) => runOnPostgres(postgresUrl, sql)
  return {
    /** Runs statements in one transaction, and returns the rows of each. */
    run,
    readState: async (): Promise<State> => toState(await run(stateQueries)),
  }
}

const stateQueries = [
  'select id, parent_id, root_id, company_id, depth, name, deleted_at, trashed_with, files, bytes from directory',
  'select id, directory_id, company_id, name, blob_id, version, size, sha256, deleted_at from file',
  'select file_id, blob_id, number, size, sha256 from file_version order by file_id, number',
  'select blob_id, refs from shared_blob order by blob_id',
  'select id, bytes from company',
]

async function runOnSqlite(data: string, statements: string[]): Promise<Rows[]> {
  using db = new DatabaseSync(`${data}/neptune.db`, { timeout: 30_000 })
  const isReading = statements.every((sql) => sql.startsWith('select'))
  db.exec(isReading ? 'begin' : 'begin immediate')
  const rows = statements.map((sql) => db.prepare(sql).all())
  db.exec('commit')
  return rows
}

async function runOnPostgres(url: string, statements: string[]): Promise<Rows[]> {
  const client = new Client(url)
  await client.connect()
  try {
    const isReading = statements.every((sql) => sql.startsWith('select'))
    await client.query(isReading ? 'begin isolation level repeatable read' : 'begin')
    const rows: Rows[] = []
    for (const sql of statements) rows.push((await client.query(sql)).rows)
    await client.query('commit')
    return rows
  } finally {
    await client.end()
  }
}

function toState([folders = [], files = [], versions = [], references = [], companies = []]: Rows[]): State {
  const withNumbers = (row: Record<string, unknown>) => {
    for (const key of ['depth', 'files', 'bytes', 'version', 'size', 'number', 'refs'])
      if (key in row) row[key] = Number(row[key])
    return row
  }
  const all = <Row>(rows: Rows) => rows.map(withNumbers) as Row[]
  const folderRows = all<FolderRow>(folders)
  const stages = folderRows.filter(({ id, trashed_with }) => trashed_with === id).map(({ id }) => id)
  const staged = new Set(folderRows.filter(({ trashed_with }) => stages.includes(trashed_with ?? '')).map(({ id }) => id))
  const fileRows = all<FileRow>(files)
  return {
    folders: new Map(folderRows.filter(({ id }) => !staged.has(id)).map((row) => [row.id, row])),
    files: new Map(fileRows.filter(({ directory_id }) => !staged.has(directory_id)).map((row) => [row.id, row])),
    versions: all(versions),
    references: all(references),
    companies: all(companies),
    stages,
    stagedFiles: fileRows.filter(({ directory_id }) => staged.has(directory_id)),
  }
}
