import type { Locator } from '@playwright/test'
import { addCompanyWithUser, addDirectory, asAdmin, expect, kim, openAsAdmin, test } from '../fixtures.ts'
import { addLink, dayMs } from '../links/link-steps.ts'

/** Returns the accessible names of all controls with this role. */
async function readNames(scope: Locator, role: 'checkbox' | 'link' | 'button') {
  const snapshot = await scope.ariaSnapshot()
  return [...snapshot.matchAll(new RegExp(`- ${role} "((?:[^"\\\\]|\\\\.)+)"`, 'g'))].map(([, name = '']) => name)
}

/** Expects all names to differ. Ignores the links to `companies`, which may repeat because they open the same page. */
async function expectDistinct(scope: Locator, role: 'checkbox' | 'link' | 'button', count: number, companies: string[] = []) {
  const names = (await readNames(scope, role)).filter((name) => !companies.includes(name))
  expect(names, role).toHaveLength(count)
  expect(new Set(names).size, names.join('\n')).toBe(count)
}

test('gives links to one directory controls that look the same but have distinct names', { tag: '@slow' }, async ({
  page,
  baseURL,
}) => {
  const plans = await addDirectory(baseURL, 'Plans')
  const keys = [await addLink(baseURL, plans), await addLink(baseURL, plans), await addLink(baseURL, plans)].map(({ key }) => key)
  await addLink(baseURL, await addDirectory(baseURL, 'Offers'))
  await openAsAdmin(page, '/links')
  const rows = page.getByRole('table', { name: 'Links' }).locator('tbody')
  await expect(rows.locator('tr')).toHaveCount(4)
  for (const role of ['checkbox', 'link', 'button'] as const) await expectDistinct(rows, role, 4, ['Neptune'])
  await expect(rows.getByRole('link', { name: 'View Link' })).toHaveText(Array(4).fill('View Link'))
  await expect(rows.getByRole('checkbox', { name: 'Select Offers', exact: true })).toBeVisible()
  for (const key of keys) {
    await expect(rows.getByRole('checkbox', { name: `Select Plans, ${key}` })).toBeVisible()
    await expect(rows.getByRole('link', { name: `View Link to Plans, ${key}` })).toHaveAttribute('href', `/access/${key}`)
  }
})

test('gives links about to expire buttons with distinct names', { tag: '@slow' }, async ({ page, baseURL }) => {
  const plans = await addDirectory(baseURL, 'Plans')
  for (const days of [2, 3]) await addLink(baseURL, plans, { lifetimeMs: days * dayMs })
  await openAsAdmin(page, '/dashboard')
  const list = page.getByRole('region', { name: 'Needs your attention' }).getByRole('list')
  await expect(list.getByRole('listitem')).toHaveCount(2)
  for (const role of ['link', 'button'] as const) await expectDistinct(list, role, 2)
})

test('gives files, directories and people with the same name controls with distinct names', { tag: '@slow' }, async ({
  page,
  baseURL,
}) => {
  const { company } = await addCompanyWithUser(baseURL, 'Globex', kim)
  await asAdmin(baseURL)('POST', '/v1/admin/user', { ...kim, email: 'doe@globex.example', company, role: 'NEPTUNE_USER' })
  await addDirectory(baseURL, 'Plans', { 'a.txt': 'x' })
  await addDirectory(baseURL, 'Offers', { 'a.txt': 'x' })
  await addDirectory(baseURL, 'Plans', {}, company)
  await openAsAdmin(page, '/files')
  const files = page.getByRole('table', { name: 'Files' }).locator('tbody')
  await expect(files.locator('tr')).toHaveCount(2)
  await expectDistinct(files, 'checkbox', 2)
  await expectDistinct(files, 'button', 4) // a name and a menu button each
  await page.goto('/clients')
  const people = page.getByRole('table', { name: 'Users' }).locator('tbody')
  await expect(people.locator('tr')).toHaveCount(3)
  await expectDistinct(people, 'button', 3)
  await page.goto('/directories')
  const tiles = page.getByRole('list', { name: 'Directories' })
  await expect(tiles.getByRole('listitem')).toHaveCount(3)
  await expectDistinct(tiles, 'button', 3)
  await expectDistinct(tiles, 'link', 3, ['Globex', 'Neptune'])
})
