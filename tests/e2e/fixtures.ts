import type { DirectoryRow } from '@neptune/contract'
import { type Browser, test as base, expect, type Page } from '@playwright/test'
import { admin, startNeptune } from '../support/start-neptune.ts'

type Neptune = Awaited<ReturnType<typeof startNeptune>>

interface Fixtures {
  /** A Neptune of this test's own, with one admin. */
  neptune: Neptune
  /** Settings for it, besides the admin. */
  settings: Record<string, string>
}

export const test = base.extend<Fixtures>({
  settings: [{}, { option: true }],
  neptune: async ({ settings }, use) => {
    await using neptune = await startNeptune({ ADMIN_EMAIL: admin.email, ADMIN_PASSWORD: admin.password, ...settings })
    await use(neptune)
  },
  baseURL: async ({ neptune }, use) => use(neptune.url),
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

export async function signOut(page: Page) {
  await page.getByRole('button', { name: /Administrator/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
}

/** Calls the API as the admin. */
export async function asAdmin(baseURL = '') {
  const call = async (token: string, method: string, path: string, body?: object) => {
    const isForm = body instanceof FormData
    const headers = { authorization: `Bearer ${token}`, ...(body && !isForm && { 'content-type': 'application/json' }) }
    const reply = await fetch(baseURL + path, { method, headers, body: isForm ? body : body ? JSON.stringify(body) : null })
    expect(reply.ok, path).toBe(true)
    return reply.status === 204 ? undefined : reply.json()
  }
  const { token } = await call('', 'POST', '/v1/identity/login', admin)
  return (method: string, path: string, body?: object) => call(token, method, path, body)
}

/** A company, and a user in it. */
export async function addUser(
  baseURL: string | undefined,
  company: string,
  user: typeof kim,
): Promise<{ id: string; company: string }> {
  const call = await asAdmin(baseURL)
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
  const call = await asAdmin(baseURL)
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
