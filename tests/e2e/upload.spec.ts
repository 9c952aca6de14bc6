import { createHash, randomBytes } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page, TestInfo } from '@playwright/test'
import { startNeptune } from '../support/start-neptune.ts'
import { expectClean } from './expect-clean.ts'
import { addUser, asAdmin, expect, kim, signIn, signOut, test } from './fixtures.ts'

const megabyte = 1024 * 1024

test.beforeEach(async ({ page }) => {
  // Most browsers have only the input to choose files; the other way has a story of its own.
  await page.addInitScript(() => Reflect.deleteProperty(window, 'showOpenFilePicker'))
  // Listening from the start: a key is quicker than the listening for what it opens.
  page.on('filechooser', () => undefined)
})

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
  await page.goto('/dashboard')
  await signIn(page)
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
  const call = await asAdmin(baseURL)
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
  await drag('dragEnter')
  await drag('dragOver')
  await expect(page.getByText('Drop to upload to Contracts')).toBeVisible()
  await drag('drop')
  await expect(page.getByText('Drop to upload to Contracts')).toBeHidden()
  await expect(tray(page).getByText('3 uploaded')).toBeVisible()
  expect(Object.keys(await files())).toHaveLength(3)
  expect(page.url()).toContain(directory)

  await page.getByRole('link', { name: 'Directories' }).click()
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

test('progress shows in the tray and the title, leaving warns, and the tray stays from page to page', async ({
  page,
  baseURL,
}, info) => {
  const { files } = await openDirectory(page, baseURL)
  const network = await slow(page)
  const { bytes, path } = film(info)
  await upload(page, path)
  const bar = row(page, 'Film.mp4').getByRole('progressbar')
  await expect.poll(() => bar.evaluate((element: HTMLProgressElement) => element.value)).toBeGreaterThan(0)
  await expect(tray(page).getByText(/^0 of 1 · \d+ % · \d+ s left$/)).toBeVisible()
  await expect(row(page, 'Film.mp4')).toContainText(/of 8\.4 MB · \d+ s left/)
  await expect(page).toHaveTitle(/^\d+ % · Contracts · Neptune$/)
  const speed = row(page, 'Film.mp4').getByText(/MB\/s/)
  await expect(speed).toBeHidden()
  await row(page, 'Film.mp4').hover()
  await expect(speed).toBeVisible()

  await page.getByRole('link', { name: 'Users' }).click()
  await expect(page).toHaveTitle(/^\d+ % · Users · Neptune$/)
  await expect(bar).toBeVisible()
  const asked = page.waitForEvent('dialog')
  const leaving = page.evaluate(() => location.reload())
  const question = await asked
  expect(question.type()).toBe('beforeunload')
  await question.dismiss()
  await leaving
  await tray(page).getByRole('button', { name: 'Fold uploads' }).click()
  await expect(bar).toBeHidden()
  await expect(tray(page).getByText(/^0 of 1 · \d+ %/)).toBeVisible()
  await network.fast()
  await expect(tray(page).getByText('Uploaded', { exact: true })).toBeVisible()
  await expect(page).toHaveTitle('Users · Neptune')
  expect(await files()).toEqual({ 'Film.mp4': sha256(bytes) })
})

