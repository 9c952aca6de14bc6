import { expectClean, looks } from '../expect-clean.ts'
import { expect, test } from '../fixtures.ts'
import {
  chooseFiles,
  chooseInFileChooser,
  openDirectory,
  prepareFileChooser,
  sha256,
  slowDownUploads,
  textFile,
  tray,
  trayRow,
  upload,
  uploadDialog,
  waitForPercent,
  waitForUpload,
  writeFile,
  writeVideo,
} from './upload-steps.ts'

test.beforeEach(({ page }) => prepareFileChooser(page))

test('shows progress in the tray and the title, warns before leaving, and keeps the tray across pages', async ({
  page,
  baseURL,
}, info) => {
  const { listHashes } = await openDirectory(page, baseURL)
  const network = await slowDownUploads(page)
  const { bytes, path } = writeVideo(info)
  await upload(page, path)
  const bar = trayRow(page, 'Film.mp4').getByRole('progressbar')
  await waitForPercent(page, 'Film.mp4', 1)
  await expect(tray(page).getByText(/^0 of 1 · \d+ % · \d+ (s|min) left$/)).toBeVisible()
  await expect(trayRow(page, 'Film.mp4')).toContainText(/of 33\.6 MB · \d+ (s|min) left/)
  await expect(page).toHaveTitle(/^\d+ % · Contracts · Neptune$/)
  const speed = trayRow(page, 'Film.mp4').getByText(/[KM]B\/s/)
  await expect(speed).toBeHidden()
  await trayRow(page, 'Film.mp4').hover()
  await expect(speed).toBeVisible()

  await page.getByRole('link', { name: 'Users' }).click()
  await expect(page).toHaveTitle(/^\d+ % · Users · Neptune$/)
  await expect(bar).toBeVisible()
  const dialogOpened = page.waitForEvent('dialog')
  const leaving = page.evaluate(() => location.reload())
  const warning = await dialogOpened
  expect(warning.type()).toBe('beforeunload')
  await warning.dismiss()
  await leaving
  await tray(page).getByRole('button', { name: 'Collapse uploads' }).click()
  await expect(bar).toBeHidden()
  await expect(tray(page).getByText(/^0 of 1 · \d+ %/)).toBeVisible()
  await network.removeLimits()
  await expect(tray(page).getByText('1 uploaded')).toBeVisible()
  await expect(page).toHaveTitle('Users · Neptune')
  expect(await listHashes()).toEqual({ 'Film.mp4': sha256(bytes) })
})

test(
  'pauses one or all uploads, resumes all, and cancels one on the server, too',
  { tag: '@slow' },
  async ({ page, baseURL }, info) => {
    const { listHashes } = await openDirectory(page, baseURL)
    const network = await slowDownUploads(page)
    const created = waitForUpload(page, baseURL)
    await upload(page, writeVideo(info, 'first.bin').path)
    const { head } = await created
    await waitForPercent(page, 'first.bin', 1)
    await trayRow(page, 'first.bin').getByRole('button', { name: 'Pause first.bin' }).click()
    await expect(trayRow(page, 'first.bin')).toContainText(/Paused · .* of 33\.6 MB/)
    await expect(trayRow(page, 'first.bin').getByRole('button', { name: 'Resume first.bin' })).toBeFocused()
    await expect(tray(page).getByText(/^0 of 1 · \d+ % · Paused$/)).toBeVisible()
    await upload(page, writeVideo(info, 'second.bin').path)
    await waitForPercent(page, 'second.bin', 1)
    await tray(page).getByRole('button', { name: 'Pause all' }).click()
    await expect(trayRow(page, 'second.bin')).toContainText('Paused')
    const status = async () => (await head()).status
    await expect.poll(status).toBe(200)

    await trayRow(page, 'first.bin').getByRole('button', { name: 'Cancel first.bin' }).click()
    await expect(trayRow(page, 'first.bin')).toHaveCount(0)
    await expect.poll(status).toBe(404)
    await expect(trayRow(page, 'second.bin').getByRole('button').first()).toBeFocused()
    await network.removeLimits()
    await tray(page).getByRole('button', { name: 'Resume all' }).click()
    await expect(tray(page).getByText('1 uploaded')).toBeVisible()
    expect(Object.keys(await listHashes())).toEqual(['second.bin'])
  },
)

