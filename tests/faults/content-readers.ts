import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect } from 'vitest'
import { blobPathInData } from '../support/blob-files.ts'
import type { ApiResponse } from '../support/call-api.ts'
import { digest } from '../support/client.ts'
import { runConcurrently } from '../support/run-concurrently.ts'
import { type Account, expectNoViolations, type FoundFile, findCounterViolations, type UploadHistory } from './history.ts'

interface Row {
  id: string
  file_name: string
  sha256: string
}

interface Source {
  /** The URL of the current process. */
  url: () => string
  call: (method: string, path: string) => Promise<ApiResponse | undefined>
  staff: Record<string, string>
  data: string
  /** The data folder as the process sees it. */
  visibleDataDir: () => string
}

/** Returns functions that read a server's contents, through the API and directly from the database and the disk. */
export function makeContentReaders({ url, call, staff, data, visibleDataDir }: Source) {
  async function listRows(query: string): Promise<Row[]> {
    const all: Row[] = []
    for (let cursor = ''; ; ) {
      const page = await call('GET', `/v1/file?limit=200${query}${cursor && `&cursor=${encodeURIComponent(cursor)}`}`)
      expect(page?.status).toBe(200)
      all.push(...(page?.body.data ?? []))
      cursor = page?.body.next ?? ''
      if (cursor === '') return all
    }
  }

  const hashes = new Map<string, string>()
  /**
   * Returns every file: listed ones as downloaded, those in the trash as on the disk. With `usesCachedHashes`, reads only the files that an
   * earlier call has not read.
   */
  async function findFiles({ usesCachedHashes = false } = {}): Promise<FoundFile[]> {
    const readHash = async (id: string, read: () => Promise<string>) => {
      const hash = (usesCachedHashes && hashes.get(id)) || (await read())
      hashes.set(id, hash)
      return hash
    }
    const listed = (await listRows('')).map((row) => async (): Promise<FoundFile> => {
      const sha256 = await readHash(row.id, () => download(url(), row, staff))
      return { name: row.file_name, sha256, place: 'listed' }
    })
    const trash = (await listRows('&trash=true')).map((row) => async (): Promise<FoundFile> => {
      const sha256 = await readHash(row.id, async () => digest(readFileSync(blobPathInData(visibleDataDir(), row.id))))
      return { name: row.file_name, sha256, place: 'trash' }
    })
    return runConcurrently(8, [...listed, ...trash])
  }

  const query = <Row>(sql: string) => queryDatabase<Row>(data, visibleDataDir(), sql)
  const readAccounts = () =>
    query<Account>(
      'select name as company, bytes, (select coalesce(sum(size), 0) from file where company_id = company.id) as sum from company',
    )

  return {
    listRows,
    findFiles,
    query,
    readAccounts,
    countTemporaryFiles: () => readdirSync(join(visibleDataDir(), 'tmp')).length,

    /** Expects no lost, partial or extra file (I1, I2, I3), correct counters (I7) and an intact database (I9). */
    async expectConsistent(history: UploadHistory, { usesCachedHashes = false, quota = Number.POSITIVE_INFINITY } = {}) {
      expectNoViolations(history.findViolations(await findFiles({ usesCachedHashes })))
      expectNoViolations(findCounterViolations(readAccounts(), quota))
      expectIntact(query)
      const missing = query<{ id: string }>('select id from file').filter(
        ({ id }) => !existsSync(blobPathInData(visibleDataDir(), id)),
      )
      expect(missing, 'rows without a blob').toEqual([])
    },
  }
}

/** Downloads a file and returns its hash, which must be the one in the list. */
async function download(url: string, row: Row, headers: Record<string, string>): Promise<string> {
  const reply = await fetch(`${url}/v1/file/${row.id}`, { headers })
  const hash = reply.ok ? digest(new Uint8Array(await reply.arrayBuffer())) : `status ${reply.status}`
  expect(hash, `${row.file_name} as listed`).toBe(row.sha256)
  return hash
}

function expectIntact(query: (sql: string) => unknown[]) {
  expect(
    query(
      'select name from directory where files <> (select count(*) from file where directory_id = directory.id and deleted_at is null)',
    ),
  ).toEqual([])
  expect(query('pragma integrity_check')).toEqual([{ integrity_check: 'ok' }])
  expect(query('pragma foreign_key_check')).toEqual([])
}

/** Queries the database directly. SQLite cannot open files behind /proc, so it gets a copy. */
function queryDatabase<Row>(data: string, visibleDataDir: string, sql: string): Row[] {
  const isBehindProc = visibleDataDir !== data
  const folder = isBehindProc ? mkdtempSync(join(tmpdir(), 'neptune-rows-')) : data
  if (isBehindProc)
    for (const end of ['', '-wal']) cpSync(join(visibleDataDir, `neptune.db${end}`), join(folder, `neptune.db${end}`))
  try {
    using db = new DatabaseSync(join(folder, 'neptune.db'), { readOnly: !isBehindProc, timeout: 5000 })
    return db.prepare(sql).all() as Row[]
  } finally {
    if (isBehindProc) rmSync(folder, { recursive: true, force: true })
  }
}