test('an upload cut off in the middle waits for the network and goes on to the same bytes', async ({
  page,
  baseURL,
  context,
}, info) => {
  const { files } = await openDirectory(page, baseURL)
  const network = await slow(page)
  const offsets = watchOffsets(page)
  const { bytes, path } = film(info)
  await upload(page, path)
  await untilPercent(page, 'Film.mp4', 20)
  await context.setOffline(true)
  await expect(row(page, 'Film.mp4')).toContainText('Waiting for the network')
  await expect(
    tray(page)
      .getByText(/Waiting for the network$/)
      .first(),
  ).toBeVisible()
  await network.fast()
  await context.setOffline(false)
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
  const network = await slow(page)
  const offsets = watchOffsets(page)
  const { bytes, path } = film(info)
  await upload(page, path)
  await untilPercent(page, 'Film.mp4', 20)
  neptune.process.kill('SIGKILL')
  await neptune.ended
  await expect(row(page, 'Film.mp4')).toContainText('Waiting for the network')
  await network.fast()
  await using _again = await startNeptune({ DATA_DIR: join(neptune.folder, 'data'), PORT: new URL(neptune.url).port })
  await expect(tray(page).getByText('Uploaded', { exact: true })).toBeVisible({ timeout: 60_000 })
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
  await untilPercent(page, 'Film.mp4', 20)
  await reload(page)
  await network.fast()
  await expect(row(page, 'Film.mp4')).toContainText('Choose the file again to go on.')
  const offsets = watchOffsets(page)

  const other = writeFile(info, 'other/Film.mp4', randomBytes(megabyte))
  await choose(page, () => page.getByRole('button', { name: 'Choose Film.mp4 again' }).click(), other)
  await expect(row(page, 'Film.mp4')).toContainText('That one has 1.0 MB, not 8.4 MB.')
  await choose(page, () => page.getByRole('button', { name: 'Choose Film.mp4 again' }).click(), path)
  await expect(tray(page).getByText('Uploaded', { exact: true })).toBeVisible()
  expect(offsets).toHaveLength(1)
  expect(offsets[0]).toBeGreaterThan(megabyte / 2)
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
        await writer.write(new Uint8Array(8 * 1024 * 1024).map((_, i) => i % 251))
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
  await untilPercent(page, 'Film.mp4', 20)
  const offsets = watchOffsets(page)
  await reload(page)
  await untilPercent(page, 'Film.mp4', 40)
  expect(offsets[0]).toBeGreaterThan(0)
  await page.evaluate(() => sessionStorage.setItem('test.asks', 'yes'))
  await reload(page)
  await network.fast()
  await expect(row(page, 'Film.mp4')).toContainText('Neptune may read the file again once you allow it.')
  await page.getByRole('button', { name: 'Allow reading Film.mp4' }).click()
  await expect(tray(page).getByText('Uploaded', { exact: true })).toBeVisible()
  expect(offsets.at(-1)).toBeGreaterThan(offsets[0] ?? 0)
  const bytes = new Uint8Array(8 * megabyte).map((_, i) => i % 251)
  expect(await files()).toEqual({ 'Film.mp4': sha256(bytes) })
})

test('a file that is changed while it is on its way is not sent half old, half new', async ({ page, baseURL }, info) => {
  const { files } = await openDirectory(page, baseURL)
  const network = await slow(page)
  const { path } = film(info)
  await upload(page, path)
  await untilPercent(page, 'Film.mp4', 5)
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
  await untilPercent(page, 'Film.mp4', 2)
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
  const { files } = await openDirectory(page, baseURL)
  const network = await slow(page)
  const { bytes, path } = film(info)
  await upload(page, path)
  await untilPercent(page, 'Film.mp4', 20)
  const { data } = await (await asAdmin(baseURL))('GET', '/v1/identity/session')
  for (const { id, current } of data)
    if (!current) await (await asAdmin(baseURL))('DELETE', `/v1/identity/session/${id}`).catch(() => undefined)
  await row(page, 'Film.mp4').getByRole('button', { name: 'Pause Film.mp4' }).click()
  await row(page, 'Film.mp4').getByRole('button', { name: 'Resume Film.mp4' }).click()
  await expect(page).toHaveURL(/\/login$/)
  await network.fast()
  await signIn(page)
  await expect(tray(page).getByText('Uploaded', { exact: true })).toBeVisible()
  expect(await files()).toEqual({ 'Film.mp4': sha256(bytes) })
})

test('who signs out leaves no uploads behind', async ({ page, baseURL }, info) => {
  await openDirectory(page, baseURL)
  await slow(page)
  await upload(page, film(info).path)
  await untilPercent(page, 'Film.mp4', 2)
  await signOut(page)
  await expect(page).toHaveURL(/\/login$/)
  await expect(page).toHaveTitle(/^(?!\d)/)
  await signIn(page)
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible()
  await page.reload() // asks nothing, and finds nothing
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible()
  await expect(tray(page)).toBeHidden()
})

