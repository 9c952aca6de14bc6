import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { addCompanyWithUser, asAdmin, expect, kim, openAsAdmin, signIn, test } from '../fixtures.ts'
import {
  chooseFiles,
  dragOver,
  dropOn,
  openDirectory,
  prepareFileChooser,
  sha256,
  startDrag,
  textFile,
  tray,
  trayRow,
  upload,
  uploadDialog,
  writeFolder,
} from './upload-steps.ts'

const warning = 'This information could be displayed publicly without an access token so be careful what you share.'

test.beforeEach(({ page }) => prepareFileChooser(page))

test('uploads a file with the dialog and shows it in the list', async ({ page, baseURL }) => {
  const { listHashes } = await openDirectory(page, baseURL)
  await page.goto('/dashboard')
  await page.getByRole('button', { name: 'Upload file' }).click()
  const dialog = uploadDialog(page)
  await expect(dialog.getByText(warning)).toBeVisible()
  await expect(dialog.getByRole('button')).toHaveText(['Choose files', 'Choose folder', 'Cancel', 'Upload'])
  await dialog.getByLabel('Company').selectOption('Neptune')
  await dialog.getByLabel('Directory').selectOption('Contracts')
  await chooseFiles(page, [textFile('Offer.pdf', 'an offer')])
  await expect(dialog.getByRole('status')).toHaveText('1 file, 8 B')
  await dialog.getByRole('button', { name: 'Upload', exact: true }).click()
  await expect(dialog).toBeHidden()
  await expect(tray(page).getByText('1 uploaded')).toBeVisible()
  await tray(page).getByRole('button', { name: 'Expand uploads' }).click()
  await expect(trayRow(page, 'Offer.pdf')).toContainText('8 B · In Contracts')
  await expect(page.getByRole('table').getByText('Offer.pdf')).toBeVisible()
  expect(await listHashes()).toEqual({ 'Offer.pdf': sha256('an offer') })
})

test('shows missing values below their fields, and offers to create the company’s first directory', { tag: '@slow' }, async ({
  page,
  baseURL,
}) => {
  await openAsAdmin(page, '/dashboard')
  await page.getByRole('button', { name: 'Upload file' }).click()
  const dialog = uploadDialog(page)
  await expect(dialog.getByText('This company has no directories yet.')).toBeVisible()
  await dialog.getByRole('button', { name: 'Upload', exact: true }).click()
  await expect(dialog.getByRole('group', { name: 'Nothing was uploaded.' })).toBeFocused()
  await expect(dialog.getByLabel('Directory')).toHaveAccessibleDescription(/Choose a directory\./)
  const chooseButton = dialog.getByRole('button', { name: 'Choose files' })
  await expect(chooseButton).toHaveAccessibleDescription('Choose at least one file.')
  await dialog.getByRole('link', { name: 'Choose at least one file.' }).click()
  await expect(chooseButton).toBeFocused()
  await chooseFiles(page, [textFile('Offer.pdf', 'an offer')])
  await expect(chooseButton).toHaveAccessibleDescription('')
  await dialog.getByRole('button', { name: 'Create Directory' }).click()
  const create = page.getByRole('dialog', { name: 'Create Directory' })
  await create.getByLabel('Name').fill('Contracts')
  await create.getByRole('button', { name: 'Create Directory' }).click()
  await expect(dialog.getByLabel('Directory').locator('option:checked')).toHaveText('Contracts')
  await expect(dialog.getByText('Offer.pdf')).toBeVisible()

  await addCompanyWithUser(baseURL, 'Globex', kim)
  const call = asAdmin(baseURL)
  const { data: companies } = await call('GET', '/v1/admin/company')
  const globex = companies.find(({ name }: { name: string }) => name === 'Globex')
  await call('POST', '/v1/directory', { directory: 'Plans', client: globex.id })
  await page.goto('/login')
  await page.context().clearCookies()
  await page.evaluate(() => sessionStorage.clear())
  await page.goto('/dashboard')
  await signIn(page, kim)
  await page.getByRole('button', { name: 'Upload file' }).click()
  await expect(dialog.getByLabel('Company').locator('option:not([disabled])')).toHaveText(['Globex'])
  await expect(dialog.getByLabel('Company').locator('option:checked')).toHaveText('Globex')
  await expect(dialog.getByLabel('Directory').locator('option:not([disabled])')).toHaveText(['Plans'])
})

