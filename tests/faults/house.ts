import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect } from 'vitest'
import { admin, startNeptune } from '../support/start-neptune.ts'
import { type Account, counterViolations, type Found, outcomeOf, type SetHistory } from './history.ts'
import type { Random } from './random.ts'
import { login, settings } from './signed-in.ts'

export const digest = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

export type House = Awaited<ReturnType<typeof openHouse>>
type Headers = Record<string, string>

interface Row {
  id: string
  file_name: string
  sha256: string
}

/** What an upload came to: the status, if there was an answer, and the file's id, if it is one now. */
export interface Uploaded {
  status: number | undefined
  id: string | undefined
}

/** What a call came to; undefined when it was not answered. */
export interface Answer {
  status: number
  headers: globalThis.Headers
  // biome-ignore lint/suspicious/noExplicitAny: whatever the endpoint says.
  body: any
}

/**
 * A Neptune on a folder that outlives it: it can be killed and started again, and whoever signed in stays so. `from` is another one's
 * folder, to begin where that one was stopped.
 */
export async function openHouse(more: Record<string, string> = {}, { from = '', wrapper = [] as string[], folder = '' } = {}) {
  folder ||= mkdtempSync(join(tmpdir(), 'neptune-house-'))
  if (from) cpSync(from, folder, { recursive: true })
  const data = join(folder, 'data')
  let neptune = await begin(more, wrapper)
  /** Where we see what it sees: in mounts of its own, only through the process. */
  const seen = () => (wrapper[0] === 'unshare' ? `/proc/${neptune.process.pid}/root${data}` : data)
  const { token, company } = await enter()
  const staff = { authorization: `Bearer ${token}` }
  const directory = await openDirectory()

  async function begin(extra: Record<string, string>, wrapper: string[]) {
    const begun = await startNeptune({ ...settings, DATA_DIR: data, ...extra }, wrapper)
    process.once('exit', () => begun.process.kill('SIGKILL')) // a test that ran out of time leaves nothing running
    return begun
  }

  /** The session is kept beside the data, so that a copy of the folder has it too. */
  async function enter(): Promise<{ token: string; company: string }> {
    const known = sessions.get(from)
    if (known) sessions.set(folder, known)
    if (known) return known
    const reply = await (await login(neptune.url)).json()
    const session = { token: reply.token as string, company: reply.info.company as string }
    sessions.set(folder, session)
    return session
  }

  async function openDirectory(name = 'Plans', client = company): Promise<string> {
    const found = await call('GET', `/v1/directory?limit=200&company=${client}`)
    const row = found?.body.data.find((row: { directory: string }) => row.directory === name)
    return row?.id ?? (await call('POST', '/v1/directory', { directory: name, client }))?.body.data.id
  }

  async function call(method: string, path: string, body?: object, headers: Headers = staff): Promise<Answer | undefined> {
    try {
      const reply = await fetch(neptune.url + path, {
        method,
        headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
        ...(body && { body: JSON.stringify(body) }),
      })
      const text = await reply.text()
      const isJson = reply.headers.get('content-type')?.includes('json')
      return { status: reply.status, headers: reply.headers, body: isJson ? JSON.parse(text) : text }
    } catch {
      return undefined
    }
  }

  /** By one request. `sent` is told of every piece that leaves. */
  function put(
    name: string,
    bytes: Buffer,
    { into = directory, headers = staff as Headers, sent = (_count: number) => {} } = {},
  ) {
    const head = Buffer.from('--x\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\n')
    const whole = Buffer.concat([head, bytes, Buffer.from('\r\n--x--\r\n')])
    const form = { ...headers, 'content-type': 'multipart/form-data; boundary=x' }
    return send('PUT', `/v1/file/${into}/${name}`, form, whole, sent)
  }

  /** As tus does it: in pieces, each behind the last. The address of the upload is told as soon as it is known, to go on from there. */
  async function tus(
    name: string,
    bytes: Buffer,
    { pieces = 2, into = directory, headers = staff as Headers, sent = (_count: number) => {}, at = (_path: string) => {} } = {},
  ): Promise<Uploaded> {
    const word = (text: string) => Buffer.from(text).toString('base64')
    const metadata = `filename ${word(name)},directory ${word(into)}`
    const length = { 'upload-length': String(bytes.length), 'upload-metadata': metadata }
    const begun = await call('POST', '/v1/upload', undefined, { ...headers, ...version, ...length })
    if (begun?.status !== 201) return { status: begun?.status, id: undefined }
    const path = begun.headers.get('location') ?? ''
    at(path)
    return goOn(path, bytes, Math.max(1, Math.ceil(bytes.length / pieces)), headers, sent)
  }

  /** Asks where an upload stands, and sends the rest. 404 when it is not there any more. */
  const resume = (path: string, bytes: Buffer, headers: Headers = staff) => goOn(path, bytes, bytes.length, headers, () => {})

  async function goOn(
    path: string,
    bytes: Buffer,
    piece: number,
    headers: Headers,
    sent: (count: number) => void,
  ): Promise<Uploaded> {
    const stands = await call('HEAD', path, undefined, { ...headers, ...version })
    let reply: Uploaded = { status: stands?.status, id: stands?.headers.get('neptune-file') ?? undefined }
    if (stands?.status !== 200) return reply
    let offset = Number(stands.headers.get('upload-offset'))
    while (offset < bytes.length && (reply.status === 200 || reply.status === 204)) {
      const part = bytes.subarray(offset, offset + piece)
      const about = { 'content-type': 'application/offset+octet-stream', 'upload-offset': String(offset) }
      reply = await send('PATCH', path, { ...headers, ...version, ...about }, part, sent)
      offset += part.length
    }
    return reply
  }

  /** Piece by piece, so that it can be killed between any two of them. */
  function send(method: string, path: string, headers: Headers, body: Buffer, sent: (count: number) => void) {
    return new Promise<Uploaded>((resolve) => {
      const call = request(neptune.url + path, { method, headers: { ...headers, 'content-length': String(body.length) } })
      const lost = () => resolve({ status: undefined, id: undefined })
      call.on('error', lost)
      call.once('response', (reply) => {
        let text = ''
        reply.setEncoding('utf8').on('data', (chunk: string) => {
          text += chunk
        })
        reply.once('close', () => {
          if (!reply.complete) return lost()
          const named = reply.headers['neptune-file'] ?? /"data":\{"id":"([^"]+)"/.exec(text)?.[1]
          resolve({ status: reply.statusCode, id: named?.toString() })
        })
      })
      const write = (offset: number) => {
        if (offset >= body.length) return call.end()
        const part = body.subarray(offset, offset + 16_384)
        call.write(part, (error) => {
          sent(part.length)
          if (!error) write(offset + part.length)
        })
      }
      write(0)
    })
  }

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
      const sha256 = await sumOf(row.id, async () => {
        const reply = await fetch(`${neptune.url}/v1/file/${row.id}`, { headers: staff })
        const sum = reply.ok ? digest(new Uint8Array(await reply.arrayBuffer())) : `answered ${reply.status}`
        expect(sum, `${row.file_name} as it says it is`).toBe(row.sha256)
        return sum
      })
      return { name: row.file_name, sha256, place: 'listed' }
    })
    const trash = (await rows('&trash=true')).map((row) => async (): Promise<Found> => {
      const sha256 = await sumOf(row.id, async () => digest(readFileSync(join(seen(), 'blobs', ...shardOf(row.id), row.id))))
      return { name: row.file_name, sha256, place: 'trash' }
    })
    return inTurns(8, [...listed, ...trash])
  }

  /** The rows beneath, as the database's own shell shows them. SQLite does not open what lies behind /proc, but reads a copy. */
  function query<Row>(sql: string): Row[] {
    const isHidden = seen() !== data
    const place = isHidden ? mkdtempSync(join(tmpdir(), 'neptune-rows-')) : data
    if (isHidden) for (const end of ['', '-wal']) cpSync(join(seen(), `neptune.db${end}`), join(place, `neptune.db${end}`))
    try {
      using db = new DatabaseSync(join(place, 'neptune.db'), { readOnly: !isHidden, timeout: 5000 })
      return db.prepare(sql).all() as Row[]
    } finally {
      if (isHidden) rmSync(place, { recursive: true, force: true })
    }
  }

  const accounts = () =>
    query<Account>(
      'select name as company, bytes, (select coalesce(sum(size), 0) from file where company_id = company.id) as sum from company',
    )

  const house = {
    folder,
    data,
    seen,
    company,
    directory,
    staff,
    get url() {
      return neptune.url
    },
    get process() {
      return neptune.process
    },
    output: () => neptune.output(),
    ended: () => neptune.ended,
    call,
    put,
    tus,
    resume,
    rows,
    found,
    query,
    accounts,
    openDirectory,
    temporary: () => readdirSync(join(seen(), 'tmp')).length,

    /** Again, as the operator would: whatever was there before must be gone by now. */
    async start(extra = more, around: string[] = []) {
      await neptune[Symbol.asyncDispose]()
      neptune = await begin(extra, around)
    },
    async kill() {
      neptune.process.kill('SIGKILL')
      await neptune.ended
    },
    async stop() {
      await neptune.stop()
    },

    /** An upload, written down: by one request, or in pieces. */
    async upload(history: SetHistory, name: string, bytes: Buffer, way: 'put' | 'tus' = 'put', options = {}) {
      const entry = history.invoke(name, digest(bytes), bytes.length)
      const { status, id } = way === 'put' ? await put(name, bytes, options) : await tus(name, bytes, options)
      entry.outcome = outcomeOf(status)
      return { entry, status, id }
    },

    /** Nothing lost, nothing half there, nothing besides (I1, I2, I3), the sums right (I7), the database sound (I9). */
    async expectWhole(history: SetHistory, { isNew = false, quota = Number.POSITIVE_INFINITY } = {}) {
      expectNone(history.violations(await found({ isNew })))
      expectNone(counterViolations(accounts(), quota))
      expect(
        query(
          'select name from directory where files <> (select count(*) from file where directory_id = directory.id and deleted_at is null)',
        ),
      ).toEqual([])
      expect(query<{ integrity_check: string }>('pragma integrity_check')).toEqual([{ integrity_check: 'ok' }])
      expect(query('pragma foreign_key_check')).toEqual([])
      const missing = query<{ id: string }>('select id from file').filter(
        ({ id }) => !existsSync(join(seen(), 'blobs', ...shardOf(id), id)),
      )
      expect(missing, 'rows without a blob').toEqual([])
    },

    async [Symbol.asyncDispose]() {
      await neptune[Symbol.asyncDispose]()
      sessions.delete(folder)
      rmSync(folder, { recursive: true, force: true })
    },
  }
  return house
}

