import { expect, tableRow, test } from '../fixtures.ts'
import { addKimAndLee, openUsers, userNames } from './user-steps.ts'

test('keeps search, company and sort order in the URL across reload and Back', { tag: '@slow' }, async ({ page, baseURL }) => {
  await addKimAndLee(baseURL)
  await openUsers(page)
  await expect(userNames(page)).toHaveText([/^Admin/, /^Kim/, /^Lee/])
  await page.getByLabel('Sort').selectOption('Newest first')
  await expect(page).toHaveURL(/sort=-created_at/)
  await expect(userNames(page)).toHaveText([/^Lee/, /^Kim/, /^Admin/])
  await page.getByLabel('Company').selectOption('Globex')
  await expect(userNames(page)).toHaveText([/^Kim/])
  await page.reload()
  await expect(userNames(page)).toHaveText([/^Kim/])
  await expect(page.getByLabel('Company').locator('option:checked')).toHaveText('Globex')
  await expect(page.getByLabel('Sort').locator('option:checked')).toHaveText('Newest first')
  await page.goBack()
  await expect(userNames(page)).toHaveText([/^Lee/, /^Kim/, /^Admin/])

  const search = page.getByLabel('Search users')
  await search.pressSequentially('lee')
  await expect(userNames(page)).toHaveText([/^Lee/])
  await expect(page).toHaveURL(/search=lee/)
  await page.reload()
  await expect(search).toHaveValue('lee')
  await expect(userNames(page)).toHaveText([/^Lee/])
  const count = page.getByRole('status').filter({ hasText: 'All 1 shown' })
  await count.evaluate((element) => element.setAttribute('data-test', 'count'))
  await search.fill('nobody of this name')
  await expect(page.getByText('No user matches “nobody of this name”.')).toBeVisible()
  await expect(page.locator('[data-test=count]')).toHaveText('None shown') // in the same live region, so screen readers announce it
  await page.getByRole('button', { name: 'Clear filters' }).press('Enter')
  await expect(search).toHaveValue('')
  await expect(search).toBeFocused()
  await expect(page).toHaveURL(/\/clients$/)
  await expect(userNames(page)).toHaveText([/^Admin/, /^Kim/, /^Lee/])
})

test('searches when typing pauses, cancels the previous search, and keeps the rows until results arrive', {
  tag: '@slow',
}, async ({ page, baseURL }) => {
  await addKimAndLee(baseURL)
  await openUsers(page)
  await expect(userNames(page)).toHaveCount(3)
  await page.route('**/v1/admin/user?*search=k&*', () => undefined) // never responds
  await page.route('**/v1/admin/user?*search=k', () => undefined)
  const canceled = page.waitForEvent('requestfailed', (request) => /search=k(&|$)/.test(request.url()))
  const requested = page.waitForRequest(/search=k(&|$)/)
  await page.getByLabel('Search users').press('k')
  await requested
  await expect(userNames(page)).toHaveCount(3)
  await page.getByLabel('Search users').pressSequentially('im')
  await canceled
  await expect(userNames(page)).toHaveText([/^Kim/])
})

test('reports a list that failed to load with its request id, and loads it on retry', { tag: '@slow' }, async ({ page }) => {
  await openUsers(page)
  const problem = { type: 'about:blank', title: '', status: 500, code: 'server.failed', detail: 'It failed.', requestId: 'r-17' }
  await page.route('**/v1/admin/user?*', (route) =>
    route.fulfill({ status: 500, json: problem, contentType: 'application/problem+json' }),
  )
  await page.reload()
  await expect(page.getByRole('alert')).toContainText(/The users did not load\..*It failed\..*r-17/)
  await page.unroute('**/v1/admin/user?*')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(tableRow(page, 'Administrator')).toBeVisible()
})

test('loads a long list page by page', { tag: '@slow' }, async ({ page }) => {
  const user = { company: 'c', company_name: 'Globex', role: 'NEPTUNE_USER', suspended_at: null }
  const people = (from: number, count: number) =>
    Array.from({ length: count }, (_, i) => ({
      ...user,
      id: `u${from + i}`,
      name: `Person ${from + i}`,
      email: `p${from + i}@x.example`,
    }))
  await page.route('**/v1/admin/user?*', (route) => {
    const isSecond = new URL(route.request().url()).searchParams.get('cursor') === 'second'
    return route.fulfill({ json: isSecond ? { data: people(51, 10), next: null } : { data: people(1, 50), next: 'second' } })
  })
  await openUsers(page)
  await expect(userNames(page)).toHaveCount(50)
  await page.getByRole('button', { name: 'Show more' }).scrollIntoViewIfNeeded()
  await expect(userNames(page)).toHaveCount(60)
  await expect(page.getByText('All 60 shown')).toBeAttached()
})

test('makes “All companies” look like any other choice of the filter', { tag: '@slow' }, async ({ page }) => {
  await openUsers(page)
  const readColor = (label: string) => page.getByLabel(label).evaluate((select) => getComputedStyle(select).color)
  await expect(page.getByLabel('Company').locator('option:checked')).toHaveText('All companies')
  expect(await readColor('Company')).toBe(await readColor('Sort'))
})
