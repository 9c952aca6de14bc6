import { createHash, randomBytes } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page, Request, TestInfo } from '@playwright/test'
import { withoutKeepAlive } from '../calls.ts'
import { asAdmin, expect, openAsAdmin } from '../fixtures.ts'

export const megabyte = 1024 * 1024

export const uploadDialog = (page: Page) => page.getByRole('dialog', { name: 'Upload File' })
export const tray = (page: Page) => page.getByRole('region', { name: 'Uploads' })
export const trayRow = (page: Page, name: string) => tray(page).getByRole('listitem').filter({ hasText: name })
export const sha256 = (bytes: string | Uint8Array) => createHash('sha256').update(bytes).digest('hex')

/** Removes `showOpenFilePicker`, which most browsers lack, so that the page uses a file input. The picker has its own test. */
export const removeFilePicker = (page: Page) => page.addInitScript(() => Reflect.deleteProperty(window, 'showOpenFilePicker'))

/**
 * Makes the page use a file input, and listens for file choosers from the start, because a key press can open one before a
 * listener is added.
 */
export async function prepareFileChooser(page: Page) {
  await removeFilePicker(page)
  page.on('filechooser', () => undefined)
}

export type FilesToChoose = Parameters<ReturnType<Page['locator']>['setInputFiles']>[0]

/** Creates a directory named Contracts and opens its page as the admin. `listHashes` returns the SHA-256 hashes of its files by name. */
export async function openDirectory(page: Page, baseURL: string | undefined, open = openAsAdmin) {
  const call = asAdmin(baseURL)
  const { data: companies } = await call('GET', '/v1/admin/company')
  const { data } = await call('POST', '/v1/directory', { directory: 'Contracts', client: companies[0].id })
  await open(page, `/directories/${data.id}`)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Contracts')
  const listHashes = () => readHashes(baseURL, data.id)
  return { directory: data.id as string, listHashes, call }
}

/** Returns the SHA-256 hashes of the directory's files by name. */
export async function readHashes(baseURL: string | undefined, directory: string): Promise<Record<string, string>> {
  const { data } = await asAdmin(baseURL)('GET', `/v1/file?directory=${directory}&limit=200`)
  return Object.fromEntries(data.map(({ file_name, sha256 }: Record<string, string>) => [file_name, sha256]))
}

/** Uploads files with the dialog of the directory's page. */
export async function upload(page: Page, files: FilesToChoose) {
  await page.getByRole('button', { name: 'Upload file' }).click()
  await chooseFiles(page, files)
  await expect(uploadDialog(page).getByLabel('Directory').locator('option:checked')).toHaveText('Contracts')
  await uploadDialog(page).getByRole('button', { name: 'Upload', exact: true }).click()
  await expect(uploadDialog(page)).toBeHidden()
}

export const chooseFiles = (page: Page, files: FilesToChoose) =>
  chooseInFileChooser(page, () => uploadDialog(page).getByRole('button', { name: 'Choose files' }).click(), files)

/** Runs the action that opens a file chooser, and chooses these files in it. */
export async function chooseInFileChooser(page: Page, openChooser: () => Promise<void>, files: FilesToChoose) {
  const chooserOpened = page.waitForEvent('filechooser')
  await openChooser()
  await (await chooserOpened).setFiles(files as string)
}

export const textFile = (name: string, text: string) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(text) })

/** Writes a file that takes minutes to upload on a slow network, see `slowDownUploads`. */
export function writeVideo(info: TestInfo, name = 'Film.mp4', megabytes = 32) {
  const bytes = randomBytes(megabytes * megabyte)
  return { bytes, path: writeFile(info, name, bytes) }
}

/** Writes a file to the test's output folder and returns its path. */
export function writeFile(info: TestInfo, name: string, bytes: string | Uint8Array): string {
  const path = join(info.outputPath('files'), name)
  mkdirSync(join(path, '..'), { recursive: true })
  writeFileSync(path, bytes)
  return path
}

/** Writes a folder with three files, two of them with the same name in different subfolders, and a `.DS_Store`. */
export function writeFolder(info: TestInfo): string {
  for (const name of ['plan.txt', 'one/note.txt', 'two/note.txt', 'two/.DS_Store']) writeFile(info, `folder/${name}`, name)
  return join(info.outputPath('files'), 'folder')
}

