import { readFileSync } from 'node:fs'
import type { Locator } from '@playwright/test'
import { addDirectory, asAdmin, expect, test } from '../fixtures.ts'
import { disableTimers, linkCheckTimeoutMs } from '../timers.ts'
import { chooseAction, opener, openPage, rows, tiles } from './directory-steps.ts'

const names = ['Übersicht 😀 (final).txt', 'Offer “100 %”; v=2.pdf', '契約書.json', 'no ending']

test('downloads a file on a click on its name in the list or on its tile, with its own name and identical bytes', async ({
  page,
  baseURL,
}) => {
  const files = Object.fromEntries(names.map((name) => [name, Buffer.from(`bytes of ${name}\0\u00ff`)]))
  const { id } = await addDirectory(baseURL, 'Plans', files)
  await openPage(page, `/directories/${id}`)
  await expect(rows(page)).toHaveCount(names.length)
  for (const [i, name] of names.entries()) {
    if (i === names.length / 2) await page.getByRole('button', { name: 'Tiles' }).click()
    const calls: string[] = []
    const record = (request: { method: () => string; url: () => string }) =>
      calls.push(`${request.method()} ${new URL(request.url()).pathname.replace(/[\w-]{22}.*/, '…')}`)
    page.on('request', record)
    const started = page.waitForEvent('download')
    await opener(page, name).click()
    const download = await started
    page.off('request', record)
    const fileCalls = calls.filter((call) => call.includes('/v1/file/'))
    expect(fileCalls.slice(0, 2)).toEqual(['HEAD /v1/file/…', 'POST /v1/file/…'])
    expect(download.suggestedFilename()).toBe(name)
    expect(readFileSync(await download.path())).toEqual(files[name])
  }
  await expect(page).toHaveURL(new RegExp(`/directories/${id}$`))
})

test('downloads once on a double-click', async ({ page, baseURL }) => {
  const { id } = await addDirectory(baseURL, 'Plans', { 'Offer.pdf': 'x' })
  await openPage(page, `/directories/${id}`)
  let tickets = 0
  page.on('request', (request) => request.url().endsWith('/ticket') && tickets++)
  const started = page.waitForEvent('download')
  await opener(page, 'Offer.pdf').dblclick()
  await started
  expect(tickets).toBe(1)
})

test('downloads a whole directory as one ZIP, from its page and from its tile', async ({ page, baseURL }) => {
  const files = { 'Übersicht 😀.txt': 'first bytes', 'b.txt': 'second bytes' }
  const { id } = await addDirectory(baseURL, 'Pläne', files)
  await openPage(page, `/directories/${id}`)
  await expect(page.getByText('2 files · 23 B')).toBeVisible()
  const fromPage = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download all' }).click()
  const zips = [await fromPage]
  await page.goto('/directories')
  const fromTile = page.waitForEvent('download')
  await chooseAction(page, 'Pläne', 'Download all (ZIP)')
  zips.push(await fromTile)
  for (const zip of zips) {
    expect(zip.suggestedFilename()).toBe('Pläne.zip')
    expect(unzip(readFileSync(await zip.path()))).toEqual(files)
  }
})

test('shows an image’s thumbnail in its row and on its directory’s tile', { tag: '@slow' }, async ({ page, baseURL }) => {
  const { id } = await addDirectory(baseURL, 'Pictures', { 'dot.png': Buffer.from(onePixelPng, 'base64'), 'notes.txt': 'x' })
  await openPage(page, `/directories/${id}`)
  const readImageWidth = (items: Locator) =>
    items
      .first()
      .locator('img')
      .evaluate((picture: HTMLImageElement) => picture.naturalWidth, undefined, { timeout: 5000 })
      .catch(() => 0)
  // The thumbnail is drawn after the upload, and then appears without a reload.
  await expect.poll(() => readImageWidth(rows(page))).toBeGreaterThan(0)
  await expect(rows(page).last().locator('svg').first()).toBeVisible()
  await page.goto('/directories')
  await expect.poll(() => readImageWidth(tiles(page, 'Directories'))).toBeGreaterThan(0)
})

test('reports a file that no longer exists and removes it from the list', { tag: '@slow' }, async ({ page, baseURL }) => {
  const { id, ids } = await addDirectory(baseURL, 'Plans', { 'Offer.pdf': 'x', 'Other.pdf': 'y' })
  await openPage(page, `/directories/${id}`)
  await expect(rows(page)).toHaveCount(2)
  await asAdmin(baseURL)('DELETE', `/v1/file/${ids['Offer.pdf']}`)
  await opener(page, 'Offer.pdf').click()
  await expect(page.getByText('“Offer.pdf” no longer exists.')).toBeVisible()
  await expect(rows(page)).toHaveText([/Other\.pdf/])
})

