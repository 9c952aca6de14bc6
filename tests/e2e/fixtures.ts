import { join } from 'node:path'
import type { DirectoryRow } from '@neptune/contract'
import { type Browser, test as base, expect, type Page } from '@playwright/test'
import { makeServerClock } from '../support/server-clock.ts'
import { admin, startNeptune } from '../support/start-neptune.ts'
import { shared, startPair } from '../support/start-pair.ts'
import { withHeldTimers } from './timers.ts'

type Neptune = Awaited<ReturnType<typeof start>>

/** One Neptune; or two nodes that look like one, by `npm run cluster:e2e`. */
const start = (...given: Parameters<typeof startNeptune>) => {
  const cluster = shared()
  return cluster ? startPair(cluster, ...given) : startNeptune(...given)
}

/** Bytes are in an object store. */
export const onStore = shared() !== undefined

/** After it was killed: once more, where it was. */
export const startAgain = (neptune: Neptune): Promise<AsyncDisposable | undefined> =>
  'again' in neptune
    ? neptune.again().then(() => undefined)
    : startNeptune({ DATA_DIR: join(neptune.folder, 'data'), PORT: new URL(neptune.url).port })

interface Fixtures {
  /** A Neptune of this test's own, with one admin. */
  neptune: Neptune
  /** Settings for it. */
  settings: Record<string, string>
  /** Whether `serverClock` sets the server's time. */
  hasServerClock: boolean
  serverClock: ReturnType<typeof makeServerClock>
}

/** What the admin got who signed in while the data was prepared: good in every copy of it. */
let signedIn = { token: '', cookie: '' }

export const test = base.extend<Fixtures, { prepared: string }>({
  settings: [{}, { option: true }],
  hasServerClock: [false, { option: true }],
  serverClock: async ({ browserName: _ }, use) => {
    using clock = makeServerClock()
    await use(clock)
  },
  /** A data folder with an admin who has signed in. Each test begins with a copy, which takes less than making one anew. */
  prepared: [
    async ({ browserName: _ }, use) => {
      await using neptune = await start({ ADMIN_EMAIL: admin.email, ADMIN_PASSWORD: admin.password })
      const reply = await fetch(`${neptune.url}/v1/identity/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(admin),
      })
      const [, cookie = ''] = /^_auth=([^;]+)/.exec(reply.headers.get('set-cookie') ?? '') ?? []
      signedIn = { token: (await reply.json()).token, cookie }
      await neptune.stop()
      await use(join(neptune.folder, 'data'))
    },
    { scope: 'worker' },
  ],
  neptune: async ({ prepared, settings, hasServerClock, serverClock }, use) => {
    await using neptune = await start({ ...(hasServerClock && serverClock.settings), ...settings }, [], prepared)
    await use(neptune)
  },
  baseURL: async ({ neptune }, use) => use(neptune.url),
  context: withHeldTimers,
})

export { admin, expect }

/** Somebody who is no admin. */
export const kim = { name: 'Kim Doe', email: 'kim@globex.example', password: 'another long password' }

/** Fills the sign-in screen and sends it. */
export async function signIn(page: Page, { email = admin.email, password = admin.password, remember = false } = {}) {
  await page.getByLabel('E-mail address').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  if (remember) await page.getByLabel('Remember me').check()
  await page.getByRole('button', { name: 'Sign in' }).click()
}

/** Shows a page to the admin, whose browser is signed in already. */
export async function openAsAdmin(page: Page, path: string) {
  const cookie = { name: '_auth', value: signedIn.cookie, domain: '127.0.0.1', path: '/', httpOnly: true }
  await page.context().addCookies([{ ...cookie, sameSite: 'Strict' }])
  await page.goto(path)
}

export async function signOut(page: Page) {
  await page.getByRole('button', { name: /Administrator/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
}

/** A connection kept between two steps of a slow browser may be one that the server is just closing. */
export const freshly = { connection: 'close' }

/** Calls the API as the admin. */
export const asAdmin =
  (baseURL = '') =>
  async (method: string, path: string, body?: object) => {
    const isForm = body instanceof FormData
    const authorization = `Bearer ${signedIn.token}`
    const headers = { ...freshly, authorization, ...(body && !isForm && { 'content-type': 'application/json' }) }
    const reply = await fetch(baseURL + path, { method, headers, body: isForm ? body : body ? JSON.stringify(body) : null })
    expect(reply.ok, path).toBe(true)
    return reply.status === 204 ? undefined : reply.json()
  }

/** A company, and a user in it. */
export async function addUser(
  baseURL: string | undefined,
  company: string,
  user: typeof kim,
): Promise<{ id: string; company: string }> {
  const call = asAdmin(baseURL)
  const { data } = await call('POST', '/v1/admin/company', { name: company })
  return (await call('POST', '/v1/admin/user', { ...user, company: data.id, role: 'NEPTUNE_USER' })).data
}

/** A directory with files in it, by name: of the admin's company, unless another is named. */
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

/** Somebody signed in, in a browser of their own. */
export async function signInElsewhere(browser: Browser, baseURL: string | undefined, person: typeof kim) {
  const context = await browser.newContext(baseURL === undefined ? {} : { baseURL })
  const page = await context.newPage()
  await page.goto('/login')
  await signIn(page, person)
  await expect(page).toHaveURL(/\/dashboard$/)
  return page
}
