import { readFileSync } from 'node:fs'
import type { FileRow } from '@neptune/contract'
import type { Page } from '@playwright/test'
import { expectClean, extraLooks } from '../expect-clean.ts'
import { addCompanyWithUser, addDirectory, expect, kim, openAsAdmin, test } from '../fixtures.ts'
import { disableTimers, linkCheckTimeoutMs } from '../timers.ts'

test('deletes several files at once and restores them on Undo', { tag: '@slow' }, async ({ page, baseURL }) => {
  await disableTimers(page, linkCheckTimeoutMs)
  await addDirectory(baseURL, 'Plans', { 'a.txt': 'x', 'b.txt': 'y', 'c.txt': 'z' })
  await openFiles(page)
  await expect(names(page)).toHaveText(['c.txt', 'b.txt', 'a.txt'])
  await page.getByLabel('Select a.txt').click()
  await page.getByLabel('Select c.txt').click()
  const bar = page.getByRole('region', { name: 'Selection' })
  await expect(bar.getByText('2 selected')).toBeVisible()
  await bar.getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByText('Deleted 2 files.')).toBeVisible()
  await expect(names(page)).toHaveText(['b.txt'])
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText('Restored 2 files.')).toBeVisible()
  await expect(names(page)).toHaveText(['c.txt', 'b.txt', 'a.txt'])
  await expect(page.getByRole('checkbox', { checked: true })).toHaveCount(0)
})

