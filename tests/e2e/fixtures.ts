import { join } from 'node:path'
import type { DirectoryRow } from '@neptune/contract'
import { type Browser, test as base, expect, type Page } from '@playwright/test'
import { makeServerClock } from '../support/server-clock.ts'
import { readSharedServices, startPair } from '../support/services/start-pair.ts'
import { admin, startNeptune } from '../support/start-neptune.ts'
import { asBearer } from './calls.ts'
import { provideBrowser, provideContext } from './context.ts'

type Neptune = Awaited<ReturnType<typeof startServer>>

/** Starts one server, or with `npm run cluster:e2e` two nodes behind one URL. */
const startServer = (...args: Parameters<typeof startNeptune>) => {
  const cluster = readSharedServices()
  return cluster ? startPair(cluster, ...args) : startNeptune(...args)
}

/** Whether file contents are in an object store. */
export const usesObjectStore = readSharedServices() !== undefined

/** Restarts a killed server with the same data and port, and with these settings. */
export const restart = (neptune: Neptune, settings: Record<string, string> = {}): Promise<AsyncDisposable | undefined> =>
  'restart' in neptune
    ? neptune.restart(settings).then(() => undefined)
    : startNeptune({ ...settings, DATA_DIR: join(neptune.folder, 'data'), PORT: new URL(neptune.url).port })

interface Fixtures {
  /** The test's own server, with one admin. */
  neptune: Neptune
  /** Environment variables for the server. */
  settings: Record<string, string>
  /** Whether the server takes its time from `serverClock`. */
  hasServerClock: boolean
  serverClock: ReturnType<typeof makeServerClock>
}

/** The admin's session from the prepared data. It is valid in every copy of that data. */
let adminSession = { token: '', cookie: '', startedAt: 0 }

export const test = base.extend<Fixtures, { preparedData: string }>({
  settings: [{}, { option: true }],
  hasServerClock: [false, { option: true }],
  serverClock: async ({ browserName: _ }, use) => {
    using clock = makeServerClock()
    await use(clock)
  },
  /** A data folder with a signed-in admin. Each test starts with a copy, which is faster than creating one. */
  preparedData: [
    async ({ browserName: _ }, use) => {
      await using neptune = await startServer({ ADMIN_EMAIL: admin.email, ADMIN_PASSWORD: admin.password })
      const reply = await fetch(`${neptune.url}/v1/identity/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(admin),
      })
      const [, cookie = ''] = /^_auth=([^;]+)/.exec(reply.headers.get('set-cookie') ?? '') ?? []
      adminSession = { token: (await reply.json()).token, cookie, startedAt: Date.now() }
      await neptune.stop()
      await use(join(neptune.folder, 'data'))
    },
    { scope: 'worker' },
  ],
  neptune: async ({ preparedData, settings, hasServerClock, serverClock }, use) => {
    await using neptune = await startServer({ ...(hasServerClock && serverClock.settings), ...settings }, [], preparedData)
    // Sensitive calls require that the password was confirmed in the last 15 minutes.
    if (Date.now() - adminSession.startedAt > 10 * 60_000)
      await asAdmin(neptune.url)('POST', '/v1/identity/confirm', { password: admin.password })
    await use(neptune)
  },
  baseURL: async ({ neptune }, use) => use(neptune.url),
  browser: [provideBrowser, { scope: 'worker' }],
  context: provideContext,
})

export { admin, expect }

/** A user who isn't an admin. */
export const kim = { name: 'Kim Doe', email: 'kim@globex.example', password: 'another long password' }

/** Fills in the sign-in form and submits it. */
export async function signIn(page: Page, { email = admin.email, password = admin.password, remember = false } = {}) {
  await page.getByLabel('E-mail address').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  if (remember) await page.getByLabel('Remember me').check()
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

/** Opens a page as the admin, without going through the sign-in screen. */
export async function openAsAdmin(page: Page, path: string) {
  const cookie = { name: '_auth', value: adminSession.cookie, path: '/', httpOnly: true, sameSite: 'Strict' as const }
  await page.context().addCookies(['127.0.0.1', 'localhost'].map((domain) => ({ ...cookie, domain })))
  await page.goto(path)
}

export async function signOut(page: Page) {
  await page.getByRole('button', { name: /Administrator/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
}

/** Returns the rows of tables that contain this text, such as a name. */
export const tableRow = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text })

/** Returns a function that calls the API as the admin. */
export const asAdmin = (baseURL?: string) => asBearer(baseURL, adminSession.token)

/** Creates a company with one user. */
export async function addCompanyWithUser(
  baseURL: string | undefined,
  company: string,
  user: typeof kim,
): Promise<{ id: string; company: string }> {
  const call = asAdmin(baseURL)
  const { data } = await call('POST', '/v1/admin/company', { name: company })
  return (await call('POST', '/v1/admin/user', { ...user, company: data.id, role: 'NEPTUNE_USER' })).data
}

/** Creates a directory with files, in the admin's company by default. Returns the file ids by name. */
export async function addDirectory(
  baseURL: string | undefined,
  name: string,
  files: Record<string, string | Buffer> = {},
  company?: string,
): Promise<DirectoryRow & { ids: Record<string, string> }> {
  const call = asAdmin(baseURL)
  const client = company ?? (await call('GET', '/v1/identity')).data.company
  const { data } = await call('POST', '/v1/directory', { directory: name, client })
  const ids: Record<string, string> = {}
  for (const [file, bytes] of Object.entries(files)) {
    const form = new FormData()
    form.set('file', new Blob([typeof bytes === 'string' ? bytes : new Uint8Array(bytes)]), 'file')
    ids[file] = (await call('PUT', `/v1/file/${data.id}/${encodeURIComponent(file)}`, form)).data.id
  }
  return { ...data, ids }
}

/** Signs in as another person in a new browser context, as on another computer. */
export async function signInInNewContext(browser: Browser, baseURL: string | undefined, person: typeof kim) {
  const context = await browser.newContext(baseURL === undefined ? {} : { baseURL })
  const page = await context.newPage()
  await page.goto('/login')
  await signIn(page, person)
  await expect(page).toHaveURL(/\/dashboard$/)
  return page
}
