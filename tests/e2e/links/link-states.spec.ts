import { asAdmin, expect, tableRow, test } from '../fixtures.ts'
import { openDirectory, prepareFileChooser, textFile, tray, upload } from '../uploads/upload-steps.ts'
import { addFileLink, openLinks } from './link-steps.ts'

test.beforeEach(({ page }) => prepareFileChooser(page))

test('says how many links will show a replacement, and lists the links to deleted files', {
  tag: '@slow',
}, async ({ page, baseURL }) => {
  const { directory } = await openDirectory(page, baseURL)
  await upload(page, [textFile('a.txt', 'old'), textFile('b.txt', 'old')])
  await expect(tray(page).getByText('2 uploaded')).toBeVisible()
  await tray(page).getByRole('button', { name: 'Clear finished' }).click()
  await addFileLink(baseURL, directory, 'a.txt')
  const secondLink = await addFileLink(baseURL, directory, 'b.txt')

  await upload(page, [textFile('A.txt', 'new'), textFile('b.txt', 'new')])
  const takenNamesDialog = page.getByRole('dialog', { name: 'These names are taken' })
  await expect(takenNamesDialog.getByRole('list', { name: 'Existing names' }).getByRole('listitem')).toHaveText([
    'A.txtShared through 1 link',
    'b.txtShared through 1 link',
  ])
  await expect(takenNamesDialog.getByRole('status')).toBeHidden()
  await takenNamesDialog.getByRole('radio', { name: /Replace/ }).check()
  await expect(takenNamesDialog.getByRole('status')).toHaveText('2 links will show the new version.')
  await takenNamesDialog.getByRole('button', { name: 'Cancel' }).click()

  await upload(page, [textFile('a.txt', 'new')])
  const takenNameDialog = page.getByRole('dialog', { name: 'This name is taken' })
  await takenNameDialog.getByRole('radio', { name: /Replace/ }).check()
  await expect(takenNameDialog.getByRole('status')).toHaveText('1 link will show the new version.')
  await takenNameDialog.getByRole('button', { name: 'Upload' }).click()
  await expect(tray(page).getByText('1 uploaded')).toBeVisible()
  await asAdmin(baseURL)('DELETE', `/v1/file/${secondLink.id}`)

  await openLinks(page)
  await expect(tableRow(page, 'a.txt')).toContainText('Not opened yet')
  await expect(tableRow(page, 'b.txt')).toContainText('File deleted')
  await page.getByLabel('State').selectOption('Active')
  await expect(tableRow(page, '.txt')).toHaveText([/a\.txt/])
  await page.getByLabel('State').selectOption('File deleted or replaced')
  await expect(tableRow(page, '.txt')).toHaveText([/b\.txt/])
})