/**
 * Slows uploads down until `removeLimits` or `cut` is called. At a twelfth of a megabyte per second a video takes more
 * than six minutes, so it is still uploading whenever a busy machine checks. `restore` sets the same speed, because Chromium
 * sometimes sends at full speed after a change to a different speed.
 */
export async function slowDownUploads(page: Page, bytesPerSecond = megabyte / 12) {
  const session = await page.context().newCDPSession(page)
  await session.send('Network.enable')
  const setNetwork = (uploadThroughput: number, offline = false) =>
    session.send('Network.emulateNetworkConditions', { offline, latency: 0, downloadThroughput: -1, uploadThroughput })
  await setNetwork(bytesPerSecond)
  return { removeLimits: () => setNetwork(-1), cut: () => setNetwork(-1, true), restore: () => setNetwork(bytesPerSecond) }
}

/** Waits until the upload has made at least this much progress. */
export const waitForPercent = (page: Page, name: string, percent: number) =>
  expect
    .poll(() =>
      trayRow(page, name)
        .getByRole('progressbar')
        .evaluate(({ value }: HTMLProgressElement) => value),
    )
    .toBeGreaterThanOrEqual(percent)

/** Waits until the server has stored more than this many bytes of the unfinished upload. It stores the last ones when a request ends. */
export const waitForStoredBytes = (baseURL: string | undefined, directory: string, bytes = 0) =>
  expect
    .poll(async () => (await asAdmin(baseURL)('GET', `/v1/upload?directory=${directory}`)).data[0]?.received)
    .toBeGreaterThan(bytes)

/** Records the upload offset of each PATCH request, except those rejected with 409 because of a wrong offset. */
export function watchOffsets(page: Page): number[] {
  const offsets: number[] = []
  const readOffset = (request: Request) => Number(request.headers()['upload-offset'])
  page.on('request', (request) => {
    if (request.method() === 'PATCH') offsets.push(readOffset(request))
  })
  page.on('response', (response) => {
    if (response.status() === 409) offsets.splice(offsets.lastIndexOf(readOffset(response.request())), 1)
  })
  return offsets
}

/** Reloads the page and accepts its warning. */
export async function reload(page: Page) {
  page.once('dialog', (dialog) => void dialog.accept())
  await page.reload()
}

/** Waits until an upload is created. `head` requests its state from the server as its owner. */
export async function waitForUpload(page: Page, baseURL: string | undefined) {
  const created = await page.waitForResponse((reply) => reply.request().method() === 'POST' && reply.url().endsWith('/v1/upload'))
  const location = (await created.headerValue('location')) ?? ''
  const stored = await page.evaluate(() => sessionStorage.getItem('neptune.token'))
  const { token } = JSON.parse(stored ?? '{}')
  const headers = { ...withoutKeepAlive, authorization: `Bearer ${token}`, 'tus-resumable': '1.0.0' }
  return { head: () => fetch(new URL(location, baseURL), { method: 'HEAD', headers }) }
}

/** Prepares a drag of real files and folders. Returns a function that dispatches the events of the drag, as the operating system does. */
export async function startDrag(page: Page, files: string[], { x, y } = { x: 200, y: 400 }) {
  const session = await page.context().newCDPSession(page)
  return (type: 'dragEnter' | 'dragOver' | 'drop') =>
    session.send('Input.dispatchDragEvent', { type, x, y, data: { items: [], files, dragOperationsMask: 1 } })
}

/** Drags files and folders over the page until it shows the text. It adds its listeners shortly after it is shown. */
export async function dragOver(page: Page, paths: string[], text: string) {
  const drag = await startDrag(page, paths)
  await expect(async () => {
    await drag('dragEnter')
    await drag('dragOver')
    await expect(page.getByText(text)).toBeVisible({ timeout: 3_000 })
  }).toPass()
  return drag
}

/** Drops files and folders on the page. A drop once got lost when it followed without waiting; the cause is unknown. */
export async function dropOn(page: Page, paths: string[], text = 'Drop to upload to Contracts') {
  const drag = await dragOver(page, paths, text)
  await drag('drop')
}
