import { randomUUID } from 'node:crypto'
import { expect } from '@playwright/test'
import { createTotpCode } from '../support/formats/totp.ts'
import type { Portal } from './portals.ts'
import type { ViewDriver } from './view-driver.ts'

const password = 'a long password for looks'

/** Opens the views of someone who sets up an authenticator app and signs in with it, and of an admin who removes it. */
export async function walkSecondFactor(driver: ViewDriver, portal: Portal) {
  const { page } = driver
  const { id, email } = await addPerson(portal)
  await driver.open('/login')
  await signInAsUser(driver, email)
  await expect(page).toHaveURL(/dashboard$/)
  await walkEnrollment(driver)
  const recoveryCode = await walkSetUp(driver)
  await driver.open('/account')
  await driver.capture('account with an authenticator app')
  await driver.pressAndCapture('new recovery codes', 'Create new codes')
  await driver.pressAndCapture('remove the authenticator app', 'Remove app')

  await page.context().clearCookies()
  await page.evaluate(() => sessionStorage.clear())
  await driver.open('/login')
  await signInAsUser(driver, email)
  await driver.capture('second step')
  await page.getByLabel(driver.translate('Code'), { exact: true }).fill('123')
  await page.keyboard.press('Enter')
  await driver.capture('second step, an incomplete code')
  await driver.press('Use a recovery code instead')
  await driver.capture('second step, a recovery code')
  await page.getByLabel(driver.translate('Recovery code'), { exact: true }).fill(recoveryCode)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/dashboard$/)

  await page.evaluate(() => sessionStorage.clear())
  await portal.signIn(page)
  await driver.open(`/users/${id}`)
  await driver.pressAndCapture('remove a second factor', 'Remove second factor')
  await driver.press('Remove second factor')
  await driver.press('Remove second factor')
  await expect(driver.button('Cancel removal')).toBeVisible()
  await driver.capture('a second factor that will be removed')
}

/** Opens the page for people who must set up a second factor. */
async function walkEnrollment(driver: ViewDriver) {
  const { page } = driver
  const factors = {
    totp_since: null,
    has_second_factor: false,
    recovery_codes: 0,
    required_from: null,
    trusted_browsers: 0,
    trust_days: 30,
  }
  await page.route('**/v1/identity/factor', (route) => route.fulfill({ json: { data: { ...factors, is_required: true } } }))
  const problem = { type: 'about:blank', title: 'Forbidden', status: 403, code: 'session.factor_required', detail: 'Rejected.' }
  await page.route('**/v1/stats', (route) =>
    route.fulfill({ status: 403, json: problem, contentType: 'application/problem+json' }),
  )
  await driver.open('/dashboard')
  await expect(driver.button('Set up an app')).toBeVisible()
  await driver.capture('set up a second factor')
  await page.unrouteAll()
}

/** Sets up an authenticator app. Returns a recovery code. */
async function walkSetUp(driver: ViewDriver): Promise<string> {
  const { page } = driver
  await driver.open('/account')
  await driver.press('Set up an app')
  await expect(page.getByRole('dialog').getByRole('img')).toBeVisible()
  await driver.press('Confirm')
  await driver.capture('set up an authenticator app, with an error')
  const key = (await page.getByRole('dialog').locator('code').textContent()) ?? ''
  await page.getByLabel(driver.translate('Code from the app'), { exact: true }).fill(createTotpCode(key, Date.now()))
  await driver.press('Confirm')
  const codes = page.getByRole('dialog').getByRole('list', { name: driver.translate('Recovery codes') })
  const recoveryCode = (await codes.getByRole('listitem').first().textContent()) ?? ''
  await driver.capture('recovery codes')
  await driver.press('Close')
  await driver.capture('recovery codes, not saved')
  await page.getByLabel(driver.translate('I have saved them'), { exact: true }).check()
  await driver.press('Close')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  return recoveryCode
}

/** Adds a user who isn’t an admin. */
export async function addPerson({ call }: Portal): Promise<{ id: string; email: string }> {
  const { data: admin }: { data: { company: string } } = await call('GET', '/v1/identity')
  const email = `${randomUUID()}@acme.example`
  const person = { name: 'Robin Feld', email, password, company: admin.company, role: 'NEPTUNE_USER' }
  return (await call('POST', '/v1/admin/user', person)).data
}

/** Signs in as this user. */
export async function signInAsUser(driver: ViewDriver, email: string) {
  const { page } = driver
  await page.getByLabel(driver.translate('E-mail address')).fill(email)
  await page.getByLabel(driver.translate('Password'), { exact: true }).fill(password)
  await driver.press('Sign in')
}