test('collapses to one line when everything has finished, and expands on request', { tag: '@slow' }, async ({
  page,
  baseURL,
}) => {
  await openDirectory(page, baseURL)
  await page.route('**/v1/upload/*', (route) =>
    route.request().headers()['upload-offset'] === '0' ? route.abort() : route.fallback(),
  )
  await upload(page, [textFile('one.txt', 'one'), textFile('two.txt', 'two')])
  const toggle = tray(page).getByRole('button', { name: /(Expand|Collapse) uploads/ })
  await expect(trayRow(page, 'one.txt')).toContainText('Waiting for the network')
  await expect(toggle).toHaveAttribute('aria-expanded', 'true')
  await page.unroute('**/v1/upload/*')

  await expect(tray(page).getByText('2 uploaded')).toBeVisible()
  await expect(page.getByRole('status').filter({ hasText: 'Uploads: 2 done.' })).toBeAttached()
  await expect(toggle).toHaveAttribute('aria-expanded', 'false')
  await expect(tray(page).getByRole('listitem')).toHaveCount(0)
  await toggle.click()
  await expect(toggle).toHaveAttribute('aria-expanded', 'true')
  await expect(tray(page).getByRole('listitem')).toHaveCount(2)

  await upload(page, [textFile('three.txt', 'three')])
  await expect(tray(page).getByText('3 uploaded')).toBeVisible()
  await expect(toggle).toHaveAttribute('aria-expanded', 'false')
  await tray(page).getByRole('button', { name: 'Clear finished' }).click()
  await expect(tray(page)).toBeHidden()
})

test('keeps the tray open if an upload has failed', { tag: '@slow' }, async ({ page, baseURL }) => {
  await openDirectory(page, baseURL)
  await upload(page, [textFile('good.txt', 'good'), textFile('a\u202eb.txt', 'bad')])
  await expect(tray(page).getByText('1 of 2 · 1 failed')).toBeVisible()
  await expect(tray(page).getByRole('button', { name: 'Collapse uploads' })).toHaveAttribute('aria-expanded', 'true')
  await expect(trayRow(page, 'b.txt')).toContainText('Rename it')
  await tray(page)
    .getByRole('button', { name: /Clear a/ })
    .click()
  await expect(tray(page).getByText('1 uploaded')).toBeVisible()
  await expect(tray(page).getByRole('button', { name: 'Expand uploads' })).toBeFocused()
})

test.describe('on a server with a low size limit', () => {
  test.use({ settings: { MAX_UPLOAD_BYTES: '1000000' } })

  test('says what to do about a rejected upload, and offers a retry where it can help', async ({ page, baseURL }, info) => {
    const { listHashes, directory, call } = await openDirectory(page, baseURL)
    await upload(page, [writeVideo(info).path, writeFile(info, 'a\u202eb.txt', 'x')])
    await expect(trayRow(page, 'Film.mp4')).toContainText('This file is larger than the server accepts.')
    await expect(trayRow(page, 'b.txt')).toContainText(/change the writing direction.*Rename it/)
    await expect(tray(page).getByText('0 of 2 · 2 failed')).toBeVisible()
    await expect(tray(page).getByRole('button', { name: /Retry/ })).toHaveCount(0)
    for (const name of ['Clear Film.mp4', /Clear a/]) await tray(page).getByRole('button', { name }).click()
    await expect(tray(page)).toBeHidden()

    await page.route('**/v1/upload', (route) =>
      route.request().method() === 'POST'
        ? route.fulfill({
            status: 507,
            contentType: 'application/problem+json',
            json: {
              type: 'about:blank',
              title: '',
              status: 507,
              code: 'storage.full',
              detail: 'This server has run out of storage.',
            },
          })
        : route.fallback(),
    )
    await upload(page, [textFile('late.txt', 'late')])
    await expect(trayRow(page, 'late.txt')).toContainText('This server has run out of storage.')
    await page.unroute('**/v1/upload')
    await call('DELETE', `/v1/directory/${directory}`)
    await trayRow(page, 'late.txt').getByRole('button', { name: 'Retry late.txt' }).click()
    await expect(trayRow(page, 'late.txt')).toContainText('This directory was deleted or moved')
    await call('POST', `/v1/directory/${directory}/restore`)
    await tray(page).getByRole('button', { name: 'Retry all' }).click()
    await expect(tray(page).getByText('1 uploaded')).toBeVisible()
    expect(await listHashes()).toEqual({ 'late.txt': sha256('late') })
  })
})

