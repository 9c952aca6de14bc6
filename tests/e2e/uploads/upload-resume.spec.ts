import { randomBytes } from 'node:crypto'
import { expect, restart, signIn, signOut, test, usesObjectStore } from '../fixtures.ts'
import {
  chooseInFileChooser,
  megabyte,
  openDirectory,
  prepareFileChooser,
  reload,
  sha256,
  slowDownUploads,
  textFile,
  tray,
  trayRow,
  upload,
  uploadDialog,
  waitForPercent,
  waitForStoredBytes,
  waitForUpload,
  watchOffsets,
  writeFile,
  writeVideo,
} from './upload-steps.ts'

test.beforeEach(({ page }) => prepareFileChooser(page))

test('resumes an interrupted upload when the network is back, with identical bytes', async ({ page, baseURL }, info) => {
  const { listHashes } = await openDirectory(page, baseURL)
  const network = await slowDownUploads(page)
  const offsets = watchOffsets(page)
  const { bytes, path } = writeVideo(info)
  await upload(page, path)
  await waitForPercent(page, 'Film.mp4', 2)
  await network.cut()
  await expect(trayRow(page, 'Film.mp4')).toContainText('Waiting for the network')
  await expect(
    tray(page)
      .getByText(/Waiting for the network$/)
      .first(),
  ).toBeVisible()
  await network.removeLimits()
  await expect(tray(page).getByText('1 uploaded')).toBeVisible()
  expect(await listHashes()).toEqual({ 'Film.mp4': sha256(bytes) })
  expect(offsets[0]).toBe(0)
  expect(offsets.at(-1)).toBeGreaterThan(0)
})

test(
  'resumes an upload with identical bytes after the server is killed and restarted',
  { tag: '@slow' },
  async ({ page, baseURL, neptune }, info) => {
    const { listHashes } = await openDirectory(page, baseURL)
    const network = await slowDownUploads(page, usesObjectStore ? megabyte / 2 : undefined)
    const offsets = watchOffsets(page)
    // With an object store, only complete 8 MiB parts survive when the node is killed.
    const { bytes, path } = writeVideo(info, 'Film.mp4', usesObjectStore ? 80 : 32)
    const created = waitForUpload(page, baseURL)
    await upload(page, path)
    const { head } = await created
    await waitForPercent(page, 'Film.mp4', usesObjectStore ? 15 : 2)
    // The server has received something.
    await expect.poll(async () => Number((await head()).headers.get('upload-offset'))).toBeGreaterThan(0)
    neptune.process.kill('SIGKILL')
    await neptune.ended
    // With a proxy in front, the proxy responds for the killed server.
    await expect(trayRow(page, 'Film.mp4')).toContainText(/Waiting for the (network|server)/)
    await network.removeLimits()
    await using _restarted = await restart(neptune)
    await expect(tray(page).getByText('1 uploaded')).toBeVisible()
    expect(await listHashes()).toEqual({ 'Film.mp4': sha256(bytes) })
    expect(offsets.at(-1)).toBeGreaterThan(0)
  },
)

test('detects a finished upload whose last response was lost, without creating a second copy', { tag: '@slow' }, async ({
  page,
  baseURL,
}) => {
  const { listHashes } = await openDirectory(page, baseURL)
  let patchRequests = 0
  await page.route('**/v1/upload/*', async (route) => {
    if (route.request().method() !== 'PATCH' || patchRequests++ > 0) return route.fallback()
    await route.fetch()
    await route.abort('connectionreset')
  })
  await upload(page, [textFile('Offer.pdf', 'an offer')])
  await expect(tray(page).getByText('1 uploaded')).toBeVisible()
  expect(patchRequests).toBe(1)
  expect(await listHashes()).toEqual({ 'Offer.pdf': sha256('an offer') })
})

test(
  'asks for the file again after a reload, checks it, and sends only the rest',
  { tag: '@slow' },
  async ({ page, baseURL }, info) => {
    const { listHashes } = await openDirectory(page, baseURL)
    const network = await slowDownUploads(page)
    const { bytes, path } = writeVideo(info)
    await upload(page, path)
    await waitForPercent(page, 'Film.mp4', 2)
    await reload(page)
    await network.removeLimits()
    await expect(trayRow(page, 'Film.mp4')).toContainText('Choose the file again to continue.')
    const offsets = watchOffsets(page)

    const otherFile = writeFile(info, 'other/Film.mp4', randomBytes(megabyte))
    await chooseInFileChooser(page, () => page.getByRole('button', { name: 'Choose Film.mp4 again' }).click(), otherFile)
    await expect(trayRow(page, 'Film.mp4')).toContainText('That file is 1.0 MB, not 33.6 MB.')
    await chooseInFileChooser(page, () => page.getByRole('button', { name: 'Choose Film.mp4 again' }).click(), path)
    await expect(tray(page).getByText('1 uploaded')).toBeVisible()
    expect(offsets).toHaveLength(1)
    expect(offsets[0]).toBeGreaterThan(0)
    expect(await listHashes()).toEqual({ 'Film.mp4': sha256(bytes) })
    await page.reload()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Contracts')
    await expect(tray(page)).toBeHidden()
  },
)

