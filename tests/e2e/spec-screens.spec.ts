import type { Locator, Page } from '@playwright/test'
import { codeField, enterButton, share } from './access-steps.ts'
import { addDirectory, addUser, expect, kim, openAsAdmin, signIn, signInElsewhere, test } from './fixtures.ts'
import { uploadDialog } from './upload-steps.ts'

// What docs/spec.md says of the screens and no other story shows.

test('the sign-in screen has an e-mail address, a password, Remember me, Forgot your password? and Sign in', async ({ page }) => {
  await page.goto('/login')
  await expect(page.getByLabel('E-mail address')).toHaveAttribute('type', 'email')
  await expect(page.getByLabel('Password', { exact: true })).toHaveAttribute('type', 'password')
  await expect(page.getByRole('checkbox', { name: 'Remember me' })).not.toBeChecked()
  await expect(page.getByRole('link', { name: 'Forgot your password?' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible()
})

test('the access code is one required, masked field with the key above it', async ({ page, baseURL }) => {
  const { key } = await share(baseURL, 'LINK_EDITABLE_DIRECTORY')
  await page.goto(`/access/${key}`)
  await expect(enterButton(page)).toHaveText('Access Directory')
  await expect(page.getByText(`Key ${key}`)).toBeVisible()
  await expect(page.getByRole('main').locator('input')).toHaveCount(1)
  await expect(codeField(page)).toHaveAttribute('required')
  await expect(codeField(page)).toHaveAttribute('type', 'password')
})

test('directories stand four in a row on a large screen and files eight, each with a picture, its name and its size', async ({
  page,
  baseURL,
}) => {
  const files = Object.fromEntries(Array.from({ length: 9 }, (_, i) => [`${i}.txt`, 'x'.repeat(10 + i)]))
  const { id } = await addDirectory(baseURL, 'Directory 0', files)
  for (let i = 1; i < 5; i++) await addDirectory(baseURL, `Directory ${i}`)
  await openAsAdmin(page, '/directories')
  const tiles = page.getByRole('list', { name: /^(Directories|Files)$/ }).getByRole('listitem')
  await expect(tiles).toHaveCount(5)
  expect(await rows(tiles)).toEqual([4, 1])
  await expect(tiles.first()).toContainText(/Directory 0.*9 files · 126 B/)
  await expect(tiles.first().locator('svg').first()).toBeVisible()
  const header = page.getByRole('heading', { level: 1, name: 'Directories' }).locator('../..')
  await expect(header.getByRole('button', { name: 'Create Directory' })).toBeVisible()
  await page.goto(`/directories/${id}`)
  await expect(tiles).toHaveCount(9)
  expect(await rows(tiles)).toEqual([8, 1])
  await expect(tiles.first()).toContainText(/0\.txt.*10 B/)
})

test('every dialog has its title, its fields and its buttons to the letter, and there is no way past it', async ({
  page,
  baseURL,
}) => {
  await addUser(baseURL, 'Globex', kim)
  await share(baseURL)
  await openAsAdmin(page, '/dashboard')
  await holds(page, 'Upload file', 'Upload File', ['Company', 'Directory', 'Files', 'Folder'], 'Upload')
  await page.goto('/directories')
  await holds(page, 'Create Directory', 'Create Directory', ['Name', 'Company'], 'Create Directory')
  await page.goto('/links')
  for (const name of ['Reset access code', 'Send link details', 'Delete link'])
    await expect(page.getByRole('button', { name })).toHaveCount(0) // nothing is selected yet
  const fields = ['Company', 'Directory', 'Link type', 'Expiry', 'Notify me about the first download', 'Key', 'Access code']
  await holds(page, 'Create link', 'Create Shareable Link', fields, 'Create Link')
  await page.getByRole('button', { name: 'Create link' }).click()
  await expect(page.getByRole('dialog').getByLabel('Expiry')).toHaveAttribute('type', 'date')
  await page.keyboard.press('Escape')
  await page.getByLabel('Select Plans').check()
  await holds(page, 'Reset access code', 'Reset Shareable Link', ['Access code'], 'Reset Link')
  await holds(page, 'Delete link', 'Delete Shareable Link', [], 'Delete Link')
  const details = ['Access URL', 'Target e-mail', 'Include the access code']
  await holds(page, 'Send link details', 'Send Link Details', details, 'Send Details')
  await page.goto('/clients')
  await holds(page, 'Add user', 'Create User', ['Name', 'E-mail address', 'Company', 'Role', 'Password'], 'Create User')
  await holds(page, 'Edit Kim Doe', 'Update User', ['Role'], 'Update Role')
})

test('who is no admin has the same navigation and the same menu', async ({ page, browser, baseURL }) => {
  await addUser(baseURL, 'Globex', kim)
  await openAsAdmin(page, '/dashboard')
  const other = await signInElsewhere(browser, baseURL, kim)
  const menus: string[][] = []
  for (const each of [page, other]) {
    await each.getByRole('button', { name: /^Account of/ }).click()
    await expect(each.getByRole('menuitem', { name: 'Sign out' })).toBeVisible()
    const items = each.getByRole('navigation', { name: 'Main' }).getByRole('link').or(each.getByRole('menuitem'))
    menus.push((await items.allInnerTexts()).map((text) => text.split('\n')[0] ?? '')) // some say below why they are held
  }
  expect(menus[0]).toEqual(expect.arrayContaining(['Dashboard', 'Directories', 'Links', 'Users', 'Account', 'Mail', 'Sign out']))
  expect(menus[1]).toEqual(menus[0])
})

test('a tab keeps the token with its type and its end, and who it is; past that end the guard signs it out', async ({ page }) => {
  await page.goto('/links')
  await signIn(page)
  await expect(page).toHaveURL(/\/links$/)
  const read = (key: string) => page.evaluate((name) => JSON.parse(sessionStorage.getItem(name) ?? '{}'), key)
  const token = await read('neptune.token')
  expect(token).toEqual({ token: expect.stringMatching(/^nps_/), type: 'Bearer', expiresAt: expect.any(String) })
  const info = { name: 'Administrator', email: 'admin@acme.example', role: 'NEPTUNE_ADMIN', company_name: 'Neptune' }
  expect(await read('neptune.info')).toEqual({ ...info, id: expect.any(String), company: expect.any(String) })
  await page.evaluate((past) => sessionStorage.setItem('neptune.token', past), JSON.stringify({ ...token, expiresAt: past }))
  await page.reload()
  await expect(page).toHaveURL(/\/login$/)
  await expect(page.getByText('Your session has ended. Sign in to continue.')).toBeVisible()
})

test('a list is not asked for before it can be, then loads, and shows what came or why it did not', async ({ page, baseURL }) => {
  const { company } = await addUser(baseURL, 'Globex', kim)
  await addDirectory(baseURL, 'Plans', {}, company)
  await openAsAdmin(page, '/dashboard')
  const asked: string[] = []
  let answer = () => {}
  const held = new Promise<void>((resolve) => {
    answer = resolve
  })
  const refusal = { type: 'about:blank', title: '', status: 403, code: 'session.forbidden', detail: 'Not yours.' }
  await page.route('**/v1/directory?*', async (route) => {
    asked.push(route.request().url())
    await held
    if (asked.length === 1) await route.continue()
    else await route.fulfill({ status: 403, json: refusal, contentType: 'application/problem+json' })
  })
  await page.getByRole('button', { name: 'Upload file' }).click()
  const [companies, directories] = [uploadDialog(page).getByLabel('Company'), uploadDialog(page).getByLabel('Directory')]
  await expect(companies.getByRole('option')).toHaveText(['Choose a company', 'Globex', 'Neptune'])
  await expect(directories.getByRole('option')).toHaveText(['Choose a company first'])
  expect(asked).toEqual([])
  await companies.selectOption('Globex')
  await expect(directories.getByRole('option')).toHaveText(['Loading directories'])
  answer()
  await expect(directories.getByRole('option')).toHaveText(['Choose a directory', 'Plans'])
  await companies.selectOption('Neptune')
  await expect(directories).toHaveAccessibleDescription('Not yours.')
})

const past = '2000-01-01T00:00:00.000Z'

/** How many stand in each row. */
async function rows(tiles: Locator): Promise<number[]> {
  const tops = await tiles.evaluateAll((all) => all.map((tile) => Math.round(tile.getBoundingClientRect().top)))
  return [...new Set(tops)].map((top) => tops.filter((each) => each === top).length)
}

/** The dialog behind a button: what it is called, asks for and offers. */
async function holds(page: Page, opener: string, title: string, fields: string[], confirm: string) {
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
