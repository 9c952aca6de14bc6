import type { Page } from '@playwright/test'
import { expectClean, extraLooks } from '../expect-clean.ts'
import { addDirectory, asAdmin, expect, openAsAdmin, test } from '../fixtures.ts'
import { rows } from './directory-steps.ts'

test('says that deleted files stay in the trash for 30 days, and restores one or several', async ({ page, baseURL }) => {
  const { id } = await addDeletedFiles(baseURL, ['a.txt', 'b.txt', 'c.txt'])
  await openAsAdmin(page, '/dashboard')
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Trash' }).click()
  await expect(page).toHaveTitle('Trash · Neptune')
  await expect(
    page.getByText('Deleted files and directories. You can restore them until they’re permanently deleted.'),
  ).toBeVisible()
  const table = page.getByRole('table', { name: 'Deleted files' })
  await expect(table.getByRole('row').filter({ hasText: 'a.txt' })).toContainText(
    /Plans.*Neptune.*5 B.*(just now|min ago).*in 30 days/,
  )
  await page.getByRole('button', { name: 'Restore a.txt' }).click()
  await expect(page.getByText('Restored “a.txt”.')).toBeVisible()
  await expect(names(page)).toHaveCount(2)
  await page.getByLabel('Select all').click()
  await page.getByRole('region', { name: 'Selection' }).getByRole('button', { name: 'Restore' }).click()
  await expect(page.getByText('Restored 2 files.')).toBeVisible()
  await expect(page.getByText('No deleted files.')).toBeVisible()
  await page.goto(`/directories/${id}`)
  await expect(rows(page)).toHaveText([/a\.txt/, /b\.txt/, /c\.txt/])
})

test('adds a number to a restored file whose name is taken', { tag: '@slow' }, async ({ page, baseURL }) => {
  const { id } = await addDeletedFiles(baseURL, ['a.txt'])
  const form = new FormData()
  form.set('file', new Blob(['another one']), 'file')
  await asAdmin(baseURL)('PUT', `/v1/file/${id}/a.txt`, form)
  await openTrash(page, '/trash')
  await page.getByRole('button', { name: 'Restore a.txt' }).click()
  await expect(page.getByText('Restored “a (1).txt”.')).toBeVisible()
})

test('deletes and restores a directory with its files', { tag: '@slow' }, async ({ page, baseURL }) => {
  const call = asAdmin(baseURL)
  const { id } = await addDirectory(baseURL, 'Plans', { 'a.txt': 'x', 'b.txt': 'y' })
  await call('DELETE', `/v1/directory/${id}`)
  await openTrash(page, '/trash')
  await expect(page.getByText('No deleted files.')).toBeVisible() // they are listed as part of their directory
  await page.getByRole('link', { name: 'Directories' }).last().click()
  await expect(page).toHaveURL(/\/trash\?of=directories$/)
  await page.reload()
  const row = page.getByRole('table', { name: 'Deleted directories' }).getByRole('row').filter({ hasText: 'Plans' })
  await expect(row).toContainText(/Neptune.*2.*2 B.*(just now|min ago).*in 30 days/)

  await addDirectory(baseURL, 'plans')
  await page.getByRole('button', { name: 'Restore Plans' }).click()
  await expect(page.getByRole('alert')).toHaveText(
    '“Plans” wasn’t restored because another directory now has its name. Rename that directory first.',
  )
  await expect(row).toBeVisible()
  const { data } = await call('GET', '/v1/directory?search=plans')
  await call('PATCH', `/v1/directory/${data[0].id}`, { directory: 'Other plans' })
  await page.getByRole('button', { name: 'Restore Plans' }).click()
  await expect(page.getByText('Restored “Plans”.')).toBeVisible()
  await expect(page.getByRole('alert')).toHaveCount(0)
  await page.goto(`/directories/${id}`)
  await expect(rows(page)).toHaveCount(2)
})

test('searches the trash', { tag: '@slow' }, async ({ page, baseURL }) => {
  await addDeletedFiles(baseURL, ['offer.txt', 'note.txt'])
  await openTrash(page, '/trash')
  await page.getByLabel('Search deleted files').fill('off')
  await expect(names(page)).toHaveText([/offer\.txt/])
  await page.reload()
  await expect(names(page)).toHaveText([/offer\.txt/])
  await page.getByLabel('Search deleted files').fill('nothing of this name')
  await page.getByRole('button', { name: 'Clear search' }).click()
  await expect(page.getByLabel('Search deleted files')).toBeFocused()
  await expect(names(page)).toHaveCount(2)
})

for (const { colorScheme, width } of extraLooks) {
  test.describe(`${colorScheme}, ${width} wide`, () => {
    test.use({ colorScheme, viewport: { width, height: 844 } })

    test('passes axe on the Trash page without scrolling horizontally', async ({ page, baseURL }) => {
      await addDeletedFiles(baseURL, [`${'a very long name of a file, '.repeat(6)}.pdf`, 'b.txt'])
      await openTrash(page, '/trash')
      await expect(names(page)).toHaveCount(2)
      await expectClean(page, 'files in the trash')
      await page.getByLabel('Select b.txt').click()
      await expectClean(page, 'one selected')
      await page.goto('/trash?of=directories')
      await expect(page.getByText('No deleted directories.')).toBeVisible()
      await expectClean(page, 'no directories in the trash')
    })
  })
}

const names = (page: Page) => page.getByRole('table', { name: 'Deleted files' }).locator('tbody tr td:nth-child(2)')

async function openTrash(page: Page, path: string) {
  await openAsAdmin(page, path)
  await expect(page.getByRole('heading', { level: 1, name: 'Trash' })).toBeVisible()
}

/** Creates a directory with these files and moves the files to the trash. */
async function addDeletedFiles(baseURL: string | undefined, files: string[]) {
  const { id, ids } = await addDirectory(baseURL, 'Plans', Object.fromEntries(files.map((name) => [name, 'bytes'])))
  await asAdmin(baseURL)('POST', '/v1/file/delete', { ids: Object.values(ids) })
  return { id }
}