test.describe('without enough space', () => {
  test.use({ settings: { COMPANY_QUOTA_BYTES: '1300' }, viewport: { width: 390, height: 844 } })

  test('says in full how much space is left and how much the file needs, even after a reload', {
    tag: '@slow',
  }, async ({ page, baseURL }) => {
    await openDirectory(page, baseURL)
    await upload(page, [textFile('large.txt', 'x'.repeat(2000)), textFile('larger.txt', 'x'.repeat(3000))])
    const reason = (needed: string) =>
      `This company has 1.3 KB left, but the file needs ${needed}. Files in the trash count until they’re permanently deleted. Ask an administrator for more space.`
    const expand = () => tray(page).getByRole('button', { name: 'Expand uploads' }).click()
    await expand()
    await expect(trayRow(page, 'large.txt')).toContainText(reason('2.0 KB'))
    await expect(trayRow(page, 'larger.txt')).toContainText(reason('3.0 KB'))
    for (const name of ['large.txt', 'larger.txt']) {
      const text = trayRow(page, name).getByText('This company has')
      expect(await text.evaluate(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight)).toBeLessThanOrEqual(1)
    }
    const boxes = await Promise.all(['large.txt', 'larger.txt'].map((name) => trayRow(page, name).boundingBox()))
    const [first, second] = boxes.toSorted((a, b) => (a?.y ?? 0) - (b?.y ?? 0))
    expect((first?.y ?? 0) + (first?.height ?? 0)).toBeLessThanOrEqual((second?.y ?? 0) + 1)
    await page.reload()
    await expand()
    await expect(trayRow(page, 'large.txt')).toContainText(`${reason('2.0 KB')} Choose the file again to continue.`)
  })
})

test('can be used with the keyboard alone, without losing the focus', { tag: '@slow' }, async ({ page, baseURL }, info) => {
  await openDirectory(page, baseURL)
  await slowDownUploads(page)
  const button = page.getByRole('button', { name: 'Upload file' })
  await button.focus()
  await page.keyboard.press('Enter')
  await expect(uploadDialog(page).getByLabel('Company')).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(uploadDialog(page).getByLabel('Directory').locator('option:checked')).toHaveText('Contracts')
  await page.keyboard.press('Tab')
  await chooseInFileChooser(page, () => page.keyboard.press('Enter'), [
    writeVideo(info, 'one.bin').path,
    writeVideo(info, 'two.bin').path,
  ])
  await uploadDialog(page).getByRole('button', { name: 'Remove one.bin' }).focus()
  await page.keyboard.press('Enter')
  await expect(uploadDialog(page).getByRole('button', { name: 'Choose files' })).toBeFocused()
  await chooseInFileChooser(page, () => page.keyboard.press('Enter'), writeVideo(info, 'one.bin').path)
  await uploadDialog(page).getByRole('button', { name: 'Upload', exact: true }).focus()
  await page.keyboard.press('Enter')
  await expect(uploadDialog(page)).toBeHidden()
  await expect(button).toBeFocused()
  await expect(tray(page)).toBeVisible()

  const toggle = tray(page).getByRole('button', { name: /(Expand|Collapse) uploads/ })
  await toggle.focus()
  await page.keyboard.press('Space') // a second Enter so soon after the dialog closed would count as a repeated press
  await expect(toggle).toHaveAttribute('aria-expanded', 'false')
  await page.keyboard.press('Space')
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
  await expect(trayRow(page, 'two.bin')).toHaveCount(0)
  await expect(tray(page).getByRole('button', { name: 'Resume one.bin' })).toBeFocused()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(tray(page)).toBeHidden()
  await expect(page.getByRole('main')).toBeFocused()
})

for (const { colorScheme, width } of looks) {
  test(
    `passes axe in the dialogs and the tray: ${colorScheme}, ${width} wide`,
    { tag: '@slow' },
    async ({ page, baseURL }, info) => {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      await page.setViewportSize({ width, height: 844 })
      await openDirectory(page, baseURL)
      const existingFile = writeFile(info, 'note.txt', 'x')
      await upload(page, existingFile)
      await expect(tray(page).getByText('1 uploaded')).toBeVisible()
      await page.getByRole('button', { name: 'Upload file' }).click()
      await uploadDialog(page).getByRole('button', { name: 'Upload', exact: true }).click()
      await expectClean(page, 'the dialog with errors')
      await chooseFiles(page, [existingFile, writeVideo(info, 'one.bin').path])
      await expectClean(page, 'the dialog with files')
      await uploadDialog(page).getByRole('button', { name: 'Upload', exact: true }).click()
      await expectClean(page, 'the dialog about taken names')
      const network = await slowDownUploads(page)
      await page.getByRole('dialog').getByRole('button', { name: 'Upload' }).click()
      if (width < 768) {
        await expectClean(page, 'the collapsed tray')
        await tray(page).getByRole('button', { name: 'Expand uploads' }).click()
      }
      await waitForPercent(page, 'one.bin', 1)
      await expectClean(page, 'the tray')
      await network.cut()
      await expect(trayRow(page, 'one.bin')).toContainText('Waiting for the network')
      await expectClean(page, 'the waiting tray')
    },
  )
}