test('reaches a row, opens its menu and renames the file with the keyboard', { tag: '@slow' }, async ({ page, baseURL }) => {
  const { id } = await addDirectory(baseURL, 'Plans', { 'a.txt': 'x', 'b.txt': 'y', 'c.txt': 'z' })
  await openPage(page, `/directories/${id}`)
  await expect(rows(page)).toHaveCount(3)
  await page.getByRole('checkbox', { name: 'Select a.txt' }).focus()
  await page.keyboard.press('Tab')
  await expect(opener(page, 'a.txt')).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await expect(opener(page, 'b.txt')).toBeFocused()
  await page.keyboard.press('Tab')
  const menu = page.getByRole('button', { name: 'Actions for b.txt' })
  await expect(menu).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('menuitem', { name: 'Rename' })).toBeVisible()
  await page.keyboard.type('Ren')
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Rename file' })
  await expect(dialog.getByLabel('Name')).toBeFocused()
  await page.keyboard.type('d') // only the name without its extension is selected
  await page.keyboard.press('Enter')
  await expect(dialog).toBeHidden()
  await expect(page.getByText('Renamed to “d.txt”.')).toBeVisible()
  await expect(rows(page)).toHaveText([/a\.txt/, /c\.txt/, /d\.txt/])
})

test('shows errors in a name below its field', { tag: '@slow' }, async ({ page, baseURL }) => {
  const { id } = await addDirectory(baseURL, 'Plans', { 'a.txt': 'x', 'b.txt': 'y' })
  await addDirectory(baseURL, 'Offers')
  await openPage(page, `/directories/${id}`)
  await chooseAction(page, 'a.txt', 'Rename')
  const file = page.getByRole('dialog', { name: 'Rename file' })
  for (const [name, reason] of [
    ['', 'Enter a name.'],
    ['B.TXT', 'A folder or file with this name already exists here. Choose a different name.'],
    ['a\\b.txt', 'This name contains a slash or a backslash.'],
  ] as const) {
    await file.getByRole('textbox', { name: 'Name' }).fill(name)
    await file.getByRole('button', { name: 'Rename' }).click()
    await expect(file.getByRole('textbox', { name: 'Name' })).toHaveAccessibleDescription(reason)
  }
  await page.goto('/directories')
  await chooseAction(page, 'Offers', 'Rename')
  const directory = page.getByRole('dialog', { name: 'Rename directory' })
  await directory.getByRole('textbox', { name: 'Name' }).fill('plans')
  await directory.getByRole('button', { name: 'Rename' }).click()
  await expect(directory.getByRole('textbox', { name: 'Name' })).toHaveAccessibleDescription(
    /A directory, folder or file with this name already exists here/,
  )
  await directory.getByRole('textbox', { name: 'Name' }).fill('Offers 2026')
  await directory.getByRole('button', { name: 'Rename' }).click()
  await expect(tiles(page, 'Directories')).toHaveText([/Offers 2026/, /Plans/])
})

test('restores a deleted file, and a directory with its files, on Undo', async ({ page, baseURL }) => {
  await disableTimers(page, linkCheckTimeoutMs)
  const { id } = await addDirectory(baseURL, 'Plans', { 'a.txt': 'x', 'b.txt': 'y' })
  await openPage(page, `/directories/${id}`)
  await chooseAction(page, 'a.txt', 'Delete')
  await expect(page.getByText('Deleted “a.txt”.')).toBeVisible()
  await expect(rows(page)).toHaveText([/b\.txt/])
  await expect(opener(page, 'b.txt')).toBeFocused()
  await expect(page.getByText('1 file · 1 B')).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText('Restored “a.txt”.')).toBeVisible()
  await expect(rows(page)).toHaveText([/a\.txt/, /b\.txt/])

  await page.goto('/directories')
  await chooseAction(page, 'Plans', 'Delete')
  await expect(page.getByText('No directories yet.')).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(tiles(page, 'Directories')).toHaveText([/Plans.*2 files · 2 B/])
})

/** A PNG of one pixel. */
const onePixelPng = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=='

/** Returns the contents of an uncompressed ZIP by file name. */
function unzip(zip: Buffer): Record<string, string> {
  const end = zip.lastIndexOf(Buffer.from('PK\x05\x06'))
  const files: Record<string, string> = {}
  let offset = zip.readUInt32LE(end + 16)
  for (let count = zip.readUInt16LE(end + 10); count > 0; count--) {
    const [size, name, extra, comment, start] = [
      zip.readUInt32LE(offset + 24),
      zip.readUInt16LE(offset + 28),
      zip.readUInt16LE(offset + 30),
      zip.readUInt16LE(offset + 32),
      zip.readUInt32LE(offset + 42),
    ]
    const bytes = start + 30 + zip.readUInt16LE(start + 26) + zip.readUInt16LE(start + 28)
    files[zip.toString('utf8', offset + 46, offset + 46 + name)] = zip.toString('utf8', bytes, bytes + size)
    offset += 46 + name + extra + comment
  }
  return files
}
