import type { Locator, Page } from '@playwright/test'
import { addCompanyWithUser, addDirectory, asAdmin, expect, kim, openAsAdmin, test } from '../fixtures.ts'
import { addLink } from '../links/link-steps.ts'

type Row = Record<string, unknown>

/** Returns two copies of the row for each of its fields: one in which the field is null, and one without the field. */
function withMissingValues(row: Row): Row[] {
  const names = Object.keys(row).filter((name) => name !== 'id')
  return names.flatMap((name, index) => {
    const { [name]: _, ...rest } = row
    return [{ ...rest, [name]: null }, rest].map((each, variant) => ({
      ...each,
      ...makeIdentity(row, name, 2 * index + variant, variant),
    }))
  })
}

/** Returns the id of a copy. It contains the name of the missing field, so that tests can find the row. */
function makeIdentity(row: Row, name: string, number: number, variant: number): Row {
  const id = `${name}-${variant}`
  return {
    ...('id' in row && { id: typeof row['id'] === 'number' ? number : id }),
    ...('key' in row && name !== 'key' && { key: id }),
  }
}

/** Responds to list requests with copies of the first row that each lack a value. Returns a function that returns the number of copies. */
async function respondWithMissingValues(page: Page, calls: string) {
  let count = 0
  await page.route(calls, async (route) => {
    if (route.request().method() !== 'GET') return route.continue()
    const response = await route.fetch()
    const reply = await response.json()
    if (!reply.data[0]) return route.fulfill({ response })
    const rows = withMissingValues(reply.data[0])
    count = rows.length
    await route.fulfill({ response, json: { ...reply, data: rows } })
  })
  return () => count
}

/** Matches text that appears when a missing value is printed unformatted. */
const unformattedValue = /\b(undefined|null|NaN|Invalid)\b|\[object/

/** Expects the list to have this number of rows, all of them without unformatted values. */
async function expectReadable(list: Locator, count: () => number) {
  await expect(list.first()).toBeVisible()
  await expect.poll(async () => (await list.count()) === count()).toBe(true)
  for (const text of await list.allInnerTexts()) expect(text).not.toMatch(unformattedValue)
}

const tableRows = (page: Page, table: string) => page.getByRole('table', { name: table }).locator('tbody tr')

test('the Files table shows Unknown for every missing value, and Neptune for a missing client', { tag: '@slow' }, async ({
  page,
  baseURL,
}) => {
  await addDirectory(baseURL, 'Plans', { 'a.txt': 'x' })
  const count = await respondWithMissingValues(page, '**/v1/file?*')
  await openAsAdmin(page, '/dashboard')
  const rows = tableRows(page, 'Files')
  await page.getByRole('button', { name: 'Show more' }).click()
  await expectReadable(rows, count)
  const completeCells = ['a.txt', 'Text file', 'Neptune', 'Plans', '1 B']
  for (const [index, name] of ['file_name', 'content_type', 'client', 'directory', 'size'].entries()) {
    const cells = completeCells.with(index, name === 'client' ? 'Neptune' : 'Unknown')
    for (const variant of [0, 1])
      await expect(page.locator(`[data-row="${name}-${variant}"]`).getByRole('cell')).toHaveText(cells)
  }
  await page.goto('/files')
  await expectReadable(rows, count)
})

test('the Files table shows a row with only an id', { tag: '@slow' }, async ({ page }) => {
  await page.route('**/v1/file?*', (route) => route.fulfill({ json: { data: [{ id: 'f' }] } }))
  await openAsAdmin(page, '/dashboard')
  await expect(tableRows(page, 'Files').getByRole('cell')).toHaveText(['Unknown', 'Unknown', 'Neptune', 'Unknown', 'Unknown'])
})

test('the Links table shows Unknown for missing values, and Neptune for a missing client', { tag: '@slow' }, async ({
  page,
  baseURL,
}) => {
  await addLink(baseURL, await addDirectory(baseURL, 'Plans'))
  const count = await respondWithMissingValues(page, '**/v1/link?*')
  await openAsAdmin(page, '/links')
  await expectReadable(tableRows(page, 'Links'), count)
  for (const [index, name] of ['name', 'type', 'client', 'date_created', 'expiry'].entries()) {
    const cell = page
      .locator(`[data-row="${name}-0"]`)
      .getByRole('cell')
      .nth(index + 2)
    await expect(cell).toContainText(name === 'client' ? 'Neptune' : 'Unknown')
  }
})

test('the Users table shows Unknown for missing values, and Neptune for a missing company', { tag: '@slow' }, async ({
  page,
  baseURL,
}) => {
  await addCompanyWithUser(baseURL, 'Globex', kim)
  const count = await respondWithMissingValues(page, '**/v1/admin/user?*')
  await openAsAdmin(page, '/clients')
  await expectReadable(tableRows(page, 'Users'), count)
  await expect(page.locator('[data-row="name-0"]').getByRole('cell').first()).toContainText('Unknown')
  await expect(page.locator('[data-row="email-0"]').getByRole('cell').first()).toContainText('Unknown')
  await expect(page.locator('[data-row="company_name-0"]').getByRole('cell').nth(1)).toContainText('Neptune')
  await expect(page.locator('[data-row="role-0"]').getByRole('cell').nth(3)).toHaveText('Unknown')
})

test('the grids of directories and files show tiles with missing values, and Unknown for a missing name', {
  tag: '@slow',
}, async ({ page, baseURL }) => {
  const { id } = await addDirectory(baseURL, 'Plans', { 'a.txt': 'x' })
  const directories = await respondWithMissingValues(page, '**/v1/directory?*')
  const files = await respondWithMissingValues(page, '**/v1/file?*')
  await openAsAdmin(page, '/directories')
  const tiles = page.getByRole('list', { name: /^(Directories|Files)$/ }).getByRole('listitem')
  await expectReadable(tiles, directories)
  await expect(page.locator('[data-row="directory-0"]')).toContainText('Unknown')
  await page.goto(`/directories/${id}`)
  await page.getByRole('button', { name: 'Tiles' }).click()
  await expectReadable(page.getByRole('list', { name: 'Files' }).getByRole('listitem'), files)
  await expect(page.locator('[data-row="file_name-0"]')).toContainText('Unknown')
})

test('the trash, companies, activity, email and account tables show rows with missing values', { tag: '@slow' }, async ({
  page,
  baseURL,
}) => {
  const call = asAdmin(baseURL)
  const { ids } = await addDirectory(baseURL, 'Plans', { 'a.txt': 'x' })
  await call('POST', '/v1/file/delete', { ids: Object.values(ids) })
  await call('POST', '/v1/admin/mail/test', { to: 'kim@globex.example' })
  await call('POST', '/v1/token', { name: 'Backup', scope: 'read' })
  await openAsAdmin(page, '/trash')
  for (const [path, calls, table] of [
    ['/trash', '**/v1/file?*', 'Deleted files'],
    ['/companies', '**/v1/company?*', 'Companies'],
    ['/activity', '**/v1/activity?*', 'Activity'],
    ['/mail', '**/v1/admin/mail?*', 'Emails'],
    ['/account', '**/v1/token', 'API tokens'],
    ['/account', '**/v1/identity/session', 'Sessions'],
  ] as const) {
    const count = await respondWithMissingValues(page, calls)
    await page.goto(path)
    await expectReadable(tableRows(page, table), count)
    await page.unroute(calls)
  }
})
