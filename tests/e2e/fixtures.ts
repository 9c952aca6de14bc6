import { test as base, expect, type Page } from '@playwright/test'
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

/** Fills the sign-in screen and sends it. */
export async function signIn(page: Page, { password = admin.password, remember = false } = {}) {
  await page.getByLabel('E-mail address').fill(admin.email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  if (remember) await page.getByLabel('Remember me').check()
  await page.getByRole('button', { name: 'Sign in' }).click()
}

export async function signOut(page: Page) {
  await page.getByRole('button', { name: /Administrator/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
}
