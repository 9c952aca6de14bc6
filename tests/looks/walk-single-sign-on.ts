import { randomUUID } from 'node:crypto'
import { expect } from '@playwright/test'
import { clientSecret, startProvider } from '../../server/src/features/provider/testing-provider.ts'
import type { Portal } from './portals.ts'
import type { ViewDriver } from './view-driver.ts'

const name = 'Acme login'

/** Opens the views of an admin who sets up a provider, and of someone who signs in with it for the first time. */
export async function walkSingleSignOn(driver: ViewDriver, portal: Portal) {
  const provider = await startProvider({ publicUrl: portal.url, host: 'localhost' })
  try {
    const id = await walkProviders(driver, portal, provider.issuer)
    const email = `${randomUUID()}@acme.example`
    provider.person = { sub: email, email, email_verified: true, name: 'Robin Feld' }
    await walkSignIn(driver, portal, email)
    await portal.call('DELETE', `/v1/admin/provider/${id}`)
  } finally {
    await provider.stop()
  }
}

/** Returns the id of the provider that it adds. */
async function walkProviders(driver: ViewDriver, portal: Portal, issuer: string): Promise<string> {
  const { page } = driver
  await portal.signIn(page)
  await driver.open('/settings/single-sign-on')
  await driver.capture('no provider')
  const dialog = page.getByRole('dialog')
  await driver.press('Add provider')
  await expect(dialog).toBeVisible()
  await driver.press('Add provider')
  await driver.capture('add a provider, nothing entered')
  await dialog.getByLabel(driver.translate('Issuer')).fill(`${issuer}/elsewhere`)
  await dialog.getByLabel(driver.translate('Client ID')).fill('neptune')
  await driver.press('Test')
  await expect(dialog.locator('[lang=en]')).toBeVisible()
  await driver.capture('test a provider, with an error')
  await page.keyboard.press('Escape')
  await driver.press('Discard')
  const rules = { domains: ['acme.example'], trust_email: false, create: null, claim: null, second_factor: 'neptune' }
  const body = { name, issuer, client_id: 'neptune', client_secret: clientSecret, rules }
  const { id }: { id: string } = (await portal.call('POST', '/v1/admin/provider', body)).data
  await driver.open('/settings/single-sign-on')
  await page.getByRole('button', { name: `${driver.translate('Test')}: ${name}` }).click()
  await expect(page.getByText(driver.translate('No problems found.'))).toBeVisible()
  await driver.capture('a provider that works')
  await page.getByRole('button', { name: `${driver.translate('Edit')}: ${name}` }).click()
  await driver.press('Rights by group')
  await driver.press('Add value')
  await driver.capture('edit a provider')
  await page.keyboard.press('Escape')
  await driver.press('Discard')
  await driver.press('Actions for {name}', { name })
  await driver.capture('the menu of a provider')
  await driver.choose('Delete')
  await driver.captureAndClose('delete a provider')
  return id
}

async function walkSignIn(driver: ViewDriver, portal: Portal, email: string) {
  const { page } = driver
  const { data: admin }: { data: { company: string } } = await portal.call('GET', '/v1/identity')
  await portal.call('POST', '/v1/admin/user', {
    name: 'Robin Feld',
    email,
    password: 'a long password for looks',
    company: admin.company,
    role: 'NEPTUNE_USER',
  })
  await page.context().clearCookies()
  await page.evaluate(() => sessionStorage.clear())
  await driver.open('/login?sso=unreachable')
  await expect(driver.button('Sign in with {name}', { name })).toBeVisible()
  await driver.capture('sign in, with a provider that is down')
  await driver.press('Sign in with {name}', { name })
  await expect(driver.button('Connect and sign in')).toBeVisible()
  await driver.capture('connect an account')
  await driver.press('Connect and sign in')
  await expect(page).toHaveURL(/dashboard$/)
  await driver.open('/account')
  await driver.capture('account with a connected account')
  await page.getByRole('button', { name: new RegExp(`^${driver.translate('Disconnect')}: `) }).click()
  await driver.captureAndClose('disconnect an account')
  await driver.open('/login?confirm=1&sso=denied')
  await driver.capture('confirmation failed')
}