const version = { 'tus-resumable': '1.0.0' }

process.setMaxListeners(0) // one for each start

/** Tokens are not in the folder, only their hashes are. */
const sessions = new Map<string, { token: string; company: string }>()

/** Where a blob lies, as server/src/blobs/disk.ts has it. */
function shardOf(id: string): [string, string] {
  const hex = Buffer.from(id, 'base64url').toString('hex')
  return [hex.slice(0, 2), hex.slice(2, 4)]
}

/** What loads a fault into a Neptune: see there. */
export const fault = (what: string) => ({
  NODE_OPTIONS: `--import=${join(import.meta.dirname, '../support/fault.ts')}`,
  NEPTUNE_FAULT: what,
})

/**
 * A wrapper in which something happens at the process's calls on the files of the database: `error=EIO:when=3` at the third such call,
 * `signal=SIGKILL:when=3`, or nothing but a line in the log. Needs strace.
 */
export function atDatabase(
  { data, folder }: { data: string; folder: string },
  calls: string,
  what: string,
  log = join(folder, 'calls'),
): string[] {
  const paths = ['', '-wal'].flatMap((end) => ['-P', join(data, `neptune.db${end}`)])
  const inject = what === '' ? [] : ['-e', `inject=${calls}:${what}`]
  // `-D` keeps the process our own child, so that it can be killed as any other.
  return ['strace', '-D', '-f', '-qq', '-o', log, ...paths, '-e', `trace=${calls}`, ...inject]
}

