import { expectClean } from '../expect-clean.ts'
import { expect, test } from '../fixtures.ts'
import {
  chooseFiles,
  dropOn,
  readHashes,
  reload,
  removeFilePicker,
  sha256,
  slowDownUploads,
  textFile,
  tray,
  trayRow,
  uploadDialog,
  waitForPercent,
  waitForStoredBytes,
  watchOffsets,
  writeFile,
  writeVideo,
} from '../uploads/upload-steps.ts'
import {
  accessEndedMessage,
  addSharedLink,
  heading,
  openSharedLink,
  phoneViewport,
  refocusWindow,
  resetLink,
  submitCode,
} from './access-steps.ts'

test.beforeEach(({ page }) => removeFilePicker(page))

test('uploads files to an editable directory on a phone, by dialog or drag and drop, and numbers duplicate names', async ({
  page,
  baseURL,
}, info) => {
  await page.setViewportSize(phoneViewport)
  const link = await addSharedLink(baseURL, 'LINK_EDITABLE_DIRECTORY', { files: { 'Offer.pdf': 'theirs' } })
  await openSharedLink(page, link)
  await expect(heading(page)).toHaveText('Directory Section')
  await expect(page.getByText('Plans', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Upload file' }).click()
  const dialog = uploadDialog(page)
  await expect(dialog.getByRole('button')).toHaveText(['Choose files', 'Choose folder', 'Cancel', 'Upload'])
  await dialog.getByRole('button', { name: 'Upload', exact: true }).click()
  await expect(dialog.getByRole('group', { name: 'Nothing was uploaded.' })).toBeFocused()
  await chooseFiles(page, [textFile('Offer.pdf', 'ours'), textFile('Plan.txt', 'a plan')])
  await dialog.getByRole('button', { name: 'Upload', exact: true }).click()
  await expect(dialog).toBeHidden()
  await expect(page.getByText('Received: 2 files, 10 B')).toBeVisible()
  await dropOn(page, [writeFile(info, 'Photo.txt', 'a photo')], 'Drop to upload to Plans')
  await expect(page.getByText('Received: 3 files, 17 B')).toBeVisible()
  await expect(page.getByText('4 files, 23 B')).toBeVisible()
  for (const name of ['Offer.pdf', 'Offer (1).pdf', 'Photo.txt', 'Plan.txt'])
    await expect(page.getByRole('table', { name: 'Files' }).getByRole('button', { name, exact: true })).toBeVisible()
  expect(await readHashes(baseURL, link.directory)).toEqual({
    'Offer.pdf': sha256('theirs'),
    'Offer (1).pdf': sha256('ours'),
    'Photo.txt': sha256('a photo'),
    'Plan.txt': sha256('a plan'),
  })
})

test(
  'resumes a recipient’s upload after a lost connection and a reload, restarts it after a new code, and stores the same bytes',
  { tag: '@slow' },
  async ({ page, baseURL }, info) => {
    const link = await addSharedLink(baseURL, 'LINK_EDITABLE_DIRECTORY')
    await openSharedLink(page, link)
    await expect(page.getByText('No files here yet.')).toBeVisible()
    const network = await slowDownUploads(page)
    const offsets = watchOffsets(page)
    const { bytes, path } = writeVideo(info)
    await page.getByRole('button', { name: 'Upload file' }).click()
    await chooseFiles(page, path)
    await uploadDialog(page).getByRole('button', { name: 'Upload', exact: true }).click()
    await waitForPercent(page, 'Film.mp4', 1)
    await network.cut()
    await expect(trayRow(page, 'Film.mp4')).toContainText('Waiting for the network')
    await waitForStoredBytes(baseURL, link.directory)
    await network.restore()
    await waitForPercent(page, 'Film.mp4', 2)

    link.code = await resetLink(baseURL, link)
    await refocusWindow(page)
    await expect(page.getByRole('alert')).toHaveText(accessEndedMessage)
    await expect(tray(page)).toBeHidden()
    await submitCode(page, link.code)
    // The reset canceled the upload on the server, but the page still has the file.
    await expect(trayRow(page, 'Film.mp4')).toContainText('The upload was cancelled or has expired.')
    await page.getByRole('button', { name: 'Retry Film.mp4' }).click()
    await waitForPercent(page, 'Film.mp4', 3)

    await reload(page)
    await waitForStoredBytes(baseURL, link.directory)
    await network.removeLimits()
    await expect(trayRow(page, 'Film.mp4')).toContainText('Choose the file again to continue.')
    const chooser = page.waitForEvent('filechooser')
    await page.getByRole('button', { name: 'Choose Film.mp4 again' }).click()
    await (await chooser).setFiles(path)
    await expect(page.getByText('Received: 1 file, 33.6 MB')).toBeVisible()
    expect(await readHashes(baseURL, link.directory)).toEqual({ 'Film.mp4': sha256(bytes) })
    expect(offsets[0]).toBe(0)
    expect(offsets.slice(1).filter((offset) => offset === 0)).toHaveLength(1) // from the retry
  },
)

test.describe('with a limit of 5 KB per file', () => {
  test.use({ settings: { MAX_UPLOAD_BYTES: '5000' } })

  test('says above the list which file was not uploaded, and what was received', { tag: '@slow' }, async ({ page, baseURL }) => {
    await page.setViewportSize(phoneViewport)
    await openSharedLink(page, await addSharedLink(baseURL, 'LINK_EDITABLE_DIRECTORY', {}))
    const limits = 'Up to 5.0 KB per file, and 21.5 GB in total. Ask Administrator if you need to send more.'
    await expect(page.getByText(limits)).toBeVisible()
    await page.getByRole('button', { name: 'Upload file' }).click()
    await expect(uploadDialog(page).getByRole('button', { name: 'Choose files' })).toHaveAccessibleDescription(limits)
    await expectClean(page, 'the limits of an upload')
    await chooseFiles(page, [textFile('Plan.txt', 'a plan'), textFile('Film.txt', 'x'.repeat(6000))])
    await uploadDialog(page).getByRole('button', { name: 'Upload', exact: true }).click()
    await expect(page.getByText('Received: 1 file, 6 B')).toBeVisible()
    await expect(page.getByRole('main').getByText(/^Film\.txt was not uploaded\. .*ask Administrator/)).toBeVisible()
    await expectClean(page, 'a file that was not uploaded')
  })
})

test.describe('in German', () => {
  test.use({ locale: 'de-DE', viewport: phoneViewport })

  test('breaks no words of the receipt banner', { tag: '@slow' }, async ({ page, baseURL }) => {
    const link = await addSharedLink(baseURL, 'LINK_EDITABLE_DIRECTORY')
    await page.goto(`/access/${link.key}`)
    await page.getByPlaceholder('Zugangscode').fill(link.code)
    await page.getByRole('button', { name: 'Verzeichnis öffnen' }).click()
    await page.getByRole('button', { name: 'Datei hochladen' }).first().click()
    const dialog = page.getByRole('dialog')
    await dialog.locator('input[type=file]').first().setInputFiles(textFile('Plan.txt', 'a plan'))
    await dialog.getByRole('button', { name: 'Hochladen', exact: true }).click()
    const received = page.getByText('Eingegangen: 1 Datei, 6 B')
    await expect(received).toBeVisible()
    expect(await received.evaluate(listBrokenWords)).toEqual([])
  })
})

/** Returns the words that are on more than one line. Runs in the browser. */
function listBrokenWords({ firstChild: text }: Element): string[] {
  return [...(text?.nodeValue ?? '').matchAll(/\S+/g)].flatMap(({ 0: word, index }) => {
    const range = document.createRange()
    range.setStart(text as Node, index)
    range.setEnd(text as Node, index + word.length)
    return new Set(Array.from(range.getClientRects(), ({ top }) => top)).size > 1 ? [word] : []
  })
}
