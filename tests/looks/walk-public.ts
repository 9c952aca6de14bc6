import { expect } from '@playwright/test'
import { pretendMailServer } from '../support/pretend-mail-server.ts'
import { createLink, findDirectory, type Portal } from './portals.ts'
import type { ViewDriver } from './view-driver.ts'

/** Opens the views for visitors without an account or a code. */
export async function walkPublicScreens(driver: ViewDriver, portal: Portal) {
  const { page } = driver
  await driver.open('/login')
  await driver.capture('sign in')
  await driver.press('Sign in')
  await driver.capture('sign in, nothing entered')
  await page.getByLabel(driver.translate('E-mail address')).fill('nobody@acme.example')
  await page.getByLabel(driver.translate('Password'), { exact: true }).fill('not their password')
  await driver.press('Sign in')
  await expect(page.getByRole('alert')).toBeVisible()
  await driver.capture('sign in rejected')
  await driver.open('/forgot')
  await expect(page.getByRole('main').getByRole('status')).toBeVisible()
  await driver.capture('forgot the password, without a mail server')
  await pretendMailServer(page)
  await driver.open('/forgot')
  await driver.capture('forgot the password')
  await page.getByLabel(driver.translate('E-mail address')).fill('nobody@acme.example')
  await page.getByRole('main').getByRole('button').first().click()
  await expect(
    page
      .getByRole('main')
      .getByRole('status')
      .or(page.getByRole('heading', { level: 1 }))
      .first(),
  ).toBeVisible()
  await expect(page.getByLabel(driver.translate('E-mail address'))).toHaveCount(0)
  await driver.capture('forgot the password, sent')
  await captureInvalidLinks(driver)
  await driver.open('/access/7YqfT0pEXAMPLEc3K')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(driver.translate('Link not found.'))
  await driver.capture('no such link')
  await driver.open('/receipt/none')
  await driver.capture('no such receipt')
  await driver.open('/verify')
  await driver.capture('check a receipt')
  await driver.open('/docs')
  await driver.capture('the API')
  await driver.open('/nowhere')
  await driver.capture('no such page')

  const { key } = await createLink(portal, 'LINK_DIRECTORY', await findDirectory(portal, 'Press kit'))
  await driver.open(`/access/${key}`)
  await expect(driver.button('Access Directory')).toBeVisible()
  await driver.capture('the access code')
  await page.getByPlaceholder(driver.translate('Access code')).fill('ABCD')
  await driver.press('Access Directory')
  await driver.capture('a mistyped code')
  await driver.press('Ask for a new code')
  await driver.capture('asking for a code')
  await driver.press('Ask for a new code')
  await expect(driver.button('Back to the access code')).toBeVisible()
  await driver.capture('request sent')
}

/** Opens the pages of links in emails, and of links that operators create, with tokens that don’t exist. */
async function captureInvalidLinks(driver: ViewDriver) {
  await driver.open('/reset/not-a-link')
  await driver.capture('an invalid link to reset the password')
  await driver.open('/invitation/not-a-link')
  await driver.capture('an invalid invitation')
  await driver.open('/factor-reset/not-a-link')
  await driver.capture('an invalid link about a second factor')
  await driver.open('/enter/not-a-link')
  await driver.capture('a sign-in link from the server')
  await driver.press('Sign in with this link')
  await expect(driver.page.getByRole('alert')).toBeVisible()
  await driver.capture('an invalid sign-in link from the server')
}

/** Opens the views of an empty portal: the first steps and every empty list. */
export async function walkEmptyPortal(driver: ViewDriver, portal: Portal) {
  const { page } = driver
  await portal.signIn(page)
  for (const path of [
    'dashboard',
    'files',
    'directories',
    'links',
    'clients',
    'mail',
    'trash',
    'trash?of=directories',
    'webhooks',
  ]) {
    await driver.open(`/${path}`)
    await driver.capture(`${path.replace('?of=', ', ')} in an empty portal`)
  }
  for (const step of ['organisation', 'logo', 'email', 'company', 'link', 'end']) {
    await driver.open(`/welcome?step=${step}`)
    await driver.capture(`set-up, ${step}`)
  }
  await driver.open('/links')
  await driver.pressAndCapture('create a link without a directory', 'Create link')
}
