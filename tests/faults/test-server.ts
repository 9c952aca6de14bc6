import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { callApi } from '../support/call-api.ts'
import { runCommand } from '../support/run-command.ts'
import { admin, startNeptune } from '../support/start-neptune.ts'
import { postLogin, settings } from '../support/start-signed-in.ts'
import { makeContentReaders } from './content-readers.ts'
import type { Random } from './random.ts'
import { makeUploaders } from './uploaders.ts'

export type TestServer = Awaited<ReturnType<typeof openFaultServer>>
type Headers = Record<string, string>

/**
 * Opens a server on a folder that outlives its process: it can be killed and restarted, and sessions stay valid. `from` is the folder of
 * another, stopped server to copy.
 */
export async function openFaultServer(
  more: Record<string, string> = {},
  { from = '', wrapper = [] as string[], folder = '' } = {},
) {
  folder ||= mkdtempSync(join(tmpdir(), 'neptune-server-'))
  if (from) cpSync(from, folder, { recursive: true })
  const data = join(folder, 'data')
  let neptune = await startProcess(data, more, wrapper)
  const url = () => neptune.url
  /** Returns the data folder as the process sees it. In a separate mount namespace it is visible only through /proc. */
  const visibleDataDir = () => (wrapper[0] === 'unshare' ? `/proc/${neptune.process.pid}/root${data}` : data)
  const { token, company } = await openSession(url(), folder, from)
  const staff = { authorization: `Bearer ${token}` }
  const call = (method: string, path: string, body?: object, headers: Headers = staff) =>
    callApi(url(), method, path, headers, body)

  async function openDirectory(name = 'Plans', client = company): Promise<string> {
    const found = await call('GET', `/v1/directory?limit=200&company=${client}`)
    const row = found?.body.data.find((row: { directory: string }) => row.directory === name)
    return row?.id ?? (await call('POST', '/v1/directory', { directory: name, client }))?.body.data.id
  }
  const directory = await openDirectory()

  return {
    ...makeUploaders({ url, call, directory, staff }),
    ...makeContentReaders({ url, call, staff, data, visibleDataDir }),
    folder,
    data,
    visibleDataDir,
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
    openDirectory,

    /** Restarts the server, as an operator would. Ends the previous process first. */
    async start(extra = more, wrapper: string[] = []) {
      await neptune[Symbol.asyncDispose]()
      neptune = await startProcess(data, extra, wrapper)
    },
    async kill() {
      neptune.process.kill('SIGKILL')
      await neptune.ended
    },
    async stop() {
      await neptune.stop()
    },
    async [Symbol.asyncDispose]() {
      await neptune[Symbol.asyncDispose]()
      sessions.delete(folder)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

process.setMaxListeners(0) // each start adds one

async function startProcess(data: string, more: Record<string, string>, wrapper: string[]) {
  const started = await startNeptune({ ...settings, DATA_DIR: data, ...more }, wrapper)
  process.once('exit', () => started.process.kill('SIGKILL')) // also if a test times out
  return started
}

/** Sessions by folder, because a folder has only the hashes of its tokens. */
const sessions = new Map<string, { token: string; company: string }>()

/** Signs in, or reuses the session of the server whose folder was copied. */
async function openSession(url: string, folder: string, from: string): Promise<{ token: string; company: string }> {
  const known = sessions.get(from)
  if (known) sessions.set(folder, known)
  if (known) return known
  const reply = await (await postLogin(url)).json()
  const session = { token: reply.token as string, company: reply.info.company as string }
  sessions.set(folder, session)
  return session
}

export interface Person {
  email: string
  password: string
  headers: Headers
}

/** Creates a member of staff and signs them in. */
export async function addStaff(
  server: TestServer,
  name: string,
  { role = 'NEPTUNE_ADMIN', company = server.company } = {},
): Promise<Person> {
  const credentials = { email: `${name}@acme.example`, password: `${admin.password} of ${name}` }
  const created = await server.call('POST', '/v1/admin/user', { name, company, role, ...credentials })
  expect(created?.status).toBe(200)
  const session = await (await postLogin(server.url, credentials)).json()
  return { ...credentials, headers: { authorization: `Bearer ${session.token}` } }
}

/** Returns a unique body of random length. */
export const makeBody = (random: Random, min: number, max: number) => random.bytes(random.between(min, max))

/** Expects `fsck` and `audit verify` to find no errors, whether the server is running or not (I3, I8). */
export async function expectIntact(server: TestServer) {
  for (const args of [
    ['fsck', '--scrub'],
    ['audit', 'verify'],
  ]) {
    const { code, out, err } = await runCommand(args, { DATA_DIR: server.data })
    expect(code, `neptune ${args.join(' ')} printed:\n${out}${err}`).toBe(0)
  }
}
