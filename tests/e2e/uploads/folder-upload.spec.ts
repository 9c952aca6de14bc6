import { addSharedLink, openSharedLink } from '../access/access-steps.ts'
import { expect, test } from '../fixtures.ts'
import { describeTree, getExpectedTree, readTree, writeTree } from './tree-steps.ts'
import {
  chooseInFileChooser,
  dropOn,
  openDirectory,
  prepareFileChooser,
  reload,
  slowDownUploads,
  tray,
  trayRow,
  uploadDialog,
  writeFolder,
} from './upload-steps.ts'

test.beforeEach(({ page }) => prepareFileChooser(page))

test('uploads a dropped folder with its structure, empty folders, and names in many scripts', async ({ page, baseURL }, info) => {
  const { directory } = await openDirectory(page, baseURL)
  const tree = describeTree({ files: 60, folders: 24 })
  await dropOn(page, [writeTree(info, tree)])
  await expect(tray(page).getByText('60 uploaded')).toBeVisible()
  expect(await readTree(baseURL, directory)).toEqual(getExpectedTree(tree))
  await tray(page).getByRole('button', { name: 'Expand uploads' }).click()
  await expect(tray(page).getByRole('listitem')).toHaveCount(1)
  await expect(trayRow(page, 'Archive')).toContainText(/60 files, .* · In Contracts/)
})

test(
  'uploads a chosen folder, and asks about names that are taken in its folders',
  { tag: '@slow' },
  async ({ page, baseURL }, info) => {
    const { directory } = await openDirectory(page, baseURL)
    const folder = writeFolder(info)
    const chooseFolder = async () => {
      await page.getByRole('button', { name: 'Upload file' }).click()
      await uploadDialog(page).getByLabel('Folder').setInputFiles(folder)
      await expect(uploadDialog(page).getByRole('listitem')).toHaveText(/^folder3 files, /)
      await uploadDialog(page).getByRole('button', { name: 'Upload', exact: true }).click()
    }
    const listNames = async () => Object.keys((await readTree(baseURL, directory)).files).sort()
    await chooseFolder()
    await expect(tray(page).getByText('3 uploaded')).toBeVisible()
    expect(await listNames()).toEqual(['folder/one/note.txt', 'folder/plan.txt', 'folder/two/note.txt'])
    await tray(page).getByRole('button', { name: 'Clear finished' }).click()

    await chooseFolder()
    const dialog = page.getByRole('dialog', { name: 'These names are taken' })
    await expect(dialog).toContainText('3 of your 3 files have names that already exist in Contracts.')
    await dialog.getByRole('radio', { name: 'Decide for each file' }).check()
    await dialog.getByLabel('What to do with folder/one/note.txt').selectOption('Replace')
    await dialog.getByLabel('What to do with folder/plan.txt').selectOption('Replace')
    await dialog.getByRole('button', { name: 'Upload' }).click()
    await expect(tray(page).getByText('3 uploaded')).toBeVisible()
    expect(await listNames()).toEqual([
      'folder/one/note.txt',
      'folder/plan.txt',
      'folder/two/note (1).txt',
      'folder/two/note.txt',
    ])
  },
)

test('lets recipients drop folders', { tag: '@slow' }, async ({ page, baseURL }, info) => {
  const link = await addSharedLink(baseURL, 'LINK_EDITABLE_DIRECTORY')
  await openSharedLink(page, link)
  const tree = describeTree({ files: 12, folders: 6 })
  await dropOn(page, [writeTree(info, tree)], 'Drop to upload to Plans')
  await expect(page.getByText('Received: 12 files, ', { exact: false })).toBeVisible()
  expect(await readTree(baseURL, link.directory)).toEqual(getExpectedTree(tree))
})

test('shows a folder as one row that can be paused, expanded and canceled', { tag: '@slow' }, async ({ page, baseURL }, info) => {
  const { directory } = await openDirectory(page, baseURL)
  const network = await slowDownUploads(page, 1000)
  const tree = describeTree({ files: 40, folders: 8 })
  for (const path of Object.keys(tree.files)) tree.files[path] = 'x'.repeat(5000)
  await dropOn(page, [writeTree(info, tree)])
  const group = trayRow(page, 'Archive')
  await expect(group).toContainText(/\d+ of 40 · /)
  await group.getByRole('button', { name: 'Pause Archive' }).click()
  await expect(group).toContainText('Paused')
  await group.getByRole('button', { name: 'Files in Archive' }).click()
  await expect(tray(page).getByRole('listitem').nth(1)).toContainText('Paused')
  expect(await tray(page).getByRole('listitem').count()).toBeLessThan(20)
  await group.getByRole('button', { name: 'Cancel Archive' }).click()
  await group.getByRole('button', { name: /Cancel \d+ uploads/ }).click()
  await expect(group.getByRole('button', { name: 'Pause Archive' })).toHaveCount(0)
  await network.removeLimits()
  const { files } = await readTree(baseURL, directory)
  expect(Object.keys(files).length).toBeLessThan(40)
})

test(
  'asks for the folder after a reload, and continues without duplicates',
  { tag: '@slow' },
  async ({ page, baseURL }, info) => {
    const { directory } = await openDirectory(page, baseURL)
    const network = await slowDownUploads(page, 2000)
    const tree = describeTree({ files: 40, folders: 12 })
    for (const path of Object.keys(tree.files)) tree.files[path] += 'x'.repeat(500)
    const folder = writeTree(info, tree)
    await page.getByRole('button', { name: 'Upload file' }).click()
    await uploadDialog(page).getByLabel('Folder').setInputFiles(folder)
    await uploadDialog(page).getByRole('button', { name: 'Upload', exact: true }).click()
    await expect(trayRow(page, 'Archive')).toContainText(/[1-9]\d* of 40 · /)
    await reload(page)
    await network.removeLimits()
    await expect(trayRow(page, 'Archive')).toContainText('Choose the folder again to continue.')
    const choose = trayRow(page, 'Archive').getByRole('button', { name: 'Choose Archive again' })
    await chooseInFileChooser(page, () => choose.click(), folder)
    await expect(tray(page).getByText(/^\d+ uploaded$/)).toBeVisible()
    const { files } = getExpectedTree(tree)
    expect((await readTree(baseURL, directory)).files).toEqual(files)
  },
)