test('downloads a file on a click on its name only, and renames it from its menu', async ({ page, baseURL }) => {
  await addDirectory(baseURL, 'Plans', { 'Übersicht.txt': 'the bytes' })
  await openFiles(page)
  let tickets = 0
  page.on('request', (request) => request.url().endsWith('/ticket') && tickets++)
  await row(page, 'Übersicht.txt').getByText('Text file').click()
  const started = page.waitForEvent('download')
  await row(page, 'Übersicht.txt').getByRole('button', { name: 'Übersicht.txt', exact: true }).click()
  const download = await started
  expect(download.suggestedFilename()).toBe('Übersicht.txt')
  expect(readFileSync(await download.path(), 'utf8')).toBe('the bytes')
  expect(tickets).toBe(1)
  await row(page, 'Übersicht.txt').getByRole('button', { name: 'Actions' }).click()
  await page.getByRole('menuitem', { name: 'Rename' }).click()
  await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('Overview.txt')
  await page.getByRole('dialog').getByRole('button', { name: 'Rename' }).click()
  await expect(names(page)).toHaveText(['Overview.txt'])
  await row(page, 'Overview.txt').getByRole('link', { name: 'Plans' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Plans' })).toBeVisible()
})

test('filters by search, kind, company and directory, and keeps search, kind and sort order across reload and Back', {
  tag: '@slow',
}, async ({ page, baseURL }) => {
  const { company } = await addCompanyWithUser(baseURL, 'Globex', kim)
  await addDirectory(baseURL, 'Plans', { 'big.txt': 'x'.repeat(2000), 'offer.pdf': '%PDF-1.7' })
  await addDirectory(baseURL, 'Offers', { 'offer.zip': 'PK\x03\x04', 'note.txt': 'note' }, company)
  await openFiles(page)
  await expect(names(page)).toHaveText(['note.txt', 'offer.zip', 'offer.pdf', 'big.txt'])
  await page.getByRole('columnheader', { name: 'Size' }).getByRole('button').click()
  await expect(page).toHaveURL(/sort=size/)
  await expect(names(page).last()).toHaveText('big.txt')
  await page.getByRole('columnheader', { name: 'Name' }).getByRole('button').click()
  await expect(names(page)).toHaveText(['big.txt', 'note.txt', 'offer.pdf', 'offer.zip'])
  await page.getByLabel('Search files').pressSequentially('OFF')
  await expect(names(page)).toHaveText(['offer.pdf', 'offer.zip'])
  await page.getByLabel('Kind').selectOption('Archives')
  await expect(names(page)).toHaveText(['offer.zip'])
  await page.reload()
  await expect(names(page)).toHaveText(['offer.zip'])
  await expect(page.getByLabel('Search files')).toHaveValue('OFF')
  await expect(page.getByLabel('Kind').locator('option:checked')).toHaveText('Archives')
  await page.goBack()
  await expect(names(page)).toHaveText(['offer.pdf', 'offer.zip'])
  await page.getByLabel('Search files').fill('nothing of this name')
  await expect(page.getByText('No file matches “nothing of this name”.')).toBeVisible()
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await expect(page).toHaveURL(/\/files$/)

  await expect(page.getByLabel('Directory').locator('option')).toHaveText([
    'All directories',
    'Offers · Globex',
    'Plans · Neptune',
  ])
  await page.getByLabel('Directory').selectOption('Plans · Neptune')
  await expect(names(page)).toHaveText(['offer.pdf', 'big.txt'])
  await page.getByLabel('Company').selectOption('Globex') // has no such directory
  await expect(names(page)).toHaveText(['note.txt', 'offer.zip'])
  await expect(page.getByLabel('Directory').locator('option')).toHaveText(['All directories', 'Offers'])
})

test('continues the sort order on the next page', { tag: '@slow' }, async ({ page, baseURL }) => {
  const files = Object.fromEntries(Array.from({ length: 60 }, (_, i) => [`${i}.txt`, 'x'.repeat(i * 7 + 1)]))
  await addDirectory(baseURL, 'Plans', files)
  await openAsAdmin(page, '/files?sort=-size')
  await expect(names(page).first()).toHaveText('59.txt')
  await page.getByRole('button', { name: 'Show more' }).scrollIntoViewIfNeeded()
  await expect(page.getByText('All 60 shown')).toBeAttached()
  await expect(names(page)).toHaveText(Object.keys(files).reverse())
})

test('marks a damaged file and explains why it cannot be downloaded', { tag: '@slow' }, async ({ page }) => {
  const files = [{ ...makeFileRow(1), damaged: true }, makeFileRow(2)]
  await page.route('**/v1/file?*', (route) => route.fulfill({ json: { data: files, next: null } }))
  const requests: string[] = []
  page.on('request', (request) => /\/v1\/file\/f1/.test(request.url()) && requests.push(request.url()))
  await openFiles(page)
  await expect(row(page, 'File 1.pdf')).toContainText('Damaged')
  await expect(row(page, 'File 2.pdf')).not.toContainText('Damaged')
  const reason = 'This file is damaged on the server and can’t be downloaded. Tell an administrator.'
  const name = page.getByRole('button', { name: 'File 1.pdf Damaged', exact: true })
  await expect(name).toHaveAttribute('aria-disabled', 'true')
  await expect(name).toHaveAccessibleDescription(reason)
  await name.press('Enter')
  await page.getByRole('button', { name: 'Actions for File 1.pdf' }).click()
  await expect(page.getByRole('menuitem', { name: 'Download' })).toHaveAccessibleDescription(reason)
  await page.getByRole('menuitem', { name: 'Download' }).press('Enter')
  expect(requests).toEqual([])
  await page.keyboard.press('Escape')
  await expectClean(page, 'with a damaged file')
})

test('renders only the visible rows of a long list, but keeps all of them in the document', { tag: '@slow' }, async ({
  page,
}) => {
  const files = Array.from({ length: 1000 }, (_, i) => makeFileRow(i))
  await page.route('**/v1/file?*', (route) => route.fulfill({ json: { data: files, next: null } }))
  await openFiles(page)
  await expect(page.getByText('All 1,000 shown')).toBeAttached()
  const rows = page.locator('tbody tr')
  await expect(rows).toHaveCount(1000)
  const countRendered = () =>
    rows.evaluateAll((all) => all.filter((row) => row.firstElementChild?.checkVisibility({ contentVisibilityAuto: true })).length)
  await expect.poll(countRendered).toBeLessThan(100)
  expect(await countRendered()).toBeGreaterThan(10)
  await rows.first().getByRole('button', { name: 'File 0.pdf', exact: true }).focus()
  await page.keyboard.press('End')
  await expect(page.getByRole('button', { name: 'File 999.pdf', exact: true })).toBeFocused()
  await expect(page.getByRole('button', { name: 'File 999.pdf', exact: true })).toBeInViewport()
  await page.getByLabel('Select all').click()
  await expect(page.getByText('1,000 selected')).toBeVisible()
})

test('says that the list has more files when all loaded ones are selected', { tag: '@slow' }, async ({ page }) => {
  const files = Array.from({ length: 50 }, (_, i) => makeFileRow(i))
  await page.route('**/v1/file?*', (route) =>
    route.request().url().includes('cursor=') ? undefined : route.fulfill({ json: { data: files, next: 'more' } }),
  )
  await openFiles(page)
  await page.getByLabel('Select all').click()
  const selection = page.getByRole('region', { name: 'Selection' })
  await expect(selection).toContainText('50 selectedThe list has more.')
  await page.getByRole('checkbox', { name: 'Select File 0.pdf' }).uncheck()
  await expect(selection).not.toContainText('The list has more.')
})

test('deletes more than 200 files in several calls', { tag: '@slow' }, async ({ page }) => {
  const files = Array.from({ length: 450 }, (_, i) => makeFileRow(i))
  const calls: number[] = []
  await disableTimers(page, linkCheckTimeoutMs)
  await page.route('**/v1/file?*', (route) => route.fulfill({ json: { data: files, next: null } }))
  await page.route('**/v1/file/delete', (route) => {
    calls.push(route.request().postDataJSON().ids.length)
    return route.fulfill({ status: 204 })
  })
  await openFiles(page)
  await page.getByLabel('Select all').click()
  await page.getByRole('region', { name: 'Selection' }).getByRole('button', { name: 'Delete' }).click()
  await expect.poll(() => calls).toEqual([200, 200, 50])
})

test('shows why a request was rejected and refetches the list', { tag: '@slow' }, async ({ page, baseURL }) => {
  await disableTimers(page, linkCheckTimeoutMs)
  await addDirectory(baseURL, 'Plans', { 'a.txt': 'x' })
  await openFiles(page)
  const problem = { type: 'about:blank', title: '', status: 404, code: 'file.not_found', detail: 'File not found.' }
  await page.route('**/v1/file/delete', (route) =>
    route.fulfill({ status: 404, json: problem, contentType: 'application/problem+json' }),
  )
  await row(page, 'a.txt').getByRole('button', { name: 'Actions' }).click()
  const refetched = page.waitForRequest((request) => request.url().includes('/v1/file?'))
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await refetched
  await expect(page.getByText('File not found.')).toBeVisible()
})

for (const { colorScheme, width } of extraLooks) {
  test.describe(`${colorScheme}, ${width} wide`, () => {
    test.use({ colorScheme, viewport: { width, height: 844 } })

    test('passes axe on the Files page and the dashboard without scrolling horizontally', async ({ page, baseURL }) => {
      const longName = 'Annual accounts and the auditor’s report of the year 2026, with all of its appendices'
      await addDirectory(baseURL, longName, {
        [`${longName}.pdf`]: '%PDF-1.7',
        'a.zip': 'PK\x03\x04',
        'a.txt': 'x',
        'a.mp3': 'ID3',
      })
      await openFiles(page)
      await expect(names(page)).toHaveCount(4)
      await expectClean(page, 'files')
      await page.getByLabel('Select a.txt').click()
      await expectClean(page, 'one selected')
      await page.goto('/dashboard')
      await expect(names(page)).toHaveCount(4)
      await expectClean(page, 'the dashboard')
      await page.goto('/files?search=nothing')
      await expect(page.getByRole('button', { name: 'Clear filters' })).toBeVisible()
      await expectClean(page, 'no match')
    })
  })
}

const row = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text })

const names = (page: Page) => page.getByRole('table', { name: 'Files' }).locator('tbody [data-opener]')

async function openFiles(page: Page) {
  await openAsAdmin(page, '/files')
  await expect(page.getByRole('heading', { level: 1, name: 'Files' })).toBeVisible()
}

const makeFileRow = (i: number): FileRow => ({
  id: `f${i}`,
  file_name: `File ${i}.pdf`,
  content_type: 'application/pdf',
  kind: 'pdf',
  client: 'Globex',
  company: 'c',
  archived: false,
  directory: 'Plans',
  directory_id: 'd',
  path: [],
  size: i,
  sha256: '',
  damaged: false,
  image: null,
  date_created: '2026-12-03T14:05:00.000Z',
  deleted_at: null,
  gone_at: null,
})
