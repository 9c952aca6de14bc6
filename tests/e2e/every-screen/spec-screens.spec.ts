import type { Locator, Page } from '@playwright/test'
import { accessButton, addSharedLink, codeField } from '../access/access-steps.ts'
import { addCompanyWithUser, addDirectory, expect, kim, openAsAdmin, signIn, signInInNewContext, test } from '../fixtures.ts'
import { uploadDialog } from '../uploads/upload-steps.ts'

// Covers sentences of the specification (see docs/spec.md) about the screens that no other test covers.

test('shows email address, password, Remember me, Forgot your password? and Sign in on the sign-in screen', async ({ page }) => {
  await page.goto('/login')
  await expect(page.getByLabel('E-mail address')).toHaveAttribute('type', 'email')
  await expect(page.getByLabel('Password', { exact: true })).toHaveAttribute('type', 'password')
  await expect(page.getByRole('checkbox', { name: 'Remember me' })).not.toBeChecked()
  await expect(page.getByRole('link', { name: 'Forgot your password?' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible()
})

test('shows the key, and one required, masked field for the access code', async ({ page, baseURL }) => {
  const { key } = await addSharedLink(baseURL, 'LINK_EDITABLE_DIRECTORY')
  await page.goto(`/access/${key}`)
  await expect(accessButton(page)).toHaveText('Access Directory')
  await expect(page.getByText(`Key ${key}`)).toBeVisible()
  await expect(page.getByRole('main').locator('input')).toHaveCount(1)
  await expect(codeField(page)).toHaveAttribute('required')
  await expect(codeField(page)).toHaveAttribute('type', 'password')
})

test('shows four directories or eight files per row on a large screen, each with picture, name and size', async ({
  page,
  baseURL,
}) => {
  const files = Object.fromEntries(Array.from({ length: 9 }, (_, i) => [`${i}.txt`, 'x'.repeat(10 + i)]))
  const { id } = await addDirectory(baseURL, 'Directory 0', files)
  for (let i = 1; i < 5; i++) await addDirectory(baseURL, `Directory ${i}`)
  await openAsAdmin(page, '/directories')
  const tiles = page.getByRole('list', { name: /^(Directories|Files)$/ }).getByRole('listitem')
  await expect(tiles).toHaveCount(5)
  expect(await countPerRow(tiles)).toEqual([4, 1])
  await expect(tiles.first()).toContainText(/Directory 0.*9 files · 126 B/)
  await expect(tiles.first().locator('svg').first()).toBeVisible()
  const header = page.getByRole('heading', { level: 1, name: 'Directories' }).locator('../..')
  await expect(header.getByRole('button', { name: 'Create Directory' })).toBeVisible()
  await page.goto(`/directories/${id}`)
  await page.getByRole('button', { name: 'Tiles' }).click()
  await expect(tiles).toHaveCount(9)
  expect(await countPerRow(tiles)).toEqual([8, 1])
  await expect(tiles.first()).toContainText(/0\.txt.*10 B/)
})

test('shows every specified dialog as a modal one, with its title, fields and buttons', async ({ page, baseURL }) => {
  await addCompanyWithUser(baseURL, 'Globex', kim)
  await addSharedLink(baseURL)
  await openAsAdmin(page, '/dashboard')
  await expectDialog(page, 'Upload file', 'Upload File', ['Company', 'Directory', 'Files', 'Folder'], 'Upload')
  await page.goto('/directories')
  await expectDialog(page, 'Create Directory', 'Create Directory', ['Name', 'Company'], 'Create Directory')
  await page.goto('/links')
  for (const name of ['Reset access code', 'Send link details', 'Delete link'])
    await expect(page.getByRole('button', { name })).toHaveCount(0) // no row is selected yet
  const fields = ['Company', 'Directory', 'Link type', 'Expiry', 'Notify me about the first download', 'Key', 'Access code']
  await expectDialog(page, 'Create link', 'Create Shareable Link', fields, 'Create Link')
  await page.getByRole('button', { name: 'Create link' }).click()
  await expect(page.getByRole('dialog').getByLabel('Expiry')).toHaveAttribute('type', 'date')
  await page.keyboard.press('Escape')
  await page.getByLabel('Select Plans').check()
  await expectDialog(page, 'Reset access code', 'Reset Shareable Link', ['Access code'], 'Reset Link')
  await expectDialog(page, 'Delete link', 'Delete Shareable Link', [], 'Delete Link')
  const details = ['Access URL', 'Target e-mail', 'Include the access code']
  await expectDialog(page, 'Send link details', 'Send Link Details', details, 'Send Details')
  await page.goto('/clients')
  await expectDialog(page, 'Add user', 'Create User', ['Name', 'E-mail address', 'Company', 'Role', 'Password'], 'Create User')
  await expectDialog(page, 'Edit Kim Doe', 'Update User', ['Role'], 'Update Role')
})

test('shows users and admins the same navigation and menu, except for the pages that only admins have', { tag: '@slow' }, async ({
  page,
  browser,
  baseURL,
}) => {
  await addCompanyWithUser(baseURL, 'Globex', kim)
  await openAsAdmin(page, '/dashboard')
  const kimsPage = await signInInNewContext(browser, baseURL, kim)
  const menus: string[][] = []
  for (const each of [page, kimsPage]) {
    await each.getByRole('button', { name: /^Account of/ }).click()
    await expect(each.getByRole('menuitem', { name: 'Sign out' })).toBeVisible()
    const items = each.getByRole('navigation', { name: 'Main' }).getByRole('link').or(each.getByRole('menuitem'))
    menus.push((await items.allInnerTexts()).map((text) => text.split('\n')[0] ?? '')) // disabled items have the reason on a second line
  }
  const adminPages = ['Set up your portal', 'Email', 'Settings']
  expect(menus[0]).toEqual(expect.arrayContaining(['Dashboard', 'Directories', 'Links', 'Users', 'Account', 'Email', 'Sign out']))
  expect(menus[1]).toEqual(menus[0]?.filter((label) => !adminPages.includes(label)))
})

test('stores the token with type and expiry, and the user, and signs out after the expiry', async ({ page }) => {
  await page.goto('/links')
  await signIn(page)
  await expect(page).toHaveURL(/\/links$/)
  const read = (key: string) => page.evaluate((name) => JSON.parse(sessionStorage.getItem(name) ?? '{}'), key)
  const token = await read('neptune.token')
  expect(token).toEqual({ token: expect.stringMatching(/^nps_/), type: 'Bearer', expiresAt: expect.any(String) })
  const info = { name: 'Administrator', email: 'admin@acme.example', role: 'NEPTUNE_ADMIN', company_name: 'Neptune' }
  expect(await read('neptune.info')).toEqual({
    ...info,
    access: 'own',
    language: null,
    id: expect.any(String),
    company: expect.any(String),
  })
  await page.evaluate((past) => sessionStorage.setItem('neptune.token', past), JSON.stringify({ ...token, expiresAt: past }))
  await page.reload()
  await expect(page).toHaveURL(/\/login$/)
  await expect(page.getByText('Your session has ended. Sign in to continue.')).toBeVisible()
})

test('shows a list as not requested, loading, loaded or failed', async ({ page, baseURL }) => {
  const { company } = await addCompanyWithUser(baseURL, 'Globex', kim)
  await addDirectory(baseURL, 'Plans', {}, company)
  await openAsAdmin(page, '/dashboard')
  const requests: string[] = []
  let respond = () => {}
  const released = new Promise<void>((resolve) => {
    respond = resolve
  })
  const problem = { type: 'about:blank', title: '', status: 403, code: 'session.forbidden', detail: 'Not yours.' }
  await page.route('**/v1/directory?*', async (route) => {
    requests.push(route.request().url())
    await released
    if (requests.length === 1) await route.continue()
    else await route.fulfill({ status: 403, json: problem, contentType: 'application/problem+json' })
  })
  await page.getByRole('button', { name: 'Upload file' }).click()
  const [companies, directories] = [uploadDialog(page).getByLabel('Company'), uploadDialog(page).getByLabel('Directory')]
  await expect(companies.getByRole('option')).toHaveText(['Choose a company', 'Globex', 'Neptune', 'New company…'])
  await expect(directories.getByRole('option')).toHaveText(['Choose a company first'])
  expect(requests).toEqual([])
  await companies.selectOption('Globex')
  await expect(directories.getByRole('option')).toHaveText(['Loading directories'])
  respond()
  await expect(directories.getByRole('option')).toHaveText(['Choose a directory', 'Plans'])
  await companies.selectOption('Neptune')
  await expect(directories).toHaveAccessibleDescription('Not yours.')
})

const past = '2000-01-01T00:00:00.000Z'

/** Returns the number of tiles in each row. */
async function countPerRow(tiles: Locator): Promise<number[]> {
  const tops = await tiles.evaluateAll((all) => all.map((tile) => Math.round(tile.getBoundingClientRect().top)))
  return [...new Set(tops)].map((top) => tops.filter((each) => each === top).length)
}

/** Opens the dialog and expects this title, these fields and this confirm button. */
async function expectDialog(page: Page, opener: string, title: string, fields: string[], confirm: string) {
  await page.getByRole('button', { name: opener }).first().click()
  const dialog = page.getByRole('dialog', { name: title, exact: true })
  await expect(dialog).toBeVisible()
  expect(await dialog.evaluate((element) => element.matches(':modal'))).toBe(true)
  const labels = await dialog
    .locator('input, select')
    .evaluateAll((all) => all.map((field) => (field as HTMLInputElement).labels?.[0]?.textContent ?? field.ariaLabel))
  expect(labels, title).toEqual(fields)
  await expect(dialog.getByRole('button').last()).toHaveText(confirm)
  await expect(dialog.getByRole('button', { name: 'Cancel', exact: true })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
}
