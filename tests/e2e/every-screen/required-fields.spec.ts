import type { Locator, Page } from '@playwright/test'
import { pretendMailServer } from '../../support/pretend-mail-server.ts'
import { addSharedLink } from '../access/access-steps.ts'
import { addCompanyWithUser, expect, kim, openAsAdmin, test } from '../fixtures.ts'

test('marks both sign-in fields as required and sends nothing without them', { tag: '@slow' }, async ({ page }) => {
  await pretendMailServer(page)
  const calls: string[] = []
  page.on('request', (request) => calls.push(request.url()))
  await page.goto('/login')
  await expectRequired(page.getByRole('main'), ['E-mail address', 'Password'])
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page.getByLabel('E-mail address')).toBeFocused()
  expect(calls.filter((url) => url.includes('/login') && url.includes('/v1/'))).toEqual([])
  await page.getByRole('link', { name: 'Forgot your password?' }).click()
  await expect(page).toHaveURL(/\/forgot$/)
  await expectRequired(page.getByRole('main'), ['E-mail address'])
})

test('marks the access code as required', { tag: '@slow' }, async ({ page, baseURL }) => {
  const { key } = await addSharedLink(baseURL)
  await page.goto(`/access/${key}`)
  await expectRequired(page.getByRole('main'), ['Access code'])
})

test('marks the mandatory fields of staff forms as required', { tag: '@slow' }, async ({ page, baseURL }) => {
  await addCompanyWithUser(baseURL, 'Globex', kim)
  await addSharedLink(baseURL)
  await openAsAdmin(page, '/dashboard')
  await expectInDialog(page, 'Upload file', ['Company', 'Directory'])
  await page.goto('/directories')
  await expectInDialog(page, 'Create Directory', ['Name', 'Company'])
  await page.goto('/links')
  await expectInDialog(page, 'Create link', ['Company', 'Directory', 'Link type', 'Expiry'])
  await page.getByLabel('Select Plans').check()
  await expectInDialog(page, 'Send link details', ['Target e-mail'])
  await page.goto('/clients')
  await expectInDialog(page, 'Add user', ['Name', 'E-mail address', 'Company', 'Role', 'Password'])
  await expectInDialog(page, 'Create company', ['Name'])
  await expectInDialog(page, 'Edit Kim Doe', ['Role'])
  await page.goto('/mail')
  await expectInDialog(page, 'Send a test email', ['E-mail address'])
  await page.goto('/webhooks')
  await expectInDialog(page, 'Create webhook', ['Company', 'Address'])
  await page.goto('/account')
  await expectInDialog(page, 'Create token', ['Name', 'Scope', 'Expiry'])
  await expectInDialog(page, 'Edit details', ['Name', 'E-mail address', 'Current password'])
  await expectRequired(page.getByRole('main'), ['Current password', 'New password'])
})

test('marks the mandatory fields of the set-up as required', { tag: '@slow' }, async ({ page }) => {
  for (const [step, labels] of [
    ['organisation', ['Name of the organisation']],
    ['email', ['E-mail address']],
    ['company', ['Name of the company']],
  ] as const) {
    await openAsAdmin(page, `/welcome?step=${step}`)
    await expectRequired(page.getByRole('main'), [...labels])
  }
})

test('clears a field’s error when the field is changed, but shows an error that arrives after the field was changed during the request', {
  tag: '@slow',
}, async ({ page }) => {
  await openAsAdmin(page, '/clients')
  await page.getByRole('button', { name: 'Create company' }).click()
  const dialog = page.getByRole('dialog')
  const name = dialog.getByLabel('Name')
  const create = dialog.getByRole('button', { name: 'Create company' })
  await create.click()
  await expect(dialog.getByRole('group', { name: 'The company was not created.' })).toBeFocused()
  await expect(name).toHaveAccessibleDescription('Enter a name.')
  await name.fill('Neptune')
  await expect(name).toHaveAccessibleDescription('')
  await expect(dialog.getByRole('group')).toHaveCount(0)

  const released = Promise.withResolvers<void>()
  await page.route('**/v1/admin/company', async (route) => {
    await released.promise
    await route.continue()
  })
  await create.click()
  await name.fill('Neptune 2')
  released.resolve()
  await expect(name).toHaveAccessibleDescription(/already exists/)
  await name.fill('Neptune 3')
  await create.click()
  await expect(dialog).toBeHidden()
})

async function expectInDialog(page: Page, opener: string, fields: string[]) {
  await page.getByRole('button', { name: opener }).first().click()
  await expectRequired(page.getByRole('dialog'), fields)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toBeHidden()
}

/** Expects exactly these required fields, in a form without browser validation messages: each field shows its own error. */
async function expectRequired(scope: Locator, fields: string[]) {
  const form = scope.locator('form').last()
  await expect(form).toHaveAttribute('novalidate', '')
  await expect(form.locator(':required').first()).toBeVisible()
  const labels = await form
    .locator(':required')
    .evaluateAll((all) => all.map((field) => (field as HTMLInputElement).labels?.[0]?.textContent ?? field.ariaLabel))
  expect(labels).toEqual(fields)
}
