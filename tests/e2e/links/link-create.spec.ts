import type { Locator, Page } from '@playwright/test'
import { addCompanyWithUser, addDirectory, asAdmin, expect, kim, openAsAdmin, tableRow, test } from '../fixtures.ts'
import { disableTimers } from '../timers.ts'
import { addLink, dayMs, isCodeAccepted, linkNames, openLinks } from './link-steps.ts'

test.use({ permissions: ['clipboard-read', 'clipboard-write'] })

test('creates each type of link as specified, and shows its details for sharing', async ({ page, baseURL }) => {
  await disableTimers(page, 2000) // how long the page shows "copied"
  const { company } = await addCompanyWithUser(baseURL, 'Globex', kim)
  const { id, ids } = await addDirectory(baseURL, 'Plans', { 'first.txt': 'x', 'second.txt': 'y' }, company)
  await addDirectory(baseURL, 'Films', {}, company)
  await openLinks(page)
  await expect(page.getByText('No links yet. Create one to share a directory or a file.')).toBeVisible()
  await page.getByRole('button', { name: 'Create link' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Create Shareable Link' })
  const type = dialog.getByLabel('Link type')
  const key = dialog.getByLabel('Key', { exact: true })
  const code = dialog.getByLabel('Access code', { exact: true })
  const confirm = dialog.getByRole('button', { name: 'Create Link' })
  await expectRequiredFields(dialog)
  const initialiseRequest = page.waitForRequest('**/v1/link/initialise')
  await dialog.getByLabel('Directory').selectOption('Plans')
  expect((await initialiseRequest).postDataJSON()).toEqual({ type: 'INITIALISE', company, directory: id })
  await expect(code).toHaveValue(/^\w{4}-\w{4}-\w{4}$/)
  for (const field of [key, code]) await expect(field).toHaveAttribute('readonly')
  await confirm.click()
  await expect(type).toHaveAccessibleDescription('Choose a link type.')
  await type.selectOption('Directory')
  await expect(dialog.getByLabel('Files')).toHaveCount(0)
  await type.selectOption('File')
  await expect(dialog.getByLabel('Files').getByRole('option')).toHaveText(['Choose a file', 'first.txt', 'second.txt'])
  const lastDay = await dialog.getByLabel('Expiry').inputValue()
  const inThirtyDays = await page.evaluate((ms) => new Intl.DateTimeFormat('sv-SE').format(Date.now() + ms), 30 * dayMs)
  expect([0, 1]).toContain((Date.parse(inThirtyDays) - Date.parse(lastDay)) / dayMs) // midnight may pass in between
  await confirm.click()
  await expect(dialog.getByLabel('Files')).toHaveAccessibleDescription('Choose a file.')
  await dialog.getByLabel('Files').selectOption('second.txt')
  await dialog.getByLabel('Notify me about the first download').check()
  const displayed = { key: await key.inputValue(), accessCode: await code.inputValue() }
  const createRequest = waitForCreation(page)
  await confirm.click()
  const expiry = await page.evaluate((date) => new Date(`${date}T23:59:59.999`).toISOString(), lastDay)
  const expected = { linkType: 'LINK_FILE', file: ids['second.txt'], ...displayed, expiry, tellDownload: true }
  expect((await createRequest).postDataJSON()).toEqual(expected)
  await expect(dialog).toBeHidden()

  const headings = ['', 'Key', 'Name', 'Type', 'Client', 'Date Created', 'Expired', 'View Link']
  await expect(page.getByRole('columnheader')).toHaveText(headings)
  await expect(tableRow(page, 'second.txt')).toContainText(
    /second\.txt.*Not opened yet.*File.*Globex.*(just now|min ago).*23:59.*in 3[01] days/,
  )
  await expect(tableRow(page, 'second.txt').getByRole('link', { name: 'View Link' })).toHaveAttribute(
    'href',
    `/access/${displayed.key}`,
  )

  await expectReadyPanel(page, `${baseURL}/access/${displayed.key}`, displayed.accessCode)

  for (const [label, linkType] of [
    ['Directory', 'LINK_DIRECTORY'],
    ['Editable directory', 'LINK_EDITABLE_DIRECTORY'],
  ] as const) {
    await page.getByRole('button', { name: 'Create link' }).click()
    await dialog.getByLabel('Company').selectOption('Globex')
    await dialog.getByLabel('Directory').selectOption('Plans')
    await type.selectOption(label)
    const createRequest = waitForCreation(page)
    await confirm.click()
    expect((await createRequest).postDataJSON()).toMatchObject({ linkType, directory: id, tellDownload: false })
    await expect(linkNames(page).first()).toContainText('Plans')
    await expect(page.locator('tbody tr').first()).toContainText(label)
  }
  await expect(linkNames(page)).toHaveCount(3)
})

test('keeps expiry and extension within the limits of the settings, and says so', { tag: '@slow' }, async ({ page, baseURL }) => {
  const values = { default_days: 7, max_days: 14 }
  await asAdmin(baseURL)('PATCH', '/v1/admin/settings/links', { version: 0, values })
  await addDirectory(baseURL, 'Plans')
  await openLinks(page)
  const dayFromNow = (days: number) =>
    page.evaluate((ms) => new Intl.DateTimeFormat('sv-SE').format(Date.now() + ms), days * dayMs)
  await page.getByRole('button', { name: 'Create link' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Create Shareable Link' })
  const expiry = dialog.getByLabel('Expiry')
  await expect(expiry).toHaveAccessibleDescription(/It can stay open for at most 14 days, until /)
  await expect(expiry).toHaveValue(await dayFromNow(7))
  await dialog.getByLabel('Link type').selectOption('Directory')
  await expiry.fill(await dayFromNow(15))
  await dialog.getByRole('button', { name: 'Create Link' }).click()
  await expect(expiry).toHaveAccessibleDescription(/Choose .* or an earlier day\./)
  await expiry.fill(await dayFromNow(3))
  await dialog.getByRole('button', { name: 'Create Link' }).click()
  await expect(tableRow(page, 'Plans')).toContainText('in 3 days')

  await page.locator('[data-opener]').first().click()
  const activity = page.getByRole('dialog', { name: 'Plans' })
  await activity.getByRole('button', { name: /^Extend until \d/ }).click()
  await expect(activity.getByRole('listitem').filter({ hasText: 'Extended' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(tableRow(page, 'Plans')).toContainText('in 14 days')
})

test('preselects the only file of a directory', { tag: '@slow' }, async ({ page, baseURL }) => {
  const { ids } = await addDirectory(baseURL, 'Plans', { 'first.txt': 'x' })
  await addDirectory(baseURL, 'Films', { 'one.mp4': 'x', 'two.mp4': 'y' })
  await openLinks(page)
  await page.getByRole('button', { name: 'Create link' }).first().click()
  const dialog = page.getByRole('dialog')
  const chosen = dialog.getByLabel('Files').locator('option:checked')
  await dialog.getByLabel('Directory').selectOption('Plans')
  await dialog.getByLabel('Link type').selectOption('File')
  await expect(chosen).toHaveText('first.txt')
  await dialog.getByLabel('Directory').selectOption('Films')
  await expect(chosen).toHaveText('Choose a file')
  await dialog.getByLabel('Directory').selectOption('Plans')
  await expect(chosen).toHaveText('first.txt')
  await expect(dialog.getByLabel('Access code', { exact: true })).not.toHaveValue('')
  const createRequest = waitForCreation(page)
  await dialog.getByRole('button', { name: 'Create Link' }).click()
  expect((await createRequest).postDataJSON()).toMatchObject({ linkType: 'LINK_FILE', file: ids['first.txt'] })
  await expect(linkNames(page)).toHaveText([/^first\.txt/])
})

test('replaces an expired key and code, and says so in the dialog', { tag: '@slow' }, async ({ page, baseURL }) => {
  const { id, company } = await addDirectory(baseURL, 'Plans', { 'first.txt': 'x' })
  const existingLink = await addLink(baseURL, { id, company })
  await openLinks(page)
  await page.getByRole('button', { name: 'Create link' }).click()
  const dialog = page.getByRole('dialog')
  const code = dialog.getByLabel('Access code', { exact: true })
  await dialog.getByLabel('Directory').selectOption('Plans') // the only company is preselected
  await dialog.getByLabel('Link type').selectOption('Directory')
  await expect(code).not.toHaveValue('')
  const firstCode = await code.inputValue()
  await page.clock.setSystemTime(Date.now() + 61 * 60_000)
  await dialog.getByRole('button', { name: 'Create Link' }).click()
  await expect(dialog.getByRole('group', { name: /can no longer be used\. Check the new ones/ })).toBeFocused()
  await expect(code).not.toHaveValue(firstCode)
  await dialog.getByRole('button', { name: 'Create Link' }).click()
  await expect(linkNames(page)).toHaveCount(2)

  await page.getByRole('checkbox', { name: 'Select Plans' }).last().check()
  await page.getByRole('button', { name: 'Reset access code' }).click()
  await expect(code).not.toHaveValue('')
  const codeBefore = await code.inputValue()
  const detail = 'More than an hour ago.'
  const problem = { type: 'about:blank', title: '', status: 409, code: 'link.not_reserved', detail }
  const response = { status: 409, json: problem, contentType: 'application/problem+json' }
  await page.route('**/v1/link/reset', (route) => route.fulfill(response), { times: 1 })
  await dialog.getByRole('button', { name: 'Reset Link' }).click()
  await expect(dialog.getByRole('group', { name: /Here’s a new one. Press Reset Link to use it/ })).toBeFocused()
  await expect(code).not.toHaveValue(codeBefore)
  await dialog.getByRole('button', { name: 'Reset Link' }).click()
  await expect(page.getByRole('region', { name: 'Link ready' })).toContainText('The old code no longer works.')
  expect(await isCodeAccepted(baseURL, existingLink.key, existingLink.accessCode)).toBe(false)
})

test('shares a file, and opens the dialogs of a link and a directory, with the keyboard', { tag: '@slow' }, async ({
  page,
  baseURL,
}) => {
  const { id } = await addDirectory(baseURL, 'Plans', { 'first.txt': 'x', 'second.txt': 'y' })
  await openAsAdmin(page, `/directories/${id}`)
  await page.getByRole('button', { name: 'Actions for second.txt' }).press('Enter')
  await page.getByRole('menuitem', { name: 'Share' }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Share “second.txt”' })
  await expect(dialog.getByLabel('Expiry')).toBeVisible()
  await page.keyboard.press('Tab') // for half a second, the same key again would be ignored as a repeat
  await dialog.getByRole('button', { name: 'Create link' }).press('Enter')
  const ready = page.getByRole('dialog', { name: 'Link ready' })
  await expect(ready).toContainText('second.txt')
  await expect(ready.getByRole('button', { name: 'Close' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: 'Actions for second.txt' })).toBeFocused()

  await openLinks(page)
  await expect(linkNames(page)).toHaveText([/^second\.txt/])
  await page.getByRole('checkbox', { name: 'Select second.txt' }).press('Space')
  await page.getByRole('button', { name: 'Reset access code' }).press('Enter')
  await expect(page.getByRole('dialog', { name: 'Reset Shareable Link' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: 'Reset access code' })).toBeFocused()
  await page.getByRole('button', { name: 'second.txt Not opened yet' }).press('Enter')
  await expect(page.getByRole('dialog', { name: 'second.txt' })).toContainText('Nothing has happened with this link yet.')
  await page.keyboard.press('Escape')

  await page.goto('/directories')
  await page.getByRole('button', { name: 'Actions for Plans' }).press('Enter')
  await page.getByRole('menuitem', { name: 'Share' }).press('Enter')
  await expect(page.getByRole('dialog', { name: 'Share “Plans”' }).getByRole('radio').first()).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(page).toHaveURL(/\/directories$/)
})

test('updates the panel of a new link when its file is deleted in the meantime', { tag: '@slow' }, async ({ page, baseURL }) => {
  const { ids } = await addDirectory(baseURL, 'Plans', { 'first.txt': 'x' })
  await openLinks(page)
  await page.getByRole('button', { name: 'Create link' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Create Shareable Link' })
  await dialog.getByLabel('Link type').selectOption('File')
  await expect(dialog.getByLabel('Files').locator('option:checked')).toHaveText('first.txt')
  await dialog.getByRole('button', { name: 'Create Link' }).click()
  await expect(page.getByRole('region', { name: 'Link ready' })).toContainText('first.txt')
  await page.getByRole('link', { name: 'Users' }).click()
  await asAdmin(baseURL)('DELETE', `/v1/file/${ids['first.txt']}`)
  await page.getByRole('link', { name: 'Links', exact: true }).click()
  await expect(page.getByRole('region', { name: 'File deleted' })).toContainText('The link doesn’t work while its file')
  await expect(page.getByRole('region', { name: 'Link ready' })).toBeHidden()
})

/** Expects the dialog to require a company and a directory. Leaves the company Globex selected. */
async function expectRequiredFields(dialog: Locator) {
  const type = dialog.getByLabel('Link type')
  const confirm = dialog.getByRole('button', { name: 'Create Link' })
  await expect(type).toBeDisabled()
  await confirm.click()
  await expect(dialog.getByRole('group', { name: 'The link was not created.' })).toBeFocused()
  await expect(dialog.getByLabel('Company')).toHaveAccessibleDescription('Choose a company.')
  await dialog.getByLabel('Company').selectOption('Globex')
  await confirm.click()
  await expect(dialog.getByLabel('Directory')).toHaveAccessibleDescription('Choose a directory.')
  await expect(type).toBeDisabled()
  await expect(dialog.getByLabel('Key', { exact: true })).toHaveValue('')
}

const waitForCreation = (page: Page) =>
  page.waitForRequest((request) => request.method() === 'POST' && request.url().endsWith('/v1/link'))

/** Expects the panel with the link's details. It stays open until it is dismissed. */
async function expectReadyPanel(page: Page, url: string, code: string) {
  const ready = page.getByRole('region', { name: 'Link ready' })
  await expect(ready).toBeFocused()
  await expect(ready).toContainText('second.txt')
  const readClipboard = () => page.evaluate(() => navigator.clipboard.readText())
  await ready.getByRole('button', { name: 'Copy link' }).click()
  await expect.poll(readClipboard).toBe(url)
  await ready.getByRole('button', { name: 'Copy access code' }).click()
  await expect.poll(readClipboard).toBe(code)
  await ready.getByRole('button', { name: 'Copy details' }).click()
  await expect(ready.getByText('Copied').last()).toBeAttached()
  for (const part of ['second.txt', url, code, '23:59']) expect(await readClipboard()).toContain(part)
  await expect(ready.getByRole('img', { name: 'QR code of the link to second.txt' })).toBeVisible()
  await page.getByRole('link', { name: 'Users' }).click()
  await page.getByRole('link', { name: 'Links', exact: true }).click()
  await expect(ready).toBeVisible() // after navigating away and back
  await ready.getByRole('button', { name: 'Dismiss' }).click()
  await expect(ready).toBeHidden()
}

test('offers to create a directory for a company that has none, and continues with it', { tag: '@slow' }, async ({
  page,
  baseURL,
}) => {
  await asAdmin(baseURL)('POST', '/v1/admin/company', { name: 'Hooli' })
  await openLinks(page)
  await page.getByRole('button', { name: 'Create link' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Create Shareable Link' })
  await dialog.getByLabel('Company').selectOption('Hooli')
  await dialog.getByRole('button', { name: 'Create Directory' }).click()
  await page.getByRole('dialog', { name: 'Create Directory' }).getByLabel('Name').fill('Contracts')
  await page.getByRole('dialog', { name: 'Create Directory' }).getByRole('button', { name: 'Create Directory' }).click()
  await expect(dialog.getByLabel('Directory').locator('option:checked')).toHaveText('Contracts')
  await expect(dialog.getByLabel('Company').locator('option:checked')).toHaveText('Hooli')
})
