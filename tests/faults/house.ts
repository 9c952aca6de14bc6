import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { callAt } from '../support/call.ts'
import { runCommand } from '../support/run-command.ts'
import { login, settings } from '../support/signed-in.ts'
import { admin, startNeptune } from '../support/start-neptune.ts'
import { contentsOf } from './house-contents.ts'
import { uploadsTo } from './house-uploads.ts'
import type { Random } from './random.ts'

export type House = Awaited<ReturnType<typeof openHouse>>
type Headers = Record<string, string>

/**
 * A Neptune on a folder that outlives it: it can be killed and started again, and whoever signed in stays so. `from` is another one's
 * folder, to begin where that one was stopped.
 */
export async function openHouse(more: Record<string, string> = {}, { from = '', wrapper = [] as string[], folder = '' } = {}) {
  folder ||= mkdtempSync(join(tmpdir(), 'neptune-house-'))
  if (from) cpSync(from, folder, { recursive: true })
  const data = join(folder, 'data')
  let neptune = await begin(data, more, wrapper)
  const url = () => neptune.url
  /** Where we see what it sees: in mounts of its own, only through the process. */
  const seen = () => (wrapper[0] === 'unshare' ? `/proc/${neptune.process.pid}/root${data}` : data)
  const { token, company } = await enter(url(), folder, from)
  const staff = { authorization: `Bearer ${token}` }
  const call = (method: string, path: string, body?: object, headers: Headers = staff) =>
    callAt(url(), method, path, headers, body)

  async function openDirectory(name = 'Plans', client = company): Promise<string> {
    const found = await call('GET', `/v1/directory?limit=200&company=${client}`)
    const row = found?.body.data.find((row: { directory: string }) => row.directory === name)
    return row?.id ?? (await call('POST', '/v1/directory', { directory: name, client }))?.body.data.id
  }
  const directory = await openDirectory()

  return {
    ...uploadsTo({ url, call, directory, staff }),
    ...contentsOf({ url, call, staff, data, seen }),
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
    openDirectory,

    /** Again, as the operator would: whatever was there before must be gone by now. */
    async start(extra = more, around: string[] = []) {
      await neptune[Symbol.asyncDispose]()
      neptune = await begin(data, extra, around)
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

process.setMaxListeners(0) // one for each start

async function begin(data: string, more: Record<string, string>, wrapper: string[]) {
  const begun = await startNeptune({ ...settings, DATA_DIR: data, ...more }, wrapper)
  process.once('exit', () => begun.process.kill('SIGKILL')) // a test that ran out of time leaves nothing running
  return begun
}

/** Tokens are not in the folder, only their hashes are. */
const sessions = new Map<string, { token: string; company: string }>()

/** The session is kept beside the data, so that a copy of the folder has it too. */
async function enter(url: string, folder: string, from: string): Promise<{ token: string; company: string }> {
  const known = sessions.get(from)
  if (known) sessions.set(folder, known)
  if (known) return known
  const reply = await (await login(url)).json()
  const session = { token: reply.token as string, company: reply.info.company as string }
  sessions.set(folder, session)
  return session
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

/** What the operator's own commands say of it, stopped or running: every byte as it was, every line of the trail in its place (I3, I8). */
export async function expectClean(house: House) {
  for (const words of [
    ['fsck', '--scrub'],
    ['audit', 'verify'],
  ]) {
    const { code, out, err } = await runCommand(words, { DATA_DIR: house.data })
    expect(code, `neptune ${words.join(' ')} said:\n${out}${err}`).toBe(0)
  }
}
