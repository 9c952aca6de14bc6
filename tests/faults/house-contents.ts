import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect } from 'vitest'
import { blobIn } from '../support/blob-in.ts'
import type { Answer } from '../support/call.ts'
import { digest } from '../support/client.ts'
import { inTurns } from '../support/in-turns.ts'
import { type Account, counterViolations, expectNone, type Found, type SetHistory } from './history.ts'

interface Row {
  id: string
  file_name: string
  sha256: string
}

interface Place {
  /** Of the process that serves now. */
  url: () => string
  call: (method: string, path: string) => Promise<Answer | undefined>
  staff: Record<string, string>
  data: string
  /** Where we see what the process sees. */
  seen: () => string
}

/** What is there, by the API and beneath it. */
export function contentsOf({ url, call, staff, data, seen }: Place) {
  async function rows(query: string): Promise<Row[]> {
    const all: Row[] = []
    for (let cursor = ''; ; ) {
      const page = await call('GET', `/v1/file?limit=200${query}${cursor && `&cursor=${encodeURIComponent(cursor)}`}`)
      expect(page?.status).toBe(200)
      all.push(...(page?.body.data ?? []))
      cursor = page?.body.next ?? ''
      if (cursor === '') return all
    }
  }

  const sums = new Map<string, string>()
  /** Every file that is there: the listed ones as they come down, those in the trash as they lie on the disk. `isNew` reads no file twice. */
  async function found({ isNew = false } = {}): Promise<Found[]> {
    const sumOf = async (id: string, read: () => Promise<string>) => {
      const sum = (isNew && sums.get(id)) || (await read())
      sums.set(id, sum)
      return sum
    }
    const listed = (await rows('')).map((row) => async (): Promise<Found> => {
      const sha256 = await sumOf(row.id, () => download(url(), row, staff))
      return { name: row.file_name, sha256, place: 'listed' }
    })
    const trash = (await rows('&trash=true')).map((row) => async (): Promise<Found> => {
      const sha256 = await sumOf(row.id, async () => digest(readFileSync(blobIn(seen(), row.id))))
      return { name: row.file_name, sha256, place: 'trash' }
    })
    return inTurns(8, [...listed, ...trash])
  }

  const query = <Row>(sql: string) => rowsIn<Row>(data, seen(), sql)
  const accounts = () =>
    query<Account>(
      'select name as company, bytes, (select coalesce(sum(size), 0) from file where company_id = company.id) as sum from company',
    )

  return {
    rows,
    found,
    query,
    accounts,
    temporary: () => readdirSync(join(seen(), 'tmp')).length,

    /** Nothing lost, nothing half there, nothing besides (I1, I2, I3), the sums right (I7), the database sound (I9). */
    async expectWhole(history: SetHistory, { isNew = false, quota = Number.POSITIVE_INFINITY } = {}) {
      expectNone(history.violations(await found({ isNew })))
      expectNone(counterViolations(accounts(), quota))
      expectSound(query)
      const missing = query<{ id: string }>('select id from file').filter(({ id }) => !existsSync(blobIn(seen(), id)))
      expect(missing, 'rows without a blob').toEqual([])
    },
  }
}

/** The sum of what comes down, which is what the list says it is. */
async function download(url: string, row: Row, headers: Record<string, string>): Promise<string> {
  const reply = await fetch(`${url}/v1/file/${row.id}`, { headers })
  const sum = reply.ok ? digest(new Uint8Array(await reply.arrayBuffer())) : `answered ${reply.status}`
  expect(sum, `${row.file_name} as it says it is`).toBe(row.sha256)
  return sum
}

function expectSound(query: (sql: string) => unknown[]) {
  expect(
    query(
      'select name from directory where files <> (select count(*) from file where directory_id = directory.id and deleted_at is null)',
    ),
  ).toEqual([])
  expect(query('pragma integrity_check')).toEqual([{ integrity_check: 'ok' }])
  expect(query('pragma foreign_key_check')).toEqual([])
}

/** The rows beneath, as the database's own shell shows them. SQLite does not open what lies behind /proc, but reads a copy. */
function rowsIn<Row>(data: string, seen: string, sql: string): Row[] {
  const isHidden = seen !== data
  const place = isHidden ? mkdtempSync(join(tmpdir(), 'neptune-rows-')) : data
  if (isHidden) for (const end of ['', '-wal']) cpSync(join(seen, `neptune.db${end}`), join(place, `neptune.db${end}`))
  try {
    using db = new DatabaseSync(join(place, 'neptune.db'), { readOnly: !isHidden, timeout: 5000 })
    return db.prepare(sql).all() as Row[]
  } finally {
    if (isHidden) rmSync(place, { recursive: true, force: true })
  }
}
