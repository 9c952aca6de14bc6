import type { Page } from '@playwright/test'
import { addSharedLink, openSharedLink, phoneViewport, resetLink } from '../access/access-steps.ts'
import { expectClean } from '../expect-clean.ts'
import { addDirectory, asAdmin, expect, test } from '../fixtures.ts'
import { chooseAction, opener, openPage } from './directory-steps.ts'
import { makePdf } from './make-pdf.ts'

const onePixelPng = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const viewer = (page: Page) => page.getByRole('dialog')
const pressKey = (page: Page, name: string) => page.keyboard.press(name)

/** Returns a WAV file with 0.1 seconds of silence. */
function makeSilentWav(): Buffer {
  const samples = 800
  const head = Buffer.alloc(44)
  head.write('RIFF', 0)
  head.writeUInt32LE(36 + samples, 4)
  head.write('WAVEfmt ', 8)
  for (const [value, index] of [
    [16, 16],
    [1, 20],
    [1, 22],
    [8000, 24],
    [8000, 28],
    [1, 32],
    [8, 34],
  ] as const)
    head.writeUInt16LE(value, index)
  head.write('data', 36)
  head.writeUInt32LE(samples, 40)
  return Buffer.concat([head, Buffer.alloc(samples, 128)])
}

test('browses previews from the menu and with the keyboard, without downloading anything', { tag: '@slow' }, async ({
  page,
  baseURL,
}) => {
  const longText = `${'wide '.repeat(400)}\nGrüße`
  const { id } = await addDirectory(baseURL, 'Plans', {
    'a.png': onePixelPng,
    'b.txt': longText,
    'c.wav': makeSilentWav(),
    'd.zip': 'PK\x03\x04',
    'e.png': Buffer.from('\x89PNG\r\n\x1a\n and nothing more', 'latin1'),
  })
  page.on('download', () => expect('a download').toBe('none'))
  await openPage(page, `/directories/${id}`)
  await chooseAction(page, 'a.png', 'Preview')
  await expect(viewer(page).getByRole('region', { name: 'a.png' })).toBeFocused()
  await expect(viewer(page).getByText('1 of 5').last()).toBeVisible()
  const image = viewer(page).getByRole('img', { name: 'a.png' })
  await expect.poll(() => image.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBe(1)
  await pressKey(page, '+')
  await viewer(page).getByRole('button', { name: 'Zoom in' }).click()
  await expect.poll(() => image.evaluate((img) => img.getBoundingClientRect().width)).toBeGreaterThan(2)
  await pressKey(page, '0')
  await expectClean(page, 'an image')

  await page.emulateMedia({ colorScheme: 'dark' })
  await page.setViewportSize(phoneViewport)
  await pressKey(page, 'ArrowRight')
  await expect(viewer(page).getByText('Grüße')).toBeVisible()
  await expectClean(page, 'a text, on a phone in the dark theme')
  await viewer(page).getByRole('button', { name: 'Next file' }).click()
  await expect
    .poll(() =>
      viewer(page)
        .locator('audio')
        .evaluate((audio: HTMLAudioElement) => audio.duration),
    )
    .toBe(0.1)
  await pressKey(page, 'ArrowRight')
  await expect(viewer(page).getByText('This type of file can’t be previewed.')).toBeVisible()
  await expect(viewer(page).getByText('Archive · 4 B')).toBeVisible()
  await pressKey(page, 'ArrowRight')
  await expect(viewer(page).getByText('Your browser can’t display this file.')).toBeVisible()
  await expect(viewer(page).getByRole('button', { name: 'Next file' })).toHaveAccessibleDescription('This is the last file.')
  await pressKey(page, 'Escape')
  await expect(viewer(page)).toHaveCount(0)

  await opener(page, 'b.txt').focus()
  await pressKey(page, 'Space')
  await expect(viewer(page).getByText('2 of 5').last()).toBeVisible()
  await pressKey(page, 'Escape')
  await expect(opener(page, 'b.txt')).toBeFocused()
})

test('lets a recipient preview a PDF and a long text on a phone until the link is reset', { tag: '@slow' }, async ({
  page,
  baseURL,
}) => {
  await page.setViewportSize(phoneViewport)
  const link = await addSharedLink(baseURL, 'LINK_DIRECTORY', {
    files: { 'a.pdf': makePdf({ pages: ['Hello'] }), 'b.txt': 'x'.repeat(2 ** 20 + 1), 'c.txt': 'c' },
  })
  await openSharedLink(page, link)
  await chooseAction(page, 'a.pdf', 'Preview')
  await expect(viewer(page).getByRole('region', { name: 'Page 1 of 1' }).getByText('Hello')).toBeVisible()
  await viewer(page).getByRole('button', { name: 'Next file' }).click()
  await expect(viewer(page).getByText('Only the first 1 MiB are shown. Download the file to read all of it.')).toBeVisible()
  expect((await viewer(page).locator('pre').textContent())?.length).toBe(2 ** 20)
  await resetLink(baseURL, link)
  await viewer(page).getByRole('button', { name: 'Next file' }).click()
  await expect(page.getByPlaceholder('Access code')).toBeVisible()
  await expect(viewer(page)).toHaveCount(0)
})

test('never runs a script from a file, neither in the viewer nor at the file’s own URL', async ({ page, baseURL }) => {
  const script = '<script>document.title = "ran"; fetch("/v1/stats?ran"); alert("ran")</script>'
  const names = ['a.gif', 'b.html', 'c.svg', 'd.txt', 'e.xml']
  const bytes = [`GIF89a${script}`, `<!doctype html>${script}`, `<svg xmlns="http://www.w3.org/2000/svg">${script}</svg>`]
  const files = Object.fromEntries(names.map((name, index) => [name, bytes[index] ?? `<!doctype html>${script}`]))
  const { id, ids } = await addDirectory(baseURL, 'Plans', files)
  const ran: string[] = []
  page.on('dialog', (dialog) => {
    ran.push('a dialog')
    void dialog.dismiss()
  })
  page.on('request', (request) => request.url().includes('?ran') && ran.push(request.url()))
  await openPage(page, `/directories/${id}`)
  await opener(page, 'a.gif').focus()
  await pressKey(page, 'Space')
  for (const [index] of names.entries()) {
    await expect(
      viewer(page)
        .getByText(`${index + 1} of 5`)
        .last(),
    ).toBeVisible()
    await expect(viewer(page).getByText(/can’t (be previewed|display)|document\.title/)).toBeVisible()
    await pressKey(page, 'ArrowRight')
  }
  const previewed: string[] = []
  for (const name of names) {
    const { data } = await asAdmin(baseURL)('POST', `/v1/file/${ids[name]}/preview`)
    if (data.url === null) continue
    previewed.push(name)
    await page.goto(data.url)
    expect(await page.title()).not.toBe('ran')
  }
  expect(previewed).toEqual(['a.gif', 'd.txt'])
  expect(ran).toEqual([])
})
