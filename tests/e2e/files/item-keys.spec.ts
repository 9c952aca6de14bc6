import { expectClean } from '../expect-clean.ts'
import { addDirectory, asAdmin, expect, test } from '../fixtures.ts'
import { disableTimers, linkCheckTimeoutMs } from '../timers.ts'
import { chooseAction, opener, openPage, rows } from './directory-steps.ts'

test('opens the rename dialog, deletes files and undoes deletions with the keyboard', async ({ page, baseURL }) => {
  await disableTimers(page, linkCheckTimeoutMs)
  const { id } = await addDirectory(baseURL, 'Plans', { 'a.txt': 'a', 'b.txt': 'b', 'c.txt': 'c' })
  await openPage(page, `/directories/${id}`)
  await opener(page, 'a.txt').press('F2')
  const rename = page.getByRole('dialog', { name: 'Rename' })
  await expect(rename.getByRole('textbox')).toHaveValue('a.txt')
  await page.keyboard.press('Escape')
  await expect(rename).toBeHidden()

  await opener(page, 'a.txt').press('Delete')
  await expect(rows(page)).toHaveText([/b\.txt/, /c\.txt/])
  await page.keyboard.press('Control+z')
  await expect(rows(page)).toHaveText([/a\.txt/, /b\.txt/, /c\.txt/])

  // With a selection, Delete deletes it, and not the focused row.
  await opener(page, 'b.txt').press('Control+Space')
  await opener(page, 'c.txt').press('Control+Space')
  await opener(page, 'a.txt').press('Delete')
  await expect(rows(page)).toHaveText([/a\.txt/])
  await page.getByLabel('Search this directory').press('Control+z')
  await expect(rows(page)).toHaveText([/a\.txt/])
  await opener(page, 'a.txt').press('Control+z')
  await expect(rows(page)).toHaveText([/a\.txt/, /b\.txt/, /c\.txt/])

  await page.getByLabel('Search this directory').fill('b')
  await page.getByLabel('Search this directory').press('Delete')
  await expect(rows(page)).toHaveText([/b\.txt/])
  await page.getByRole('button', { name: 'Actions for b.txt' }).click()
  await expect(page.getByRole('menuitem', { name: 'Delete' })).toHaveAttribute('aria-keyshortcuts', 'Delete')
  await expectClean(page, 'a menu with shortcuts')
})

test('moves and copies files with cut, copy and paste', async ({ page, baseURL }) => {
  const { id } = await addDirectory(baseURL, 'Plans', { 'a.txt': 'a', 'b.txt': 'b' })
  await asAdmin(baseURL)('POST', `/v1/directory/${id}/folders`, { paths: [['Offers']] })
  await openPage(page, `/directories/${id}`)
  await opener(page, 'a.txt').press('Control+x')
  await expect(page.getByText('Open a directory and press Ctrl+V to move “a.txt” there.')).toBeVisible()
  await opener(page, 'Offers, folder').click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Offers')
  await expect(page.getByText('No files in this directory yet.')).toBeVisible()
  await page.keyboard.press('Control+v')
  await expect(rows(page)).toHaveText([/a\.txt/])
  await page.keyboard.press('Control+z')
  await expect(page.getByText('No files in this directory yet.')).toBeVisible()
  await page.keyboard.press('Control+v') // what was cut is pasted only once
  await page.getByRole('link', { name: 'Plans' }).click()
  await expect(rows(page)).toHaveText([/Offers/, /a\.txt/, /b\.txt/])

  await opener(page, 'a.txt').press('Control+a')
  await page.keyboard.press('Control+c')
  await expect(page.getByText('Open a directory and press Ctrl+V to copy 3 items there.')).toBeVisible()
  await page.keyboard.press('Escape')
  await opener(page, 'b.txt').press('Control+c')
  await expect(page.getByText('to copy “b.txt” there.')).toBeVisible()
  await page.keyboard.press('Control+v')
  await expect(rows(page)).toHaveText([/Offers/, /a\.txt/, /b \(1\)\.txt/, /b\.txt/])
  await chooseAction(page, 'b.txt', 'Rename')
  await page.getByRole('dialog').getByRole('textbox').press('Control+v')
  await expect(page.getByRole('dialog').getByRole('textbox')).toHaveValue(/b\.txt/)
})

test('shows the name of a folder and pastes into it before its details have loaded', { tag: '@slow' }, async ({
  page,
  baseURL,
}) => {
  const { id } = await addDirectory(baseURL, 'Plans', { 'a.txt': 'a' })
  const { data } = await asAdmin(baseURL)('POST', `/v1/directory/${id}/folders`, { paths: [['Offers']] })
  await openPage(page, `/directories/${id}`)
  await page.route(`**/v1/directory/${data[0].id}`, () => undefined) // never responds
  await opener(page, 'a.txt').press('Control+c')
  await opener(page, 'Offers, folder').click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Offers')
  await expect(page.getByText('No files in this directory yet.')).toBeVisible()
  await page.keyboard.press('Control+v')
  await expect(rows(page)).toHaveText([/a\.txt/])
})