test('uploads pause and go on, alone and together, and are given up on the server too', async ({ page, baseURL }, info) => {
  const { files } = await openDirectory(page, baseURL)
  const network = await slow(page)
  const created = page.waitForResponse((reply) => reply.request().method() === 'POST' && reply.url().endsWith('/v1/upload'))
  await upload(page, film(info, 'first.bin').path)
  const location = (await (await created).headerValue('location')) ?? ''
  await untilPercent(page, 'first.bin', 5)
  await row(page, 'first.bin').getByRole('button', { name: 'Pause first.bin' }).click()
  await expect(row(page, 'first.bin')).toContainText(/Paused · .* of 8\.4 MB/)
  await expect(row(page, 'first.bin').getByRole('button', { name: 'Resume first.bin' })).toBeFocused()
  await expect(tray(page).getByText(/^0 of 1 · \d+ % · Paused$/)).toBeVisible()
  await upload(page, film(info, 'second.bin').path)
  await untilPercent(page, 'second.bin', 5)
  await tray(page).getByRole('button', { name: 'Pause all' }).click()
  await expect(row(page, 'second.bin')).toContainText('Paused')
  const status = () => uploadStatus(baseURL, page, location)
  await expect.poll(status).toBe(200)

  await row(page, 'first.bin').getByRole('button', { name: 'Cancel first.bin' }).click()
  await expect(row(page, 'first.bin')).toHaveCount(0)
  await expect.poll(status).toBe(404)
  await expect(row(page, 'second.bin').getByRole('button').first()).toBeFocused()
  await network.fast()
  await tray(page).getByRole('button', { name: 'Resume all' }).click()
  await expect(tray(page).getByText('Uploaded', { exact: true })).toBeVisible()
  expect(Object.keys(await files())).toEqual(['second.bin'])
})

