import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expectClean, looks } from './expect-clean.ts'
import { addUser, asAdmin, expect, kim, openAsAdmin, signIn, test } from './fixtures.ts'
import {
  choose,
  chooseFiles,
  dragger,
  film,
  makeFolder,
  note,
  openDirectory,
  row,
  sha256,
  slow,
  tray,
  untilPercent,
  upload,
  uploadDialog,
  uploadStatus,
  withPlainPicker,
  writeFile,
} from './upload-steps.ts'

const warning = 'This information could be displayed publicly without an access token so be careful what you share.'

test.beforeEach(async ({ page }) => {
  await withPlainPicker(page)
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
  await expect(tray(page).getByText('200 uploaded')).toBeVisible({ timeout: 120_000 })
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
    await expect(page.getByText('Drop to upload to Contracts')).toBeVisible({ timeout: 1000 })
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

for (const { colorScheme, width } of looks) {
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
