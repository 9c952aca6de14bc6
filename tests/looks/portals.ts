import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DirectoryRow, FileRow, LinkType } from '@neptune/contract'
import { test as base, type Page } from '@playwright/test'
import { findFreePort } from '../support/services/free-port.ts'
import { admin, startNeptune } from '../support/start-neptune.ts'

type Call = (method: string, path: string, body?: object) => Promise<{ data: never }>

export interface Portal {
  url: string
  call: Call
  /** Signs in the page's browser. */
  signIn: (page: Page) => Promise<void>
}

const root = join(import.meta.dirname, '../..')
const adminSettings = { ADMIN_EMAIL: admin.email, ADMIN_PASSWORD: admin.password }

/** Provides two portals: one filled by `neptune demo`, and an empty one. */
export const test = base.extend<object, { demoPortal: Portal; emptyPortal: Portal }>({
  demoPortal: [
    async ({ browserName: _ }, use) => {
      const folder = mkdtempSync(join(tmpdir(), 'neptune-looks-'))
      const env = { PATH: process.env['PATH'] ?? '', DATA_DIR: join(folder, 'data'), ...adminSettings }
      const { status, stderr } = spawnSync(process.execPath, [join(root, 'server/bin/neptune.mjs'), 'demo'], { env, cwd: root })
      if (status !== 0) throw new Error(`The demo failed:\n${stderr}`)
      const PORT = String(await findFreePort())
      // Browsers allow no passkeys at an IP address.
      const PUBLIC_URL = `http://localhost:${PORT}`
      await using _neptune = await startNeptune({ WEBHOOK_PRIVATE: 'on', PORT, PUBLIC_URL }, [], join(folder, 'data'))
      rmSync(folder, { recursive: true }) // startNeptune works on a copy
      await use(await openPortal(PUBLIC_URL))
    },
    { scope: 'worker' },
  ],
  emptyPortal: [
    async ({ browserName: _ }, use) => {
      await using neptune = await startNeptune(adminSettings)
      await use(await openPortal(neptune.url))
    },
    { scope: 'worker' },
  ],
})

async function requestSession(url: string) {
  const reply = await fetch(`${url}/v1/identity/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(admin),
  })
  const [, cookie = ''] = /^_auth=([^;]+)/.exec(reply.headers.get('set-cookie') ?? '') ?? []
  const { token } = await reply.json()
  return { cookie, token }
}

async function openPortal(url: string): Promise<Portal> {
  const { token } = await requestSession(url)
  return {
    url,
    async call(method, path, body) {
      const isFile = body instanceof Uint8Array
      const type = isFile ? 'application/octet-stream' : 'application/json'
      const headers = { authorization: `Bearer ${token}`, ...(body && { 'content-type': type }) }
      const content = isFile ? (body as Uint8Array<ArrayBuffer>) : body ? JSON.stringify(body) : null
      const reply = await fetch(url + path, { method, headers, body: content })
      if (!reply.ok) throw new Error(`${method} ${path}: ${await reply.text()}`)
      return reply.status === 204 ? { data: undefined as never } : reply.json()
    },
    /** Uses a new session, because using a session's cookie in a second browser ends the session. */
    async signIn(page) {
      const { cookie: value } = await requestSession(url)
      await page
        .context()
        .addCookies([{ name: '_auth', value, domain: new URL(url).hostname, path: '/', httpOnly: true, sameSite: 'Strict' }])
    },
  }
}

export async function findDirectory({ call }: Portal, name: string): Promise<DirectoryRow> {
  const { data } = await call('GET', `/v1/directory?search=${encodeURIComponent(name)}`)
  return (data as DirectoryRow[]).find(({ directory }) => directory === name) as DirectoryRow
}

export async function listFiles({ call }: Portal, { id }: DirectoryRow): Promise<FileRow[]> {
  return (await call('GET', `/v1/file?directory=${id}&limit=200&sort=name`)).data
}

const monthMs = 30 * 24 * 60 * 60_000

/** Creates a link and returns its key and code. */
export async function createLink({ call }: Portal, linkType: LinkType, directory: DirectoryRow, file?: FileRow) {
  const initialised = await call('POST', '/v1/link/initialise', { company: directory.company, directory: directory.id })
  const reserved: { key: string; accessCode: string } = initialised.data
  const target = file ? { file: file.id } : { directory: directory.id }
  await call('POST', '/v1/link', { linkType, ...target, ...reserved, expiry: new Date(Date.now() + monthMs).toISOString() })
  return reserved
}
