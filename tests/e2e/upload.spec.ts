import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { addUser, asAdmin, expect, kim, openAsAdmin, signIn, test } from './fixtures.ts'
import {
  chooseFiles,
  dragger,
  makeFolder,
  note,
  openDirectory,
  readyToChoose,
  row,
  sha256,
  tray,
  upload,
  uploadDialog,
} from './upload-steps.ts'

const warning = 'This information could be displayed publicly without an access token so be careful what you share.'

test.beforeEach(({ page }) => readyToChoose(page))

test('a file goes up by the dialog, and the lists and totals show it', async ({ page, baseURL }) => {
  const { files } = await openDirectory(page, baseURL)
  await page.goto('/dashboard')
  await page.getByRole('button', { name: 'Upload file' }).click()
  const dialog = uploadDialog(page)
  await expect(dialog.getByText(warning)).toBeVisible()
  await expect(dialog.getByRole('button')).toHaveText(['Choose files', 'Choose folder', 'Cancel', 'Upload'])
  await dialog.getByLabel('Company').selectOption('Neptune')
  await dialog.getByLabel('Directory').selectOption('Contracts')
  await chooseFiles(page, [note('Offer.pdf', 'an offer')])
  await expect(dialog.getByRole('status')).toHaveText('1 file, 8 B')
  await dialog.getByRole('button', { name: 'Upload', exact: true }).click()
  await expect(dialog).toBeHidden()
  await expect(row(page, 'Offer.pdf')).toContainText('8 B · In Contracts')
  await expect(tray(page).getByText('Uploaded', { exact: true })).toBeVisible()
  await expect(page.getByRole('table').getByText('Offer.pdf')).toBeVisible()
  expect(await files()).toEqual({ 'Offer.pdf': sha256('an offer') })
})