/** Violations, of which the first are named: the rest is mostly the same again. */
export const expectNone = (violations: string[]) => expect(violations, violations.slice(0, 3).join('; ')).toEqual([])

/** Some at a time. */
export async function inTurns<T>(atOnce: number, tasks: (() => Promise<T>)[]): Promise<T[]> {
  const results: T[] = []
  const left = tasks.entries()
  const work = async () => {
    for (const [i, task] of left) results[i] = await task()
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  return results
}

/** Kills it when so many bytes have left, whoever sent them. */
export function killAfterBytes(house: House, bytes: number) {
  let left = bytes
  return (count: number) => {
    left -= count
    if (left <= 0) house.process.kill('SIGKILL')
  }
}

export interface Person {
  email: string
  password: string
  headers: Headers
}

/** A member of staff, signed in. */
export async function hire(
  house: House,
  name: string,
  { role = 'NEPTUNE_ADMIN', company = house.company } = {},
): Promise<Person> {
  const credentials = { email: `${name}@acme.example`, password: `${admin.password} of ${name}` }
  const made = await house.call('POST', '/v1/admin/user', { name, company, role, ...credentials })
  expect(made?.status).toBe(200)
  const session = await (await login(house.url, credentials)).json()
  return { ...credentials, headers: { authorization: `Bearer ${session.token}` } }
}

/** A body nobody else sends. */
export const body = (random: Random, least: number, most: number) => random.bytes(random.between(least, most))

/** What the operator's own commands say of it: every byte as it was, every line of the trail in its place (I3, I8). */
export async function expectClean(house: House) {
  for (const words of [
    ['fsck', '--scrub'],
    ['audit', 'verify'],
  ]) {
    const { code, text } = await runCommand(house, ...words)
    expect(code, `neptune ${words.join(' ')} said:\n${text}`).toBe(0)
  }
}

/** `npx neptune …` on a house that is stopped or running: what it said, and how it ended. */
async function runCommand(house: House, ...words: string[]): Promise<{ code: number | null; text: string }> {
  const child = spawn(process.execPath, [join(import.meta.dirname, '../../server/bin/neptune.mjs'), ...words], {
    env: { PATH: process.env['PATH'] ?? '', DATA_DIR: house.data },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let text = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (chunk) => (text += chunk))
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  return { code, text }
}
