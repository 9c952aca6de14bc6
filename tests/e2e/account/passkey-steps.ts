import type { CDPSession, Page } from '@playwright/test'
import { findFreePort } from '../../support/services/free-port.ts'
import type { asBearer } from '../calls.ts'
import { test as base, expect } from '../fixtures.ts'

/** Opens the server at localhost, because browsers allow no passkeys at an IP address. */
export const test = base.extend<{ publicUrl: string | undefined }>({
  /** A PUBLIC_URL that differs from the address at which pages are opened. */
  publicUrl: [undefined, { option: true }],
  settings: async ({ publicUrl }, use) => {
    const PORT = String(await findFreePort([0, 1, 2]))
    await use({ PORT, PUBLIC_URL: publicUrl ?? `http://localhost:${PORT}` })
  },
  baseURL: async ({ neptune }, use) => use(neptune.url.replace('127.0.0.1', 'localhost')),
})

/** A device that stores passkeys: Chromium’s virtual authenticator. It belongs to one page. */
export class Device {
  readonly #session: CDPSession
  readonly #id: string

  private constructor(session: CDPSession, id: string) {
    this.#session = session
    this.#id = id
  }

  /** Connects a device to a page. The device’s owner answers requests at once. A page can have only one `internal` device. */
  static async connect(page: Page, transport: 'internal' | 'usb' = 'internal') {
    const session = await page.context().newCDPSession(page)
    await session.send('WebAuthn.enable')
    const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport,
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    })
    return new Device(session, authenticatorId)
  }

  async disconnect() {
    await this.#session.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId: this.#id })
  }

  /** Sets whether the owner answers requests that begin from now on. If so, they also choose the only suggestion at once. */
  async setAnswers(enabled: boolean) {
    await this.#session.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId: this.#id, enabled })
  }

  /** Sets whether the owner passes user verification. If they fail, the browser reports the same error as when they cancel. */
  async setUserVerified(isUserVerified: boolean) {
    await this.#session.send('WebAuthn.setUserVerified', { authenticatorId: this.#id, isUserVerified })
  }

  /** Returns a copy of the only passkey. */
  async read() {
    const { credentials } = await this.#session.send('WebAuthn.getCredentials', { authenticatorId: this.#id })
    const [credential] = credentials
    if (!credential) throw new Error('The device has no passkey.')
    return credential
  }

  /** Replaces the passkeys of the device. */
  async store(credential: Awaited<ReturnType<Device['read']>>) {
    await this.#session.send('WebAuthn.clearCredentials', { authenticatorId: this.#id })
    await this.#session.send('WebAuthn.addCredential', { authenticatorId: this.#id, credential })
  }
}

/** Adds a passkey on the account page. Confirms the recovery codes if it is the first one, and returns them. */
export async function addPasskey(page: Page, name: string, { isFirst = true } = {}): Promise<string[]> {
  await page.getByRole('button', { name: 'Add passkey' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add a passkey' })
  await dialog.getByLabel('Name').fill(name)
  await dialog.getByRole('button', { name: 'Continue' }).click()
  const codes = isFirst ? await saveCodes(page) : []
  await expect(page.getByText(`Added the passkey “${name}”.`)).toBeVisible()
  return codes
}

/** Confirms that the recovery codes are saved, and returns them. */
export async function saveCodes(page: Page): Promise<string[]> {
  const dialog = page.getByRole('dialog', { name: 'Save your recovery codes' })
  await dialog.getByLabel('I have saved them').check()
  const codes = await dialog.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem').allTextContents()
  await dialog.getByRole('button', { name: 'Close' }).click()
  return codes
}

export const passkeyButton = (page: Page) => page.getByRole('button', { name: 'Sign in with a passkey' })

/** Disables suggestions, as in a browser that doesn’t support them. Only the button then requests a passkey. */
export const hideSuggestions = (page: Page) =>
  page.addInitScript(() => {
    PublicKeyCredential.isConditionalMediationAvailable = () => Promise.resolve(false)
  })

/** Ends the session without a request, and opens the sign-in page. */
export async function openSignIn(page: Page) {
  await page.context().clearCookies()
  await page.evaluate(() => sessionStorage.clear())
  await page.goto('/login')
}

/** The options for `navigator.credentials.get`, as the API returns them. */
interface Options {
  challenge: string
  rpId: string
  allowCredentials?: { id: string; type: 'public-key' }[]
}

/** Lets the browser sign with a passkey, also with options that the web app doesn’t use. Returns the response for the API. */
export const signWithPasskey = (page: Page, options: Options, userVerification = 'required') =>
  page.evaluate(
    async (json) => {
      const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(json)
      const credential = (await navigator.credentials.get({ publicKey })) as PublicKeyCredential
      return credential.toJSON()
    },
    { ...options, userVerification },
  )

/** Lets the browser create a passkey, and adds it with the API. The browser may already have one. */
export async function registerPasskeyInPage(page: Page, call: ReturnType<typeof asBearer>, name: string) {
  const { data } = await call('POST', '/v1/identity/passkey/registration')
  const response = await page.evaluate(async (json) => {
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON({ ...json, excludeCredentials: [] })
    return ((await navigator.credentials.create({ publicKey })) as PublicKeyCredential).toJSON()
  }, data)
  return call('POST', '/v1/identity/passkey', { name, response })
}

/** Sends a request without a session, and returns the status and the body of the reply. */
export async function post(baseURL: string | undefined, path: string, body: object) {
  const reply = await fetch(baseURL + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const { code, ...rest } = await reply.json()
  return { status: reply.status, code, ...rest }
}