test('uploads 200 files at once and renders only the visible ones in the tray', { tag: '@slow' }, async ({ page, baseURL }) => {
  const { listHashes } = await openDirectory(page, baseURL)
  const manyFiles = Array.from({ length: 200 }, (_, i) => ({
    name: `page ${i}.txt`,
    mimeType: 'text/plain',
    buffer: Buffer.from(`${i}`),
  }))
  await upload(page, manyFiles)
  await expect(tray(page).getByText(/^\d+ of 200/)).toBeVisible()
  await expect(tray(page).getByText('200 uploaded')).toBeVisible({ timeout: 300_000 })
  await tray(page).getByRole('button', { name: 'Expand uploads' }).click()
  expect(await tray(page).getByRole('listitem').count()).toBeLessThan(20)
  expect(Object.keys(await listHashes())).toHaveLength(200)
  await tray(page).getByRole('button', { name: 'Clear finished' }).click()
  await expect(tray(page)).toBeHidden()
  await expect(page.getByText('200 files', { exact: false }).first()).toBeVisible()
})

test('uploads files dropped on a directory at once, and asks for the directory elsewhere', async ({ page, baseURL }, info) => {
  const { listHashes, directory } = await openDirectory(page, baseURL)
  const folder = writeFolder(info)
  await dropOn(page, [folder])
  await expect(page.getByText('Drop to upload to Contracts')).toBeHidden()
  await expect(tray(page).getByText('3 uploaded')).toBeVisible()
  expect(await listHashes()).toEqual({}) // they are in the folder
  expect(page.url()).toContain(directory)

  await page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link', { name: 'Directories' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Directories')
  await dragOver(page, [folder], 'Drop to choose where to upload')
  await page.evaluate(() => window.dispatchEvent(new DragEvent('dragleave'))) // what a browser dispatches when the drag leaves the window
  await expect(page.getByText('Drop to choose where to upload')).toBeHidden()
  await dropOn(page, [folder], 'Drop to choose where to upload')
  await expect(uploadDialog(page).getByRole('status')).toContainText('3 files')
  const extraFile = join(info.outputPath(), 'more.txt')
  writeFileSync(extraFile, 'more')
  const dragMore = await startDrag(page, [extraFile])
  await dragMore('dragEnter')
  await dragMore('dragOver')
  await dragMore('drop')
  await expect(uploadDialog(page).getByRole('status')).toContainText('4 files')
})

test('asks once about taken names: keep both, replace, or choose for each', async ({ page, baseURL }) => {
  const { listHashes } = await openDirectory(page, baseURL)
  const makeThreeFiles = (text: string) => ['a.txt', 'b.txt', 'c.txt'].map((name) => textFile(name, text))
  await upload(page, makeThreeFiles('old'))
  await expect(tray(page).getByText('3 uploaded')).toBeVisible()
  await tray(page).getByRole('button', { name: 'Clear finished' }).click()

  const takenNamesDialog = page.getByRole('dialog', { name: 'These names are taken' })
  await upload(page, [...makeThreeFiles('new').slice(0, 2), textFile('D.txt', 'd')])
  await expect(takenNamesDialog).toContainText('2 of your 3 files have names that already exist in Contracts.')
  await expect(takenNamesDialog.getByRole('listitem')).toHaveText(['a.txt', 'b.txt'])
  await expect(takenNamesDialog.getByRole('radio', { name: /Keep both/ })).toBeChecked()
  await takenNamesDialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(takenNamesDialog).toBeHidden()
  await expect(tray(page)).toBeHidden()
  expect(Object.keys(await listHashes())).toHaveLength(3)

  await upload(page, makeThreeFiles('new').slice(0, 1))
  const takenNameDialog = page.getByRole('dialog', { name: 'This name is taken' })
  await takenNameDialog.getByRole('radio', { name: /Replace/ }).check()
  await takenNameDialog.getByRole('button', { name: 'Upload' }).click()
  await expect(tray(page).getByText('1 uploaded')).toBeVisible()
  expect(await listHashes()).toEqual({ 'a.txt': sha256('new'), 'b.txt': sha256('old'), 'c.txt': sha256('old') })

  await upload(page, [textFile('B.TXT', 'B'), ...makeThreeFiles('newer').slice(2)])
  await takenNamesDialog.getByRole('radio', { name: 'Decide for each file' }).check()
  await takenNamesDialog.getByLabel('What to do with c.txt').selectOption('Replace')
  await takenNamesDialog.getByRole('button', { name: 'Upload' }).click()
  await expect(tray(page).getByText('3 uploaded')).toBeVisible()
  expect(await listHashes()).toEqual({
    'a.txt': sha256('new'),
    'b.txt': sha256('old'),
    'B (1).TXT': sha256('B'),
    'c.txt': sha256('newer'),
  })
})
