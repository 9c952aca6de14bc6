import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { addDirectory, expect, openAsAdmin, test } from '../fixtures.ts'

test('shows the totals and links each of them to its page', async ({ page, baseURL }) => {
  await addDirectory(baseURL, 'Plans', { 'a.txt': 'x', 'b.txt': 'y' })
  await addDirectory(baseURL, 'Offers')
  await open(page)
  const totals = page.getByRole('list', { name: 'Summary' }).getByRole('listitem')
  await expect(totals).toHaveText(['Total Shareable Links0', 'Total Directories2', 'Total Files2'])
  for (const [name, address] of [
    ['Total Shareable Links', '/links'],
    ['Total Directories', '/directories'],
    ['Total Files', '/files'],
  ] as const) {
    await page.getByRole('link', { name }).click()
    await expect(page).toHaveURL(new RegExp(`${address}$`))
    await page.goBack()
  }
})

test('lists files in five columns, newest first, and downloads a file on click', async ({ page, baseURL }) => {
  await addDirectory(baseURL, 'Plans', { 'older.pdf': '%PDF-1.7', 'newer.txt': 'x'.repeat(1400) })
  await open(page)
  const table = page.getByRole('table', { name: 'Files' })
  await expect(table.getByRole('columnheader')).toHaveText(['Name', 'Content Type', 'Client', 'Directory', 'Size'])
  const cells = (row: number) => table.locator('tbody tr').nth(row).getByRole('cell')
  await expect(cells(0)).toHaveText(['newer.txt', 'Text file', 'Neptune', 'Plans', '1.4 KB'])
  await expect(cells(1)).toHaveText(['older.pdf', 'PDF document', 'Neptune', 'Plans', '8 B'])
  await expect(cells(1).getByText('PDF document')).toHaveAttribute('title', 'application/pdf')
  const started = page.waitForEvent('download')
  await table.getByRole('button', { name: 'newer.txt' }).click()
  const download = await started
  expect(download.suggestedFilename()).toBe('newer.txt')
  expect(readFileSync(await download.path(), 'utf8')).toBe('x'.repeat(1400))
  await page.getByRole('button', { name: 'Upload file' }).click()
  await expect(page.getByRole('dialog', { name: 'Upload File' })).toBeVisible()
})

test('shortens a long name on phones, and shows it in full while its link has keyboard focus', {
  tag: '@slow',
}, async ({ page, baseURL }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  const longName = 'Annual accounts and the auditor’s report of the year 2026'
  await addDirectory(baseURL, longName, { 'a.txt': 'x' })
  await open(page)
  const link = page.getByRole('table', { name: 'Files' }).getByRole('link', { name: longName })
  const fullName = link.getByText(longName)
  await page.keyboard.press('Shift')
  await page.getByRole('main').focus()
  await expect(page.locator('main:focus-visible')).toBeVisible()
  await expect(fullName).toHaveCSS('width', '1px')
  await link.focus()
  await expect(fullName).not.toHaveCSS('width', '1px')
})

test('shows missing values as Unknown, and a missing client as Neptune', { tag: '@slow' }, async ({ page }) => {
  const names = { file_name: '', content_type: '', kind: 'other', client: null, directory: null }
  const otherFields = { id: 'f', company: 'c', directory_id: 'd', size: 0, sha256: '', image: null, damaged: false }
  const times = { date_created: '2026-12-03T14:05:00.000Z', deleted_at: null, gone_at: null }
  await page.route('**/v1/file?*', (route) =>
    route.fulfill({ json: { data: [{ ...names, ...otherFields, ...times }], next: null } }),
  )
  await open(page)
  await expect(page.getByRole('table', { name: 'Files' }).locator('tbody tr').getByRole('cell')).toHaveText([
    'Unknown',
    'Unknown',
    'Neptune',
    'Unknown',
    '0 B',
  ])
})

test('shows an empty state without files, and an error when the server fails', { tag: '@slow' }, async ({ page }) => {
  await open(page)
  await expect(page.getByText('No files yet.')).toBeVisible()
  const problem = { type: 'about:blank', title: '', status: 500, code: 'server.failed', detail: 'It failed.', requestId: 'r-17' }
  for (const calls of ['**/v1/file?*', '**/v1/stats'])
    await page.route(calls, (route) => route.fulfill({ status: 500, json: problem, contentType: 'application/problem+json' }))
  await page.reload()
  await expect(page.getByRole('alert')).toContainText(/The files did not load\..*It failed\..*r-17/)
  await expect(page.getByRole('link', { name: 'Total Files Unknown' })).toBeVisible()
})

async function open(page: Page) {
  await openAsAdmin(page, '/dashboard')
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible()
}