test('resumes after a reload if the browser kept the file handle: automatically, or after a click that grants permission', {
  tag: '@slow',
}, async ({ page, baseURL }) => {
  // Replaces the browser's file picker with one that returns handles to files the test creates.
  await page.addInitScript(() => {
    Object.assign(window, {
      showOpenFilePicker: async () => {
        const folder = await navigator.storage.getDirectory()
        const handle = await folder.getFileHandle('Film.mp4', { create: true })
        const writer = await handle.createWritable()
        await writer.write(new Uint8Array(32 * 1024 * 1024).map((_, i) => i % 251))
        await writer.close()
        return [handle]
      },
    })
    const mustPrompt = () => sessionStorage.getItem('test.asks') !== null
    Object.assign(FileSystemHandle.prototype, {
      queryPermission: async () => (mustPrompt() ? 'prompt' : 'granted'),
      requestPermission: async () => {
        sessionStorage.removeItem('test.asks')
        return 'granted'
      },
    })
  })
  const { listHashes, directory } = await openDirectory(page, baseURL)
  const network = await slowDownUploads(page)
  await page.getByRole('button', { name: 'Upload file' }).click()
  await uploadDialog(page).getByRole('button', { name: 'Choose files' }).click()
  await expect(uploadDialog(page).getByText('Film.mp4')).toBeVisible()
  await uploadDialog(page).getByRole('button', { name: 'Upload', exact: true }).click()
  await waitForPercent(page, 'Film.mp4', 2)
  const offsets = watchOffsets(page)
  await network.cut()
  await waitForStoredBytes(baseURL, directory)
  await network.restore()
  await reload(page)
  await expect.poll(() => offsets[0]).toBeGreaterThan(0)
  await waitForStoredBytes(baseURL, directory, offsets[0])
  await page.evaluate(() => sessionStorage.setItem('test.asks', 'yes'))
  await reload(page)
  await network.removeLimits()
  await expect(trayRow(page, 'Film.mp4')).toContainText('Allow Neptune to read the file again to continue.')
  await page.getByRole('button', { name: 'Allow reading Film.mp4' }).click()
  await expect(tray(page).getByText('1 uploaded')).toBeVisible()
  expect(offsets.at(-1)).toBeGreaterThan(offsets.at(-2) ?? 0)
  const bytes = new Uint8Array(32 * megabyte).map((_, i) => i % 251)
  expect(await listHashes()).toEqual({ 'Film.mp4': sha256(bytes) })
})

test('stops an upload whose file changes while the upload is paused', { tag: '@slow' }, async ({ page, baseURL }, info) => {
  const { listHashes } = await openDirectory(page, baseURL)
  const network = await slowDownUploads(page)
  const { path } = writeVideo(info)
  await upload(page, path)
  await waitForPercent(page, 'Film.mp4', 1)
  await page.getByRole('button', { name: 'Pause Film.mp4' }).click()
  writeVideo(info)
  await network.removeLimits()
  await page.getByRole('button', { name: 'Resume Film.mp4' }).click()
  await expect(trayRow(page, 'Film.mp4')).toContainText('The file was changed or removed in the meantime.')
  await expect(tray(page).getByRole('button', { name: /Retry/ })).toHaveCount(0)
  expect(await listHashes()).toEqual({})
})

test(
  'hands a tab’s uploads to another tab only after the first tab is closed',
  { tag: '@slow' },
  async ({ page, baseURL, context }, info) => {
    await openDirectory(page, baseURL)
    await slowDownUploads(page)
    await upload(page, writeVideo(info).path)
    await waitForPercent(page, 'Film.mp4', 1)
    await page.getByRole('button', { name: 'Pause Film.mp4' }).click()
    const otherTab = await context.newPage()
    await otherTab.goto(page.url())
    await expect(otherTab.getByRole('heading', { level: 1 })).toHaveText('Contracts')
    await expect(tray(otherTab)).toBeHidden()
    await page.close()
    await expect(trayRow(otherTab, 'Film.mp4')).toContainText('Paused')
    await otherTab.getByRole('button', { name: 'Resume Film.mp4' }).click()
    await expect(trayRow(otherTab, 'Film.mp4')).toContainText('Choose the file again to continue.')
  },
)

test(
  'resumes an upload after the session ended and the user signed in again',
  { tag: '@slow' },
  async ({ page, baseURL }, info) => {
    const { listHashes, call } = await openDirectory(page, baseURL, async (page, path) => {
      await page.goto(path)
      await signIn(page) // with a separate session
    })
    const network = await slowDownUploads(page)
    const { bytes, path } = writeVideo(info)
    await upload(page, path)
    await waitForPercent(page, 'Film.mp4', 2)
    await trayRow(page, 'Film.mp4').getByRole('button', { name: 'Pause Film.mp4' }).click()
    const { data } = await call('GET', '/v1/identity/session')
    for (const { id, current } of data) if (!current) await call('DELETE', `/v1/identity/session/${id}`)
    await trayRow(page, 'Film.mp4').getByRole('button', { name: 'Resume Film.mp4' }).click()
    await expect(page).toHaveURL(/\/login$/)
    await network.removeLimits()
    await signIn(page)
    await expect(tray(page).getByText('1 uploaded')).toBeVisible()
    expect(await listHashes()).toEqual({ 'Film.mp4': sha256(bytes) })
  },
)

test(
  'asks before signing out during an upload, and leaves no uploads behind',
  { tag: '@slow' },
  async ({ page, baseURL }, info) => {
    await openDirectory(page, baseURL)
    await slowDownUploads(page)
    await upload(page, writeVideo(info).path)
    await waitForPercent(page, 'Film.mp4', 1)
    const confirmation = page.getByRole('dialog', { name: 'Uploads in progress' })
    await signOut(page)
    await confirmation.getByRole('button', { name: 'Stay' }).click()
    await waitForPercent(page, 'Film.mp4', 2)
    await signOut(page)
    await confirmation.getByRole('button', { name: 'Sign out' }).click()
    await expect(page).toHaveURL(/\/login$/)
    await expect(page).toHaveTitle(/^(?!\d)/) // during uploads, the title begins with their progress: `12 % …`
    await signIn(page)
    await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible()
    await page.reload() // no confirmation, and no uploads left
    await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible()
    await expect(tray(page)).toBeHidden()
  },
)
