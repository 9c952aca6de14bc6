import { createHash, randomBytes } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page, Request, TestInfo } from '@playwright/test'
import { asAdmin, expect, freshly, openAsAdmin } from './fixtures.ts'

export const megabyte = 1024 * 1024

export const uploadDialog = (page: Page) => page.getByRole('dialog', { name: 'Upload File' })
export const tray = (page: Page) => page.getByRole('region', { name: 'Uploads' })
export const row = (page: Page, name: string) => tray(page).getByRole('listitem').filter({ hasText: name })
export const sha256 = (bytes: string | Uint8Array) => createHash('sha256').update(bytes).digest('hex')

/** Most browsers have only the input to choose files; the other way has a story of its own. */
export const withPlainPicker = (page: Page) => page.addInitScript(() => Reflect.deleteProperty(window, 'showOpenFilePicker'))

/** The same, listening from the start: a key is quicker than the listening for what it opens. */
export async function readyToChoose(page: Page) {
  await withPlainPicker(page)
  page.on('filechooser', () => undefined)
}

export type Files = Parameters<ReturnType<Page['locator']>['setInputFiles']>[0]

/** A directory called Contracts, whose page is shown to the admin. `files` says what the server holds in it: each name with its SHA-256. */
export async function openDirectory(page: Page, baseURL: string | undefined, open = openAsAdmin) {
  const call = asAdmin(baseURL)
  const { data: companies } = await call('GET', '/v1/admin/company')
  const { data } = await call('POST', '/v1/directory', { directory: 'Contracts', client: companies[0].id })
  await open(page, `/directories/${data.id}`)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Contracts')
  const files = () => filesIn(baseURL, data.id)
  return { directory: data.id as string, files, call }
}

/** What the server holds: each name with its SHA-256. */
export async function filesIn(baseURL: string | undefined, directory: string): Promise<Record<string, string>> {
  const { data } = await asAdmin(baseURL)('GET', `/v1/file?directory=${directory}&limit=200`)
  return Object.fromEntries(data.map(({ file_name, sha256 }: Record<string, string>) => [file_name, sha256]))
}

/** By the dialog of the directory's own page. */
export async function upload(page: Page, files: Files) {
  await page.getByRole('button', { name: 'Upload file' }).click()
  await chooseFiles(page, files)
  await expect(uploadDialog(page).getByLabel('Directory').locator('option:checked')).toHaveText('Contracts')
  await uploadDialog(page).getByRole('button', { name: 'Upload', exact: true }).click()
  await expect(uploadDialog(page)).toBeHidden()
}

export const chooseFiles = (page: Page, files: Files) =>
  choose(page, () => uploadDialog(page).getByRole('button', { name: 'Choose files' }).click(), files)

export async function choose(page: Page, press: () => Promise<void>, files: Files) {
  const opened = page.waitForEvent('filechooser')
  await press()
  await (await opened).setFiles(files as string)
}

export const note = (name: string, text: string) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(text) })

/** A file that takes minutes on a slow network: see `slow`. */
export function film(info: TestInfo, name = 'Film.mp4', megabytes = 32) {
  const bytes = randomBytes(megabytes * megabyte)
  return { bytes, path: writeFile(info, name, bytes) }
}

export function writeFile(info: TestInfo, name: string, bytes: string | Uint8Array): string {
  const path = join(info.outputPath('files'), name)
  mkdirSync(join(path, '..'), { recursive: true })
  writeFileSync(path, bytes)
  return path
}

/** Three files, two of them of the same name in different sub-folders, and what a Mac leaves behind. */
export function makeFolder(info: TestInfo): string {
  for (const name of ['plan.txt', 'one/note.txt', 'two/note.txt', 'two/.DS_Store']) writeFile(info, `folder/${name}`, name)
  return join(info.outputPath('files'), 'folder')
}

/**
 * Slows uploads down until the network is set to be fast, or is cut. At a twelfth of a megabyte a second a video takes more
 * than six minutes, so it is still uploading whenever a busy machine checks. `mend` restores the same speed, because Chromium
 * was seen to send at full speed after a change to another one.
 */
export async function slow(page: Page, bytesPerSecond = megabyte / 12) {
  const session = await page.context().newCDPSession(page)
  await session.send('Network.enable')
  const change = (uploadThroughput: number, offline = false) =>
    session.send('Network.emulateNetworkConditions', { offline, latency: 0, downloadThroughput: -1, uploadThroughput })
  await change(bytesPerSecond)
  return { fast: () => change(-1), cut: () => change(-1, true), mend: () => change(bytesPerSecond) }
}

export const untilPercent = (page: Page, name: string, percent: number) =>
  expect
    .poll(() =>
      row(page, name)
        .getByRole('progressbar')
        .evaluate(({ value }: HTMLProgressElement) => value),
    )
    .toBeGreaterThanOrEqual(percent)

/** From which byte on each request sends, but for those that are told to ask first where to go on. */
export function watchOffsets(page: Page): number[] {
  const offsets: number[] = []
  const offsetOf = (request: Request) => Number(request.headers()['upload-offset'])
  page.on('request', (request) => {
    if (request.method() === 'PATCH') offsets.push(offsetOf(request))
  })
  page.on('response', (response) => {
    if (response.status() === 409) offsets.splice(offsets.lastIndexOf(offsetOf(response.request())), 1)
  })
  return offsets
}

/** Leaves the page although it warns, and comes back. */
export async function reload(page: Page) {
  page.once('dialog', (dialog) => void dialog.accept())
  await page.reload()
}

/** Waits until an upload begins. Its `ask` is what the server says of it, to the person whose it is. */
export async function beginning(page: Page, baseURL: string | undefined) {
  const created = await page.waitForResponse((reply) => reply.request().method() === 'POST' && reply.url().endsWith('/v1/upload'))
  const location = (await created.headerValue('location')) ?? ''
  const kept = await page.evaluate(() => sessionStorage.getItem('neptune.token'))
  const { token } = JSON.parse(kept ?? '{}')
  const headers = { ...freshly, authorization: `Bearer ${token}`, 'tus-resumable': '1.0.0' }
  return { ask: () => fetch(new URL(location, baseURL), { method: 'HEAD', headers }) }
}

/** Drags real files and folders over the page, as the system would; also over that of a phone. */
export async function dragger(page: Page, files: string[], { x, y } = { x: 200, y: 400 }) {
  const session = await page.context().newCDPSession(page)
  return (type: 'dragEnter' | 'dragOver' | 'drop') =>
    session.send('Input.dispatchDragEvent', { type, x, y, data: { items: [], files, dragOperationsMask: 1 } })
}