test('names that are taken are asked about once: keep both, replace, or each for itself', async ({ page, baseURL }) => {
  const { files } = await openDirectory(page, baseURL)
  const three = (text: string) => ['a.txt', 'b.txt', 'c.txt'].map((name) => note(name, text))
  await upload(page, three('old'))
  await expect(tray(page).getByText('3 uploaded')).toBeVisible()
  await tray(page).getByRole('button', { name: 'Clear finished' }).click()

  const question = page.getByRole('dialog', { name: 'These names are taken' })
  await upload(page, [...three('new').slice(0, 2), note('D.txt', 'd')])
  await expect(question).toContainText('Contracts has 2 of your 3 files already.')
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

test.describe('on a server that takes little', () => {
  test.use({ settings: { MAX_UPLOAD_BYTES: '1000000' } })

  test('what is refused says what to do, and offers another try where that can help', async ({ page, baseURL }, info) => {
    const { files, directory, call } = await openDirectory(page, baseURL)
    await upload(page, [film(info).path, writeFile(info, 'a\u202eb.txt', 'x')])
    await expect(row(page, 'Film.mp4')).toContainText('Larger than this server accepts.')
    await expect(row(page, 'b.txt')).toContainText(/turn the direction.*Rename it/)
    await expect(tray(page).getByText('0 of 2 · 2 failed')).toBeVisible()
    await expect(tray(page).getByRole('button', { name: /Retry/ })).toHaveCount(0)
    for (const name of ['Clear Film.mp4', /Clear a/]) await tray(page).getByRole('button', { name }).click()
    await expect(tray(page)).toBeHidden()

    await page.route('**/v1/upload', (route) =>
      route.request().method() === 'POST'
        ? route.fulfill({
            status: 507,
            contentType: 'application/problem+json',
            json: { type: 'about:blank', title: '', status: 507, code: 'storage.full', detail: 'Full.' },
          })
        : route.fallback(),
    )
    await upload(page, [note('late.txt', 'late')])
    await expect(row(page, 'late.txt')).toContainText('The server has no room left.')
    await page.unroute('**/v1/upload')
    await call('DELETE', `/v1/directory/${directory}`)
    await row(page, 'late.txt').getByRole('button', { name: 'Retry late.txt' }).click()
    await expect(row(page, 'late.txt')).toContainText('The directory is gone.')
    await call('POST', `/v1/directory/${directory}/restore`)
    await tray(page).getByRole('button', { name: 'Retry all' }).click()
    await expect(tray(page).getByText('Uploaded', { exact: true })).toBeVisible()
    expect(await files()).toEqual({ 'late.txt': sha256('late') })
  })
})

test('everything can be done by keyboard, and the focus is never lost', async ({ page, baseURL }, info) => {
  await openDirectory(page, baseURL)
  await slow(page)
  const button = page.getByRole('button', { name: 'Upload file' })
  await button.focus()
  await page.keyboard.press('Enter')
  await expect(uploadDialog(page).getByLabel('Company')).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(uploadDialog(page).getByLabel('Directory').locator('option:checked')).toHaveText('Contracts')
  await page.keyboard.press('Tab')
  await choose(page, () => page.keyboard.press('Enter'), [film(info, 'one.bin').path, film(info, 'two.bin').path])
  await uploadDialog(page).getByRole('button', { name: 'Remove one.bin' }).focus()
  await page.keyboard.press('Enter')
  await expect(uploadDialog(page).getByRole('button', { name: 'Choose files' })).toBeFocused()
  await choose(page, () => page.keyboard.press('Enter'), film(info, 'one.bin').path)
  await uploadDialog(page).getByRole('button', { name: 'Upload', exact: true }).focus()
  await page.keyboard.press('Enter')
  await expect(uploadDialog(page)).toBeHidden()
  await expect(button).toBeFocused()
  await expect(tray(page)).toBeVisible()

  const fold = tray(page).getByRole('button', { name: /old uploads/ })
  await fold.focus()
  await page.keyboard.press('Enter')
  await expect(fold).toHaveAttribute('aria-expanded', 'false')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  await expect(tray(page).getByRole('button', { name: 'Pause all' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(tray(page).getByRole('button', { name: 'Resume all' })).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(tray(page).getByRole('button', { name: 'Cancel all' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(tray(page).getByRole('button', { name: 'Cancel 2 uploads' })).toBeFocused()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await expect(tray(page).getByRole('button', { name: 'Cancel two.bin' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(row(page, 'two.bin')).toHaveCount(0)
  await expect(tray(page).getByRole('button', { name: 'Resume one.bin' })).toBeFocused()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(tray(page)).toBeHidden()
  await expect(page.getByRole('main')).toBeFocused()
})

for (const colorScheme of ['light', 'dark'] as const) {
  // quality.spec.ts looks at every screen in all four; here each theme and each width once.
  for (const width of colorScheme === 'light' ? [1280] : [390]) {
    test(`axe finds nothing in the dialogs and the tray: ${colorScheme}, ${width} wide`, async ({ page, baseURL }, info) => {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      await page.setViewportSize({ width, height: 844 })
      await openDirectory(page, baseURL)
      const taken = writeFile(info, 'note.txt', 'x')
      await upload(page, taken)
      await expect(tray(page).getByText('Uploaded', { exact: true })).toBeVisible()
      await page.getByRole('button', { name: 'Upload file' }).click()
      await uploadDialog(page).getByRole('button', { name: 'Upload', exact: true }).click()
      await expectClean(page, 'the dialog with errors')
      await chooseFiles(page, [taken, film(info, 'one.bin').path])
      await expectClean(page, 'the dialog with files')
      await uploadDialog(page).getByRole('button', { name: 'Upload', exact: true }).click()
      await expectClean(page, 'the question')
      const network = await slow(page)
      await page.getByRole('dialog').getByRole('button', { name: 'Upload' }).click()
      if (width < 768) {
        await expectClean(page, 'the folded tray')
        await tray(page).getByRole('button', { name: 'Unfold uploads' }).click()
      }
      await untilPercent(page, 'one.bin', 1)
      await expectClean(page, 'the tray')
      await network.cut()
      await expect(row(page, 'one.bin')).toContainText('Waiting for the network')
      await expectClean(page, 'the waiting tray')
    })
  }
}

const warning = 'This information could be displayed publicly without an access token so be careful what you share.'

const uploadDialog = (page: Page) => page.getByRole('dialog', { name: 'Upload File' })
const tray = (page: Page) => page.getByRole('region', { name: 'Uploads' })
const row = (page: Page, name: string) => tray(page).getByRole('listitem').filter({ hasText: name })
const sha256 = (bytes: string | Uint8Array) => createHash('sha256').update(bytes).digest('hex')

type Files = Parameters<ReturnType<Page['locator']>['setInputFiles']>[0]

/** A directory called Contracts, whose page is shown to the admin. `files` says what the server holds in it: each name with its SHA-256. */
async function openDirectory(page: Page, baseURL: string | undefined) {
  const call = await asAdmin(baseURL)
  const { data: companies } = await call('GET', '/v1/admin/company')
  const { data } = await call('POST', '/v1/directory', { directory: 'Contracts', client: companies[0].id })
  await page.goto(`/directories/${data.id}`)
  await signIn(page)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Contracts')
  const files = async (): Promise<Record<string, string>> => {
    const { data: rows } = await (await asAdmin(baseURL))('GET', `/v1/file?directory=${data.id}&limit=200`)
    return Object.fromEntries(rows.map(({ file_name, sha256 }: Record<string, string>) => [file_name, sha256]))
  }
  return { directory: data.id as string, files, call }
}

/** By the dialog of the directory's own page. */
async function upload(page: Page, files: Files) {
  await page.getByRole('button', { name: 'Upload file' }).click()
  await chooseFiles(page, files)
  await expect(uploadDialog(page).getByLabel('Directory').locator('option:checked')).toHaveText('Contracts')
  await uploadDialog(page).getByRole('button', { name: 'Upload', exact: true }).click()
  await expect(uploadDialog(page)).toBeHidden()
}

const chooseFiles = (page: Page, files: Files) =>
  choose(page, () => uploadDialog(page).getByRole('button', { name: 'Choose files' }).click(), files)

async function choose(page: Page, press: () => Promise<void>, files: Files) {
  const opened = page.waitForEvent('filechooser')
  await press()
  await (await opened).setFiles(files as string)
}

const note = (name: string, text: string) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(text) })

/** Large enough to take a while on a slow network. */
function film(info: TestInfo, name = 'Film.mp4') {
  const bytes = randomBytes(8 * megabyte)
  return { bytes, path: writeFile(info, name, bytes) }
}

function writeFile(info: TestInfo, name: string, bytes: string | Uint8Array): string {
  const path = join(info.outputPath('files'), name)
  mkdirSync(join(path, '..'), { recursive: true })
  writeFileSync(path, bytes)
  return path
}

/** Three files, two of them of the same name in different sub-folders, and what a Mac leaves behind. */
function makeFolder(info: TestInfo): string {
  for (const name of ['plan.txt', 'one/note.txt', 'two/note.txt', 'two/.DS_Store']) writeFile(info, `folder/${name}`, name)
  return join(info.outputPath('files'), 'folder')
}

/** Slows sending down to a megabyte a second, until the network is told to be fast, or cut. */
async function slow(page: Page) {
  const session = await page.context().newCDPSession(page)
  const conditions = { offline: false, latency: 0, downloadThroughput: -1 }
  await session.send('Network.enable')
  await session.send('Network.emulateNetworkConditions', { ...conditions, uploadThroughput: megabyte })
  const change = (changes: object) =>
    session.send('Network.emulateNetworkConditions', { ...conditions, uploadThroughput: -1, ...changes })
  return { fast: () => change({}), cut: () => change({ offline: true }) }
}

/** From which byte on each request sends. */
function watchOffsets(page: Page): number[] {
  const offsets: number[] = []
  page.on('request', (request) => {
    if (request.method() === 'PATCH') offsets.push(Number(request.headers()['upload-offset']))
  })
  return offsets
}

const untilPercent = (page: Page, name: string, percent: number) =>
  expect
    .poll(() =>
      row(page, name)
        .getByRole('progressbar')
        .evaluate((bar: HTMLProgressElement) => bar.value),
    )
    .toBeGreaterThanOrEqual(percent)

/** Leaves the page although it warns, and comes back. */
async function reload(page: Page) {
  page.once('dialog', (dialog) => void dialog.accept())
  await page.reload()
}

/** What the server says of an upload, to the person whose it is. */
async function uploadStatus(baseURL: string | undefined, page: Page, location: string): Promise<number> {
  const kept = await page.evaluate(() => sessionStorage.getItem('neptune.token'))
  const { token } = JSON.parse(kept ?? '{}')
  const headers = { authorization: `Bearer ${token}`, 'tus-resumable': '1.0.0' }
  return (await fetch(new URL(location, baseURL), { method: 'HEAD', headers })).status
}

/** Drags real files and folders over the middle of the page, as the system would. */
async function dragger(page: Page, files: string[]) {
  const session = await page.context().newCDPSession(page)
  return (type: 'dragEnter' | 'dragOver' | 'drop') =>
    session.send('Input.dispatchDragEvent', { type, x: 400, y: 400, data: { items: [], files, dragOperationsMask: 1 } })
}
