import type { FileRow } from '@neptune/contract'
import type { Page } from '@playwright/test'
import { addDirectory, asAdmin, expect, openAsAdmin, test } from './fixtures.ts'

const many = 100_000

/** The answer to every list of files has a hundred thousand of them, each like the first but for its name. */
async function answerMany(page: Page, baseURL: string | undefined) {
  const { data } = await asAdmin(baseURL)('GET', '/v1/file?limit=1')
  const one = data[0] as FileRow
  const rows = Array.from({ length: many }, (_, i) => ({
    ...one,
    id: `${one.id.slice(0, 16)}${String(i).padStart(6, '0')}`,
    file_name: `file ${i}.txt`,
  }))
  const body = JSON.stringify({ data: rows, next: null })
  await page.route('**/v1/file?*', (route) => route.fulfill({ body, contentType: 'application/json' }))
}

/** Until what is drawn has come to rest, which takes as long as it takes. */
const expectFew = (page: Page, selector: string) => expect.poll(() => page.locator(selector).count()).toBeLessThan(800)

test('of a hundred thousand rows only those near the window are there, and all can be reached, by mouse and by keys', async ({
  page,
  baseURL,
}) => {
  await addDirectory(baseURL, 'Plans', { 'a.txt': 'a' })
  await answerMany(page, baseURL)
  await openAsAdmin(page, '/files')
  const table = page.getByRole('table')
  await expect(table.getByText('file 0.txt')).toBeVisible()
  await expectFew(page, 'tbody > tr')

  await page.evaluate(() => scrollTo(0, document.body.scrollHeight / 2))
  await expect.poll(() => table.getByText(/^file (4|5)\d{4}\.txt$/).count()).toBeGreaterThan(10)
  await page.evaluate(() => scrollTo(0, document.body.scrollHeight))
  await expect(table.getByText(`file ${many - 1}.txt`)).toBeInViewport()
  await expectFew(page, 'tbody > tr')

  // Whoever scrolled away by mouse still gets in by Tab, and from end to end by keys.
  await table.getByRole('button', { name: 'file 0.txt', exact: true }).focus()
  await page.keyboard.press('End')
  await expect(table.getByRole('button', { name: `file ${many - 1}.txt`, exact: true })).toBeFocused()
  await page.keyboard.press('ArrowUp')
  await expect(table.getByRole('button', { name: `file ${many - 2}.txt`, exact: true })).toBeFocused()
  await page.keyboard.press('Home')
  await expect(table.getByRole('button', { name: 'file 0.txt', exact: true })).toBeFocused()
  await expectFew(page, 'tbody > tr')
})

test('of a hundred thousand tiles only those near the window are there', async ({ page, baseURL }) => {
  const { id } = await addDirectory(baseURL, 'Plans', { 'a.txt': 'a' })
  await answerMany(page, baseURL)
  await openAsAdmin(page, `/directories/${id}`)
  await expect(page.getByText('file 0.txt')).toBeVisible()
  await expectFew(page, 'main li')
  await page.evaluate(() => scrollTo(0, document.body.scrollHeight))
  await expect(page.getByText(`file ${many - 1}.txt`)).toBeInViewport()
  await expectFew(page, 'main li')
})
