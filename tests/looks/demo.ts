import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DirectoryRow, FileRow, LinkType } from '@neptune/contract'
import { test as base, type Page } from '@playwright/test'
import { admin, startNeptune } from '../support/start-neptune.ts'

type Call = (method: string, path: string, body?: object) => Promise<{ data: never }>

export interface Portal {
  url: string
  call: Call
  /** Somebody signed in. */
  enter: (page: Page) => Promise<void>
}

const root = join(import.meta.dirname, '../..')
const signedIn = { ADMIN_EMAIL: admin.email, ADMIN_PASSWORD: admin.password }

/** The portals one looks at: one as `npm run demo` fills it, and one as it is on its first day. */
export const test = base.extend<object, { full: Portal; empty: Portal }>({
  full: [
    async ({ browserName: _ }, use) => {
      const folder = mkdtempSync(join(tmpdir(), 'neptune-looks-'))
      const env = { PATH: process.env['PATH'] ?? '', DATA_DIR: join(folder, 'data'), ...signedIn }
      const { status, stderr } = spawnSync(process.execPath, [join(root, 'server/bin/neptune.mjs'), 'demo'], { env, cwd: root })
      if (status !== 0) throw new Error(`The demo was not made:\n${stderr}`)
      await using neptune = await startNeptune({ WEBHOOK_PRIVATE: 'on' }, [], join(folder, 'data'))
      rmSync(folder, { recursive: true })
      await use(await portalAt(neptune.url))
    },
    { scope: 'worker' },
  ],
  empty: [
    async ({ browserName: _ }, use) => {
      await using neptune = await startNeptune(signedIn)
      await use(await portalAt(neptune.url))
    },
    { scope: 'worker' },
  ],
})

async function signIn(url: string) {
  const reply = await fetch(`${url}/v1/identity/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(admin),
  })
  const [, cookie = ''] = /^_auth=([^;]+)/.exec(reply.headers.get('set-cookie') ?? '') ?? []
  const { token } = await reply.json()
  return { cookie, token }
}

async function portalAt(url: string): Promise<Portal> {
  const { token } = await signIn(url)
  return {
    url,
    async call(method, path, body) {
      const headers = { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) }
      const answer = await fetch(url + path, { method, headers, body: body ? JSON.stringify(body) : null })
      if (!answer.ok) throw new Error(`${method} ${path}: ${await answer.text()}`)
      return answer.status === 204 ? { data: undefined as never } : answer.json()
    },
    /** With a session of its own: a cookie that comes from a second browser ends it. */
    async enter(page) {
      const { cookie: value } = await signIn(url)
      await page
        .context()
        .addCookies([{ name: '_auth', value, domain: '127.0.0.1', path: '/', httpOnly: true, sameSite: 'Strict' }])
    },
  }
}

export async function directoryCalled({ call }: Portal, name: string): Promise<DirectoryRow> {
  const { data } = await call('GET', `/v1/directory?search=${encodeURIComponent(name)}`)
  return (data as DirectoryRow[]).find(({ directory }) => directory === name) as DirectoryRow
}

export async function filesOf({ call }: Portal, { id }: DirectoryRow): Promise<FileRow[]> {
  return (await call('GET', `/v1/file?directory=${id}&limit=200&sort=name`)).data
}

const month = 30 * 24 * 60 * 60_000

/** A link as staff make it: its key and its code. */
export async function linkTo({ call }: Portal, linkType: LinkType, directory: DirectoryRow, file?: FileRow) {
  const made = await call('POST', '/v1/link/initialise', { company: directory.company, directory: directory.id })
  const reserved: { key: string; accessCode: string } = made.data
  const target = file ? { file: file.id } : { directory: directory.id }
  await call('POST', '/v1/link', { linkType, ...target, ...reserved, expiry: new Date(Date.now() + month).toISOString() })
  return reserved
}
