import type { FileRow } from '@neptune/contract'
import type { Page } from '@playwright/test'
import { addDirectory, asAdmin, expect, openAsAdmin, test } from '../fixtures.ts'

const rowCount = 100_000

/** Responds to every list of files with 100,000 rows: copies of the first file with different names. */
async function respondWithManyFiles(page: Page, baseURL: string | undefined) {
  const { data } = await asAdmin(baseURL)('GET', '/v1/file?limit=1')
  const template = data[0] as FileRow
  const rows = Array.from({ length: rowCount }, (_, i) => ({
    ...template,
    id: `${template.id.slice(0, 16)}${String(i).padStart(6, '0')}`,
    file_name: `file ${i}.txt`,
  }))
  const body = JSON.stringify({ data: rows, next: null })
  await page.route('**/v1/file?*', (route) => route.fulfill({ body, contentType: 'application/json' }))
}

/** Waits until fewer than 800 of the items are in the document. */
const expectFewRendered = (page: Page, selector: string) => expect.poll(() => page.locator(selector).count()).toBeLessThan(800)

test('renders only the rows near the viewport out of 100,000, and reaches both ends by scrolling and with the keyboard', {
  tag: '@slow',
}, async ({ page, baseURL }) => {
  await addDirectory(baseURL, 'Plans', { 'a.txt': 'a' })
  await respondWithManyFiles(page, baseURL)
  await openAsAdmin(page, '/files')
  const table = page.getByRole('table')
  await expect(table.getByText('file 0.txt')).toBeVisible()
  await expectFewRendered(page, 'tbody > tr')

  await page.evaluate(() => scrollTo(0, document.body.scrollHeight / 2))
  await expect.poll(() => table.getByText(/^file (4|5)\d{4}\.txt$/).count()).toBeGreaterThan(10)
  await page.evaluate(() => scrollTo(0, document.body.scrollHeight))
  await expect(table.getByText(`file ${rowCount - 1}.txt`)).toBeInViewport()
  await expectFewRendered(page, 'tbody > tr')

  // The first row can still take the focus after scrolling away, and the keyboard reaches both ends of the list.
  await table.getByRole('button', { name: 'file 0.txt', exact: true }).focus()
  await page.keyboard.press('End')
  await expect(table.getByRole('button', { name: `file ${rowCount - 1}.txt`, exact: true })).toBeFocused()
  await page.keyboard.press('ArrowUp')
  await expect(table.getByRole('button', { name: `file ${rowCount - 2}.txt`, exact: true })).toBeFocused()
  await page.keyboard.press('Home')
  await expect(table.getByRole('button', { name: 'file 0.txt', exact: true })).toBeFocused()
  await expectFewRendered(page, 'tbody > tr')
})

test('renders only the tiles near the viewport out of 100,000', { tag: '@slow' }, async ({ page, baseURL }) => {
  const { id } = await addDirectory(baseURL, 'Plans', { 'a.txt': 'a' })
  await respondWithManyFiles(page, baseURL)
  await openAsAdmin(page, `/directories/${id}`)
  await page.getByRole('button', { name: 'Tiles' }).click()
  await expect(page.getByText('file 0.txt')).toBeVisible()
  await expectFewRendered(page, 'main li')
  await page.evaluate(() => scrollTo(0, document.body.scrollHeight))
  await expect(page.getByText(`file ${rowCount - 1}.txt`)).toBeInViewport()
  await expectFewRendered(page, 'main li')
})

for (const view of ['List', 'Tiles']) {
  test(`scrolls to a file found in the command palette, and searches for its name if it is gone: ${view}`, {
    tag: '@slow',
  }, async ({ page, baseURL }) => {
    const files = Object.fromEntries(Array.from({ length: 320 }, (_, i) => [`file ${i}.txt`, 'x']))
    const { id } = await addDirectory(baseURL, 'Plans', files)
    await openAsAdmin(page, `/directories/${id}`)
    await page.getByRole('button', { name: view }).click()
    await page.keyboard.press('Control+k')
    await page.getByRole('dialog').getByRole('combobox').fill('file 311')
    await page.getByRole('option', { name: /^file 311\.txt/ }).click()
    const found = page.getByRole('button', { name: 'file 311.txt', exact: true })
    await expect(found).toBeFocused()
    await expect(found).toBeInViewport()
    await expect(page.getByRole('button', { name: 'file 310.txt', exact: true })).toBeVisible()
    await expect(page).toHaveURL(`/directories/${id}`)
    // A link to a file that is gone searches for its name.
    await page.goto(`/directories/${id}?file=gone&name=file+7.txt`)
    await expect(page.getByLabel('Search this directory')).toHaveValue('file 7.txt')
  })
}
