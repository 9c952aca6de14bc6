import { randomBytes } from 'node:crypto'
import { expect, onStore, signIn, signOut, startAgain, test } from './fixtures.ts'
import {
  beginning,
  choose,
  film,
  megabyte,
  note,
  openDirectory,
  readyToChoose,
  reload,
  row,
  sha256,
  slow,
  tray,
  untilPercent,
  upload,
  uploadDialog,
  watchOffsets,
  writeFile,
} from './upload-steps.ts'

test.beforeEach(({ page }) => readyToChoose(page))

test('an upload cut off in the middle waits for the network and goes on to the same bytes', async ({ page, baseURL }, info) => {
  const { files } = await openDirectory(page, baseURL)
  const network = await slow(page)
  const offsets = watchOffsets(page)
  const { bytes, path } = film(info)
  await upload(page, path)
  await untilPercent(page, 'Film.mp4', 2)
  await network.cut()
  await expect(row(page, 'Film.mp4')).toContainText('Waiting for the network')
  await expect(
    tray(page)
      .getByText(/Waiting for the network$/)
      .first(),
  ).toBeVisible()
  await network.fast()
  await expect(tray(page).getByText('Uploaded', { exact: true })).toBeVisible()
  expect(await files()).toEqual({ 'Film.mp4': sha256(bytes) })
  expect(offsets[0]).toBe(0)
  expect(offsets.at(-1)).toBeGreaterThan(0)
})

test('an upload goes on to the same bytes after kill -9 of the server and its restart', async ({
  page,
  baseURL,
  neptune,
}, info) => {
  const { files } = await openDirectory(page, baseURL)
  const network = await slow(page, onStore ? megabyte / 2 : undefined)
  const offsets = watchOffsets(page)
  // Of what is on its way to an object store only whole parts, of 8 MiB, outlive the node.
  const { bytes, path } = film(info, 'Film.mp4', onStore ? 80 : 32)
  const begun = beginning(page, baseURL)
  await upload(page, path)
  const { ask } = await begun
  await untilPercent(page, 'Film.mp4', onStore ? 15 : 2)
  await expect.poll(async () => Number((await ask()).headers.get('upload-offset'))).toBeGreaterThan(0) // what left the browser has come
  neptune.process.kill('SIGKILL')
  await neptune.ended
  // A proxy that is still there answers for it.
  await expect(row(page, 'Film.mp4')).toContainText(/Waiting for the (network|server)/)
  await network.fast()
  await using _again = await startAgain(neptune)
  await expect(tray(page).getByText('Uploaded', { exact: true })).toBeVisible()
  expect(await files()).toEqual({ 'Film.mp4': sha256(bytes) })
  expect(offsets.at(-1)).toBeGreaterThan(0)
})

test('an upload whose last answer was lost is found finished, and makes no second copy', async ({ page, baseURL }) => {
  const { files } = await openDirectory(page, baseURL)
  let lost = 0
  await page.route('**/v1/upload/*', async (route) => {
    if (route.request().method() !== 'PATCH' || lost++ > 0) return route.fallback()
    await route.fetch()
    await route.abort('connectionreset')
  })
  await upload(page, [note('Offer.pdf', 'an offer')])
  await expect(tray(page).getByText('Uploaded', { exact: true })).toBeVisible()
  expect(lost).toBe(1)
  expect(await files()).toEqual({ 'Offer.pdf': sha256('an offer') })
})

test('after a reload the file is chosen again, checked, and only the rest of it is sent', async ({ page, baseURL }, info) => {
  const { files } = await openDirectory(page, baseURL)
  const network = await slow(page)
  const { bytes, path } = film(info)
  await upload(page, path)
  await untilPercent(page, 'Film.mp4', 2)
  await reload(page)
  await network.fast()
  await expect(row(page, 'Film.mp4')).toContainText('Choose the file again to go on.')
  const offsets = watchOffsets(page)

  const other = writeFile(info, 'other/Film.mp4', randomBytes(megabyte))
  await choose(page, () => page.getByRole('button', { name: 'Choose Film.mp4 again' }).click(), other)
  await expect(row(page, 'Film.mp4')).toContainText('That one has 1.0 MB, not 33.6 MB.')
  await choose(page, () => page.getByRole('button', { name: 'Choose Film.mp4 again' }).click(), path)
  await expect(tray(page).getByText('Uploaded', { exact: true })).toBeVisible()
  expect(offsets).toHaveLength(1)
  expect(offsets[0]).toBeGreaterThan(0)
  expect(await files()).toEqual({ 'Film.mp4': sha256(bytes) })
  await page.reload()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Contracts')
  await expect(tray(page)).toBeHidden()
})

