import { expect, type Page } from '@playwright/test'
import { createTotpCode } from '../../support/formats/totp.ts'
import { asBearer } from '../calls.ts'
import { admin, asAdmin } from '../fixtures.ts'

/** How far the clock moves between two codes, because each code of an app works once. */
const codeIntervalMs = 60_000

/** An authenticator app. Moves the server’s clock before each code, so that each code is new. */
export class AuthenticatorApp {
  readonly #setAhead: (milliseconds: number) => void
  #aheadMs = 0
  #secret: string

  constructor({ setAhead }: { setAhead: (milliseconds: number) => void }, secret = '') {
    this.#setAhead = setAhead
    this.#secret = secret
  }

  /** Reads the key from the dialog. */
  async scan(page: Page) {
    const key = page.getByRole('dialog').getByText(/^[A-Z2-7]{4}( [A-Z2-7]{1,4})+$/)
    this.#secret = (await key.textContent()) ?? ''
  }

  /** Moves the server’s clock forward. */
  wait(milliseconds: number) {
    this.#aheadMs += milliseconds
    this.#setAhead(this.#aheadMs)
  }

  nextCode(): string {
    this.wait(codeIntervalMs)
    return createTotpCode(this.#secret, Date.now() + this.#aheadMs)
  }
}

/** Sets up an authenticator app for the admin. Returns the app and the recovery codes. */
export async function addAppOfAdmin(baseURL: string | undefined, clock: { setAhead: (milliseconds: number) => void }) {
  return addApp(asAdmin(baseURL), clock)
}

/** Signs a person in with their password, and sets up an authenticator app for them. */
export async function addAppOf(baseURL: string | undefined, person: { email: string; password: string }, clock: typeof noClock) {
  const { token } = await asBearer(baseURL)('POST', '/v1/identity/login', { email: person.email, password: person.password })
  return addApp(asBearer(baseURL, token), clock)
}

/** A clock that never moves, for apps that need only one code. */
export const noClock = { setAhead: (_: number) => {} }

async function addApp(call: ReturnType<typeof asBearer>, clock: typeof noClock) {
  const { data } = await call('POST', '/v1/identity/totp')
  const app = new AuthenticatorApp(clock, data.secret)
  const reply = await call('POST', '/v1/identity/totp/confirm', { code: createTotpCode(data.secret, Date.now()) })
  return { app, recoveryCodes: reply.data.recovery_codes as string[] }
}

/** Sets up an authenticator app in the open dialogs, and confirms that the recovery codes are saved. Returns the codes. */
export async function setUpApp(page: Page, app: AuthenticatorApp): Promise<string[]> {
  await app.scan(page)
  await page.getByRole('dialog').getByLabel('Code from the app').fill(app.nextCode())
  await page.keyboard.press('Enter')
  const saved = page.getByRole('dialog', { name: 'Save your recovery codes' })
  const codes = await saved.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem').allTextContents()
  await saved.getByLabel('I have saved them').check()
  await saved.getByRole('button', { name: 'Close' }).click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  return codes
}

/** Confirms the open dialog “Confirm that it’s you” with the admin’s password. */
export async function confirmIdentity(page: Page, password = admin.password) {
  const dialog = page.getByRole('dialog', { name: 'Confirm that it’s you' })
  await dialog.getByLabel('Password', { exact: true }).fill(password)
  await dialog.getByRole('button', { name: 'Confirm' }).click()
}