test('what is missing stands under its field, and a company without directories leads to a new one', async ({
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
  const choose = dialog.getByRole('button', { name: 'Choose files' })
  await expect(choose).toHaveAccessibleDescription('Choose at least one file.')
  await dialog.getByRole('link', { name: 'Choose at least one file.' }).click()
  await expect(choose).toBeFocused()
  await chooseFiles(page, [note('Offer.pdf', 'an offer')])
  await expect(choose).toHaveAccessibleDescription('')
  await dialog.getByRole('button', { name: 'Create Directory' }).click()
  const create = page.getByRole('dialog', { name: 'Create Directory' })
  await create.getByLabel('Name').fill('Contracts')
  await create.getByRole('button', { name: 'Create Directory' }).click()
  await expect(dialog.getByLabel('Directory').locator('option:checked')).toHaveText('Contracts')
  await expect(dialog.getByText('Offer.pdf')).toBeVisible()

  await addUser(baseURL, 'Globex', kim)
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

test('200 files go up at once, of which the tray draws those in sight', async ({ page, baseURL }) => {
  const { files } = await openDirectory(page, baseURL)
  const many = Array.from({ length: 200 }, (_, i) => ({
    name: `page ${i}.txt`,
    mimeType: 'text/plain',
    buffer: Buffer.from(`${i}`),
  }))
  await upload(page, many)
  await expect(tray(page).getByText(/^\d+ of 200/)).toBeVisible()
  await expect(tray(page).getByText('200 uploaded')).toBeVisible()
  expect(await tray(page).getByRole('listitem').count()).toBeLessThan(20)
  expect(Object.keys(await files())).toHaveLength(200)
  await tray(page).getByRole('button', { name: 'Clear finished' }).click()
  await expect(tray(page)).toBeHidden()
  await expect(page.getByText('200 files', { exact: false }).first()).toBeVisible()
})

test('a folder goes up with what is in its sub-folders, where names are alike with a number', async ({ page, baseURL }, info) => {
  const { files } = await openDirectory(page, baseURL)
  const folder = makeFolder(info)
  await page.getByRole('button', { name: 'Upload file' }).click()
  await uploadDialog(page).getByLabel('Folder').setInputFiles(folder)
  await expect(uploadDialog(page).getByText(/Directories are flat/)).toBeVisible()
  await uploadDialog(page).getByRole('button', { name: 'Upload', exact: true }).click()
  await expect(tray(page).getByText('3 uploaded')).toBeVisible()
  expect(Object.keys(await files()).sort()).toEqual(['note (1).txt', 'note.txt', 'plan.txt'])
})

test('files and folders dropped on a directory go there at once; elsewhere the dialog asks where to', async ({
  page,
  baseURL,
}, info) => {
  const { files, directory } = await openDirectory(page, baseURL)
  const folder = makeFolder(info)
  const drag = await dragger(page, [folder])
  // As a hand does, which keeps moving: what listens comes a moment after the page.
  await expect(async () => {
    await drag('dragEnter')
    await drag('dragOver')
    await expect(page.getByText('Drop to upload to Contracts')).toBeVisible({ timeout: 20_000 })
  }).toPass()
  await drag('drop')
  await expect(page.getByText('Drop to upload to Contracts')).toBeHidden()
  await expect(tray(page).getByText('3 uploaded')).toBeVisible()
  expect(Object.keys(await files())).toHaveLength(3)
  expect(page.url()).toContain(directory)

  await page.getByRole('link', { name: 'Directories' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Directories')
  await drag('dragEnter')
  await drag('dragOver')
  await expect(page.getByText('Drop to choose where to upload')).toBeVisible()
  await page.evaluate(() => window.dispatchEvent(new DragEvent('dragleave'))) // what a browser tells when it leaves the window
  await expect(page.getByText('Drop to choose where to upload')).toBeHidden()
  await drag('dragEnter')
  await drag('dragOver')
  await drag('drop')
  await expect(uploadDialog(page).getByText('3 files')).toBeVisible()
  const more = join(info.outputPath(), 'more.txt')
  writeFileSync(more, 'more')
  const dragMore = await dragger(page, [more])
  await dragMore('dragEnter')
  await dragMore('dragOver')
  await dragMore('drop')
  await expect(uploadDialog(page).getByText('4 files')).toBeVisible()
})

test('names that are taken are asked about once: keep both, replace, or each for itself', async ({ page, baseURL }) => {
  const { files } = await openDirectory(page, baseURL)
  const three = (text: string) => ['a.txt', 'b.txt', 'c.txt'].map((name) => note(name, text))
  await upload(page, three('old'))
  await expect(tray(page).getByText('3 uploaded')).toBeVisible()
  await tray(page).getByRole('button', { name: 'Clear finished' }).click()

  const question = page.getByRole('dialog', { name: 'These names are taken' })
  await upload(page, [...three('new').slice(0, 2), note('D.txt', 'd')])
  await expect(question).toContainText('Contracts already has 2 of your 3 files.')
  await expect(question.getByRole('listitem')).toHaveText(['a.txt', 'b.txt'])
  await expect(question.getByRole('radio', { name: /Keep both/ })).toBeChecked()
  await question.getByRole('button', { name: 'Cancel' }).click()
  await expect(question).toBeHidden()
  await expect(tray(page)).toBeHidden()
  expect(Object.keys(await files())).toHaveLength(3)

  await upload(page, three('new').slice(0, 1))
  const single = page.getByRole('dialog', { name: 'This name is taken' })
  await single.getByRole('radio', { name: /Replace/ }).check()
  await single.getByRole('button', { name: 'Upload' }).click()
  await expect(tray(page).getByText('Uploaded', { exact: true })).toBeVisible()
  expect(await files()).toEqual({ 'a.txt': sha256('new'), 'b.txt': sha256('old'), 'c.txt': sha256('old') })

  await upload(page, [note('B.TXT', 'B'), ...three('newer').slice(2)])
  await question.getByRole('radio', { name: 'Choose for each' }).check()
  await question.getByLabel('What to do with c.txt').selectOption('Replace')
  await question.getByRole('button', { name: 'Upload' }).click()
  await expect(tray(page).getByText('3 uploaded')).toBeVisible()
  expect(await files()).toEqual({
    'a.txt': sha256('new'),
    'b.txt': sha256('old'),
    'B (1).TXT': sha256('B'),
    'c.txt': sha256('newer'),
  })
})