test('after a reload uploads go on where the browser kept the file: by themselves, or by a click where it wants to be asked', async ({
  page,
  baseURL,
}) => {
  // What the browser's own picker gives, but of files that a test can make.
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
    const isAsked = () => sessionStorage.getItem('test.asks') !== null
    Object.assign(FileSystemHandle.prototype, {
      queryPermission: async () => (isAsked() ? 'prompt' : 'granted'),
      requestPermission: async () => {
        sessionStorage.removeItem('test.asks')
        return 'granted'
      },
    })
  })
  const { files } = await openDirectory(page, baseURL)
  const network = await slow(page)
  await page.getByRole('button', { name: 'Upload file' }).click()
  await uploadDialog(page).getByRole('button', { name: 'Choose files' }).click()
  await expect(uploadDialog(page).getByText('Film.mp4')).toBeVisible()
  await uploadDialog(page).getByRole('button', { name: 'Upload', exact: true }).click()
  await untilPercent(page, 'Film.mp4', 2)
  const offsets = watchOffsets(page)
  await reload(page)
  await untilPercent(page, 'Film.mp4', 4)
  expect(offsets[0]).toBeGreaterThan(0)
  await page.evaluate(() => sessionStorage.setItem('test.asks', 'yes'))
  await reload(page)
  await network.fast()
  await expect(row(page, 'Film.mp4')).toContainText('Neptune may read the file again once you allow it.')
  await page.getByRole('button', { name: 'Allow reading Film.mp4' }).click()
  await expect(tray(page).getByText('Uploaded', { exact: true })).toBeVisible()
  expect(offsets.at(-1)).toBeGreaterThan(offsets[0] ?? 0)
  const bytes = new Uint8Array(32 * megabyte).map((_, i) => i % 251)
  expect(await files()).toEqual({ 'Film.mp4': sha256(bytes) })
})

test('a file that is changed while it is on its way is not sent half old, half new', async ({ page, baseURL }, info) => {
  const { files } = await openDirectory(page, baseURL)
  const network = await slow(page)
  const { path } = film(info)
  await upload(page, path)
  await untilPercent(page, 'Film.mp4', 1)
  await page.getByRole('button', { name: 'Pause Film.mp4' }).click()
  film(info)
  await network.fast()
  await page.getByRole('button', { name: 'Resume Film.mp4' }).click()
  await expect(row(page, 'Film.mp4')).toContainText('The file was changed or removed meanwhile.')
  await expect(tray(page).getByRole('button', { name: /Retry/ })).toHaveCount(0)
  expect(await files()).toEqual({})
})

test('the uploads of a tab are its own until it is closed; then another one has them', async ({
  page,
  baseURL,
  context,
}, info) => {
  await openDirectory(page, baseURL)
  await slow(page)
  await upload(page, film(info).path)
  await untilPercent(page, 'Film.mp4', 1)
  await page.getByRole('button', { name: 'Pause Film.mp4' }).click()
  const other = await context.newPage()
  await other.goto(page.url())
  await expect(other.getByRole('heading', { level: 1 })).toHaveText('Contracts')
  await expect(tray(other)).toBeHidden()
  await page.close()
  await expect(row(other, 'Film.mp4')).toContainText('Paused')
  await other.getByRole('button', { name: 'Resume Film.mp4' }).click()
  await expect(row(other, 'Film.mp4')).toContainText('Choose the file again to go on.')
})

test('a session that ends in mid-upload comes back by signing in, and the upload with it', async ({ page, baseURL }, info) => {
  const { files, call } = await openDirectory(page, baseURL, async (page, path) => {
    await page.goto(path)
    await signIn(page) // to a session of its own
  })
  const network = await slow(page)
  const { bytes, path } = film(info)
  await upload(page, path)
  await untilPercent(page, 'Film.mp4', 2)
  await row(page, 'Film.mp4').getByRole('button', { name: 'Pause Film.mp4' }).click()
  const { data } = await call('GET', '/v1/identity/session')
  for (const { id, current } of data) if (!current) await call('DELETE', `/v1/identity/session/${id}`)
  await row(page, 'Film.mp4').getByRole('button', { name: 'Resume Film.mp4' }).click()
  await expect(page).toHaveURL(/\/login$/)
  await network.fast()
  await signIn(page)
  await expect(tray(page).getByText('Uploaded', { exact: true })).toBeVisible()
  expect(await files()).toEqual({ 'Film.mp4': sha256(bytes) })
})

test('who signs out is asked first, and leaves no uploads behind', async ({ page, baseURL }, info) => {
  await openDirectory(page, baseURL)
  await slow(page)
  await upload(page, film(info).path)
  await untilPercent(page, 'Film.mp4', 1)
  const question = page.getByRole('dialog', { name: 'Uploads are not finished' })
  await signOut(page)
  await question.getByRole('button', { name: 'Stay' }).click()
  await untilPercent(page, 'Film.mp4', 2)
  await signOut(page)
  await question.getByRole('button', { name: 'Sign out' }).click()
  await expect(page).toHaveURL(/\/login$/)
  await expect(page).toHaveTitle(/^(?!\d)/)
  await signIn(page)
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible()
  await page.reload() // asks nothing, and finds nothing
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible()
  await expect(tray(page)).toBeHidden()
})
