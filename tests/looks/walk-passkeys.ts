import { expect } from '@playwright/test'
import { Device } from '../e2e/account/passkey-steps.ts'
import type { Portal } from './portals.ts'
import type { ViewDriver } from './view-driver.ts'
import { addPerson, signInAsUser } from './walk-second-factor.ts'

/** Opens the views of someone who adds a passkey and uses it. */
export async function walkPasskeys(driver: ViewDriver, portal: Portal) {
  const { page } = driver
  const url = portal.url
  const { email } = await addPerson(portal)
  const device = await Device.connect(page)
  await driver.open(`${url}/login`)
  await signInAsUser(driver, email)
  await expect(page).toHaveURL(/dashboard$/)
  await walkUnavailable(driver, url)
  await driver.open(`${url}/account`)
  await driver.capture('account without passkeys')
  await walkAddition(driver, device)
  await walkSecondStep(driver, device, url, email)
}

async function walkAddition(driver: ViewDriver, device: Device) {
  const { page } = driver
  await driver.pressAndCapture('add a passkey', 'Add passkey')
  await device.setUserVerified(true)
  await driver.press('Add passkey')
  await page.getByRole('dialog').getByRole('textbox').fill('')
  await driver.press('Continue')
  await driver.capture('add a passkey, without a name')
  await page.getByRole('dialog').getByRole('textbox').fill('Robin’s phone')
  await driver.press('Continue')
  await page.getByLabel(driver.translate('I have saved them'), { exact: true }).check()
  await driver.press('Close')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await driver.capture('account with a passkey')
  await driver.pressAndCapture('rename a passkey', 'Rename {name}', { name: 'Robin’s phone' })
  await driver.pressAndCapture('remove a passkey', 'Remove {name}', { name: 'Robin’s phone' })
}

async function walkSecondStep(driver: ViewDriver, device: Device, url: string, email: string) {
  const { page } = driver
  await device.setAnswers(false)
  await page.context().clearCookies()
  await page.evaluate(() => sessionStorage.clear())
  await driver.open(`${url}/login`)
  await driver.capture('sign in with a passkey')
  await signInAsUser(driver, email)
  await expect(driver.button('Use a passkey')).toBeVisible()
  await driver.capture('second step, a passkey')
}

/** Opens the account page of someone whose passkeys no longer work. */
async function walkUnavailable(driver: ViewDriver, url: string) {
  const { page } = driver
  await page.route('**/v1/identity/passkey', (route) => {
    const passkeys = [
      {
        id: 'AAAAAAAAAAAAAAAAAAAAAA',
        name: 'Old phone',
        created_at: '2026-01-31T12:00:00.000Z',
        last_used_at: null,
        host: 'files.acme.example',
        works: false,
      },
    ]
    return route.fulfill({ json: { data: { available: false, reason: 'not_https', host: 'files.acme.example', passkeys } } })
  })
  await driver.open(`${url}/account`)
  await driver.capture('account where passkeys can’t be used')
  await page.unrouteAll()
}
