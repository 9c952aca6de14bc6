import { expect } from '@playwright/test'
import type { Portal } from './portals.ts'
import type { ViewDriver } from './view-driver.ts'

/** Opens every section of the settings except single sign-on, also with errors, unsaved changes and a change by someone else. */
export async function walkSettings(driver: ViewDriver, { call }: Portal) {
  const { page } = driver
  for (const section of ['organisation', 'links']) {
    await driver.open(`/settings/${section}`)
    await driver.capture(`settings, ${section}`)
  }
  await driver.open('/settings/appearance')
  await page.getByLabel(driver.translate('Accent colour'), { exact: true }).fill('#ffee00')
  await expect(driver.button('Use {value}', { value: '#a19601' })).toBeVisible()
  await driver.capture('settings, appearance, a colour that is too light')
  await page
    .getByRole('navigation')
    .getByRole('link', { name: driver.translate('Security'), exact: true })
    .click()
  await driver.capture('settings, unsaved changes')
  await driver.press('Discard')
  await expect(page).toHaveURL(/security$/)
  await page.getByLabel(driver.translate('Sign people out after'), { exact: true }).fill('0')
  await driver.press('Save')
  await expect(page.locator('[aria-invalid=true]')).toBeVisible()
  await driver.capture('settings, security, with an error')
  await driver.press('Discard changes')

  await driver.open('/settings/email')
  await driver.press('Send test email')
  await expect(
    page.getByText(driver.translate('The email to {email} was not sent.', { email: 'admin@acme.example' })),
  ).toBeVisible()
  await driver.capture('settings, email, a test')

  await driver.open('/settings/storage')
  const trashDays = page.getByLabel(driver.translate('Keep deleted files for'), { exact: true })
  await trashDays.fill('7')
  await driver.press('Save')
  await driver.capture('settings, storage, asking')
  await driver.press('Cancel')
  const { data }: { data: { storage: { version: number; values: { trash_days: number } } } } = await call(
    'GET',
    '/v1/admin/settings',
  )
  const { version, values } = data.storage
  await call('PATCH', '/v1/admin/settings/storage', { version, values: { trash_days: values.trash_days === 60 ? 90 : 60 } })
  await driver.press('Save')
  await driver.press('Save and delete')
  await expect(driver.button('Use the new settings')).toBeVisible()
  await driver.capture('settings, storage, changed by someone else')
  await driver.press('Use the new settings')
}
