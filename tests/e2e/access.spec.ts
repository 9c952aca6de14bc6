import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import type { Download, Page } from '@playwright/test'
import { codeField, enter, enterButton, lookAgain, otherCode, resetLink, share, title, tryCode } from './access-steps.ts'
import { expectClean, looks } from './expect-clean.ts'
import { asAdmin, expect, openAsAdmin, test } from './fixtures.ts'
import {
  chooseFiles,
  dragger,
  film,
  note,
  reload,
  row,
  sha256,
  slow,
  tray,
  untilPercent,
  uploadDialog,
  watchOffsets,
  withPlainPicker,
  writeFile,
} from './upload-steps.ts'

const protocol = 'Highly Secured Directory Protocol'
const expired = 'This link has expired, please contact your administrator to create a new link.'
const closed = /^The access code of this link was changed, or the link has ended\./
const thanks = 'If the link exists, whoever made it has been asked. You will hear from them.'
const phone = { width: 390, height: 844 }

test.beforeEach(async ({ page }) => {
  await withPlainPicker(page)
})

test('a directory link: its code opens the list, a reload keeps it, another tab does not have it', async ({
  page,
  baseURL,
  context,
}) => {
  const files = { 'Offer.pdf': '%PDF-1.7 an offer', 'Übersicht.txt': 'overview' }
  const link = await share(baseURL, 'LINK_DIRECTORY', { files })
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  await page.goto(`/access/${link.key}`)
  await expect(page).toHaveTitle(`${protocol} · Neptune`)
  await expect(title(page)).toHaveText(protocol)
  await expect(page.getByText(link.key)).toBeVisible()
  await expect(codeField(page)).toBeFocused()
  await expect(codeField(page)).toHaveAttribute('type', 'password')
  await expect(enterButton(page)).toHaveText('Access Directory')
  await codeField(page).fill(` ${link.code.toLowerCase().replaceAll('-', ' ')} `)
  await page.getByRole('button', { name: 'Show access code' }).click()
  await expect(codeField(page)).toHaveAttribute('type', 'text')
  await codeField(page).press('Enter')

  await expect(title(page)).toHaveText('Plans')
  await expect(page).toHaveTitle('Plans · Neptune')
  await expect(page.getByText('Shared by Administrator · Neptune')).toBeVisible()
  await expect(page.getByText(/Until \d+ \w+ \d{4}, \d\d:\d\d, in 30 days/)).toBeVisible()
  await expect(page.getByText('2 files, 25 B')).toBeVisible()
  await expect(page.locator('#announcement')).toHaveText('You are in. Plans')

  await expect(page.getByRole('listitem')).toHaveCount(2)
  const file = await downloadBy(page, () => page.getByRole('button', { name: 'Übersicht.txt' }).click())
  expect(file.suggestedFilename()).toBe('Übersicht.txt')
  expect(await textOf(file)).toBe('overview')
  const zip = await downloadBy(page, () => page.getByRole('button', { name: 'Download all' }).click())
  expect(zip.suggestedFilename()).toBe('Plans.zip')
  expect(await textOf(zip)).toContain('%PDF-1.7 an offer')
  await page.getByRole('searchbox').fill('offer')
  await expect(page.getByRole('listitem')).toHaveCount(1)

  await page.reload()
  await expect(title(page)).toHaveText('Plans')
  const kept = await page.evaluate(() => ({
    session: { ...sessionStorage },
    local: JSON.stringify(localStorage),
    url: location.href,
  }))
  const token = kept.session[`neptune.access.${link.key}`] ?? ''
  expect(token).toMatch(/^npl_/)
  expect(kept.local + kept.url).not.toContain(token)
  expect(asked.filter((path) => path.startsWith('/v1/identity') || path.startsWith('/v1/stats'))).toEqual([])
  const other = await context.newPage()
  await other.goto(`/access/${link.key}`)
  await expect(title(other)).toHaveText(protocol)
})

test('a file link on a phone: the download starts once by itself, and again by the button', async ({ page, baseURL }) => {
  await page.setViewportSize(phone)
  const bytes = randomBytes(100_000)
  const link = await share(baseURL, 'LINK_FILE', { files: { 'Film.mp4': bytes } })
  const downloads: Download[] = []
  page.on('download', (download) => downloads.push(download))
  await page.goto(`/access/${link.key}`)
  await expect(enterButton(page)).toHaveText('Access File')
  await tryCode(page, link.code)
  await expect(title(page)).toHaveText('Film.mp4')
  await expect(page.getByText('100.0 KB')).toBeVisible()
  await expect(page.getByText('Shared by Administrator · Neptune')).toBeVisible()
  await expect.poll(() => downloads.length).toBe(1)
  await page.reload()
  await expect(title(page)).toHaveText('Film.mp4')
  const again = await downloadBy(page, () => page.getByRole('button', { name: 'Download file' }).click())
  expect(downloads).toHaveLength(2)
  for (const download of [again, ...downloads]) {
    expect(download.suggestedFilename()).toBe('Film.mp4')
    expect(readFileSync(await download.path()).equals(bytes)).toBe(true)
  }
})

test('an editable directory on a phone: files go up by the dialog or are dropped, keep their names or get a number, and are received', async ({
  page,
  baseURL,
}, info) => {
  await page.setViewportSize(phone)
  const link = await share(baseURL, 'LINK_EDITABLE_DIRECTORY', { files: { 'Offer.pdf': 'theirs' } })
  await enter(page, link)
  await expect(title(page)).toHaveText('Directory Section')
  await expect(page.getByText('Plans', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Upload file' }).click()
  const dialog = uploadDialog(page)
  await expect(dialog.getByRole('button')).toHaveText(['Choose files', 'Choose folder', 'Cancel', 'Upload'])
  await dialog.getByRole('button', { name: 'Upload', exact: true }).click()
  await expect(dialog.getByRole('group', { name: 'Nothing was uploaded.' })).toBeFocused()
  await chooseFiles(page, [note('Offer.pdf', 'ours'), note('Plan.txt', 'a plan')])
  await dialog.getByRole('button', { name: 'Upload', exact: true }).click()
  await expect(dialog).toBeHidden()
  await expect(page.getByText('Received: 2 files, 10 B')).toBeVisible()
  const drag = await dragger(page, [writeFile(info, 'Photo.txt', 'a photo')])
  await drag('dragEnter')
  await drag('dragOver')
  await expect(page.getByText('Drop to upload to Plans')).toBeVisible()
  await drag('drop')
  await expect(page.getByText('Received: 3 files, 17 B')).toBeVisible()
  await expect(page.getByText('4 files, 23 B')).toBeVisible()
  for (const name of ['Offer.pdf', 'Offer (1).pdf', 'Photo.txt', 'Plan.txt'])
    await expect(page.getByRole('list', { name: 'Files' }).getByRole('button', { name, exact: true })).toBeVisible()
  expect(await hashes(baseURL, link.directory)).toEqual({
    'Offer.pdf': sha256('theirs'),
    'Offer (1).pdf': sha256('ours'),
    'Photo.txt': sha256('a photo'),
    'Plan.txt': sha256('a plan'),
  })
})

test('an upload by a recipient goes on after a cut network, a reload and a new code, to the same bytes', async ({
  page,
  baseURL,
  context,
}, info) => {
  const link = await share(baseURL, 'LINK_EDITABLE_DIRECTORY')
  await enter(page, link)
  await expect(page.getByText('No files here yet.')).toBeVisible()
  const network = await slow(page)
  const offsets = watchOffsets(page)
  const { bytes, path } = film(info)
  await page.getByRole('button', { name: 'Upload file' }).click()
  await chooseFiles(page, path)
  await uploadDialog(page).getByRole('button', { name: 'Upload', exact: true }).click()
  await untilPercent(page, 'Film.mp4', 10)
  await context.setOffline(true)
  await expect(row(page, 'Film.mp4')).toContainText('Waiting for the network')
  await context.setOffline(false)
  await untilPercent(page, 'Film.mp4', 20)

  link.code = await resetLink(baseURL, link)
  await page.getByRole('button', { name: 'Pause Film.mp4' }).click()
  await page.getByRole('button', { name: 'Resume Film.mp4' }).click()
  await expect(page.getByRole('alert')).toHaveText(closed)
  await expect(tray(page)).toBeHidden()
  await tryCode(page, link.code)
  await untilPercent(page, 'Film.mp4', 30) // by itself: the page still has the file

  await reload(page)
  await network.fast()
  await expect(row(page, 'Film.mp4')).toContainText('Choose the file again to go on.')
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Choose Film.mp4 again' }).click()
  await (await chooser).setFiles(path)
  await expect(page.getByText('Received: 1 file, 8.4 MB')).toBeVisible()
  expect(await hashes(baseURL, link.directory)).toEqual({ 'Film.mp4': sha256(bytes) })
  expect(offsets[0]).toBe(0)
  expect(offsets.slice(1).every((offset) => offset > 0)).toBe(true)
})

test('a mistyped code is told at once and sent nowhere; a wrong one does not match; too many have to wait', async ({
  page,
  baseURL,
}) => {
  const link = await share(baseURL)
  const sent: string[] = []
  page.on('request', (request) => request.url().endsWith('/verify') && sent.push(request.url()))
  await page.goto(`/access/${link.key}`)
  for (const [typed, says] of [
    ['', 'Enter the access code.'],
    [link.code.slice(1), 'A code has 12 letters and digits, this one has 11.'],
    [`${link.code.slice(0, -1)}!`, 'That code was mistyped: a letter or a digit is wrong. Compare it with the one you got.'],
  ] as const) {
    await codeField(page).fill(typed)
    await codeField(page).press('Enter')
    await expect(page.getByRole('alert')).toHaveText(says)
    await expect(codeField(page)).toHaveAccessibleDescription(says)
    await expect(codeField(page)).toBeFocused()
  }
  expect(sent).toEqual([])

  const noMatch = 'That code does not match. Check it, or ask the sender for a new one.'
  for (let tries = 1; tries <= 10; tries++) {
    await tryCode(page, otherCode(link.code))
    await expect.poll(() => sent.length).toBe(tries)
    await expect(enterButton(page)).not.toHaveAttribute('aria-busy')
    await expect(page.getByRole('alert')).toHaveText(noMatch)
  }
  await expect(codeField(page)).toHaveAccessibleDescription(noMatch)
  await expect(codeField(page)).toBeFocused()
  await tryCode(page, link.code)
  await expect(page.getByRole('alert')).toHaveText('Too many tries. Try again in 15 minutes.')
  await expect(title(page)).toHaveText(protocol)
})

test('an expired link says so and stays where it is; the sender is asked for more time, or for a new code', async ({
  page,
  baseURL,
}) => {
  const expiry = new Date(Date.now() + 1500).toISOString()
  const link = await share(baseURL, 'LINK_DIRECTORY', { expiry })
  await page.goto(`/access/${link.key}`)
  await expect.poll(() => Date.now()).toBeGreaterThan(Date.parse(expiry) + 100)
  await tryCode(page, link.code)
  await expect(page.getByRole('alert')).toHaveText(expired)
  await expect(title(page)).toHaveText(protocol)
  await expect(codeField(page)).toBeFocused()

  await page.getByRole('button', { name: 'Ask for more time' }).click()
  await expect(page.getByLabel('Who are you, and what do you need?')).toBeFocused()
  await page.getByLabel('Who are you, and what do you need?').fill('Kim of Globex\nuntil Friday')
  await page.getByRole('button', { name: 'Ask for more time' }).click()
  await expect(page.getByRole('status').filter({ hasText: thanks })).toBeFocused()
  const { data } = await asAdmin(baseURL)('GET', '/v1/ask')
  expect(data).toMatchObject([{ key: link.key, wants: 'time', message: 'Kim of Globex until Friday' }])

  for (let asked = 1; asked <= 5; asked++) {
    await page.getByRole('button', { name: 'Back to the access code' }).click()
    await page.getByRole('button', { name: 'Ask for a new code' }).click()
    await page.getByRole('button', { name: 'Ask for a new code' }).click()
    if (asked < 5) await expect(page.getByText(thanks)).toBeVisible()
  }
  await expect(page.getByRole('alert')).toHaveText(/^Too many tries\. Try again in \d+ minutes\.$/)
})

test('a link that is unknown or deleted is not there; a server that cannot be reached is asked again', async ({
  page,
  baseURL,
}) => {
  await page.goto('/access/7YqfT0pEXAMPLEc3K')
  await expect(title(page)).toHaveText('There is no such link.')
  await expect(page.getByText('ask whoever sent it for a new link')).toBeVisible()

  const link = await share(baseURL)
  await page.route('**/v1/link/**', (route) => route.abort())
  await page.goto(`/access/${link.key}`)
  await expect(page.getByText('Neptune cannot be reached.')).toBeVisible()
  await page.unroute('**/v1/link/**')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(enterButton(page)).toBeVisible()
  await page.route('**/v1/link/verify', (route) => route.abort())
  await tryCode(page, link.code)
  await expect(page.getByRole('alert')).toHaveText(/Neptune cannot be reached/)
  await expect(codeField(page)).toHaveValue(link.code)

  await asAdmin(baseURL)('DELETE', `/v1/link/${link.key}`)
  await page.goto(`/access/${link.key}`)
  await expect(title(page)).toHaveText('There is no such link.')
})

test('a new code, an expiry or a deletion closes an open list at once; what is in the trash comes back', async ({
  page,
  baseURL,
}) => {
  await page.clock.install()
  const expiry = new Date(Date.now() + 60_000).toISOString()
  const link = await share(baseURL, 'LINK_DIRECTORY', { expiry, files: { 'Offer.pdf': 'an offer' } })
  const call = asAdmin(baseURL)
  await enter(page, link)
  await expect(page.getByText('Offer.pdf')).toBeVisible()

  await call('DELETE', `/v1/directory/${link.directory}`)
  await lookAgain(page)
  await expect(title(page)).toHaveText('This is not here any more.')
  await expect(page.getByText('Offer.pdf')).toHaveCount(0)
  await call('POST', `/v1/directory/${link.directory}/restore`)
  await page.getByRole('button', { name: 'Look again' }).click()
  await expect(page.getByText('Offer.pdf')).toBeVisible()

  link.code = await resetLink(baseURL, link)
  await page.getByRole('searchbox').fill('any')
  await page.clock.runFor(1000)
  await expect(page.getByRole('alert')).toHaveText(closed)
  await expect(page.getByText('Offer.pdf')).toHaveCount(0)
  await expect(codeField(page)).toBeFocused()
  expect(await page.evaluate(() => sessionStorage.length)).toBe(0)
  await page.getByRole('button', { name: 'Ask for more time' }).click()
  await page.getByRole('button', { name: 'Back to the access code' }).click()
  await expect(page.getByRole('button', { name: 'Ask for a new code' })).toBeVisible()

  await tryCode(page, link.code)
  await expect(page.getByText('Offer.pdf')).toBeVisible()
  await resetLink(baseURL, link)
  await page.clock.runFor(31_000) // nobody touches anything
  await expect(page.getByRole('alert')).toHaveText(closed)

  link.code = await resetLink(baseURL, link)
  await tryCode(page, link.code)
  await expect(page.getByText('Offer.pdf')).toBeVisible()
  await call('DELETE', `/v1/link/${link.key}`)
  await lookAgain(page)
  await expect(title(page)).toHaveText('There is no such link.')
})

test('a link that runs out while its list is open closes it in that moment', async ({ page, baseURL }) => {
  const link = await share(baseURL, 'LINK_DIRECTORY', { expiry: new Date(Date.now() + 6000).toISOString() })
  await enter(page, link)
  await expect(page.getByText('No files here yet.')).toBeVisible()
  await expect(page.getByRole('alert')).toHaveText(closed, { timeout: 10_000 })
  await tryCode(page, link.code)
  await expect(page.getByRole('alert')).toHaveText(expired)
})

test('staff see what the recipient sees: nothing is counted, and nothing can be added', async ({ page, baseURL }) => {
  const link = await share(baseURL, 'LINK_EDITABLE_DIRECTORY', { files: { 'Offer.pdf': 'an offer' } })
  await page.goto(`/access/${link.key}?as=recipient`)
  await expect(title(page)).toHaveText(protocol) // to anybody else it is the way in, as ever
  await openAsAdmin(page, '/dashboard')
  await expect(page).toHaveURL(/\/dashboard$/)
  const preview = await page.context().newPage()
  await preview.goto(`/access/${link.key}?as=recipient`)
  await expect(title(preview)).toHaveText('Directory Section')
  await expect(preview.getByText('You see what the recipient sees. Nothing here is counted.')).toBeVisible()
  await expect(preview.getByRole('button', { name: 'Upload file' })).toHaveAccessibleDescription('A preview takes no uploads.')
  const file = await downloadBy(preview, () => preview.getByRole('button', { name: 'Offer.pdf' }).click())
  expect(await textOf(file)).toBe('an offer')
  const { data } = await asAdmin(baseURL)('GET', `/v1/link/${link.key}/info`)
  expect([data.opened.times, data.downloaded.times]).toEqual([0, 0])
})

test('by keyboard alone: the code, a download, an upload', async ({ page, baseURL }) => {
  const link = await share(baseURL, 'LINK_EDITABLE_DIRECTORY', { files: { 'Offer.pdf': 'an offer' } })
  await page.goto(`/access/${link.key}`)
  await expect(codeField(page)).toBeFocused()
  await page.keyboard.type(link.code)
  await page.keyboard.press('Enter')
  await expect(title(page)).toHaveText('Directory Section')
  await expect(page.locator('main')).toBeFocused()
  const tab = async (times: number) => {
    for (let i = 0; i < times; i++) await page.keyboard.press('Tab')
  }
  await tab(1)
  await expect(page.getByRole('button', { name: 'Download all' })).toBeFocused()
  await tab(1)
  await page.keyboard.press('Enter')
  await expect(uploadDialog(page)).toBeVisible()
  await expect(uploadDialog(page).getByRole('button', { name: 'Choose files' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: 'Upload file' })).toBeFocused()
  await tab(2)
  await expect(page.getByRole('button', { name: 'Offer.pdf' })).toBeFocused()
  const file = await downloadBy(page, () => page.keyboard.press('Enter'))
  expect(await textOf(file)).toBe('an offer')
})

for (const { colorScheme, width } of looks) {
  test.describe(`${colorScheme}, ${width} wide`, () => {
    test.use({ colorScheme, viewport: { width, height: 844 } })

    test('axe finds nothing on any view of a recipient, and nothing scrolls sideways', async ({ page, baseURL }) => {
      await eachView(page, baseURL, (name) => expectClean(page, name))
    })
  })
}

/** Every state of the recipient's side that has a look of its own. */
async function eachView(page: Page, baseURL: string | undefined, look: (name: string) => Promise<void>) {
  const files = { [`${'A long name '.repeat(8)}.pdf`]: '%PDF-1.7', 'Notes.txt': 'notes', 'Film.mp4': 'film' }
  const directory = await share(baseURL, 'LINK_EDITABLE_DIRECTORY', { files })
  await page.goto(`/access/${directory.key}`)
  await expect(enterButton(page)).toBeVisible()
  await look('the code')
  await tryCode(page, 'ABCD')
  await look('a mistyped code')
  await page.getByRole('button', { name: 'Ask for a new code' }).click()
  await look('asking')
  await page.getByRole('button', { name: 'Ask for a new code' }).click()
  await expect(page.getByText(thanks)).toBeVisible()
  await look('asked')
  await page.getByRole('button', { name: 'Back to the access code' }).click()
  await tryCode(page, directory.code)
  await expect(page.getByText('Notes.txt')).toBeVisible()
  await look('an editable directory')
  await page.getByRole('button', { name: 'Upload file' }).click()
  await chooseFiles(page, [note('Plan.txt', 'a plan')])
  await look('the upload dialog')
  await uploadDialog(page).getByRole('button', { name: 'Upload', exact: true }).click()
  await expect(page.getByText('Received: 1 file, 6 B')).toBeVisible()
  await look('received')
  await page.getByRole('searchbox').fill('nothing like it')
  await expect(page.getByText('No file matches')).toBeVisible()
  await look('no match')
  await resetLink(baseURL, directory)
  await lookAgain(page)
  await expect(page.getByRole('alert')).toBeVisible()
  await look('closed')

  const call = asAdmin(baseURL)
  await call('PATCH', `/v1/directory/${directory.directory}`, { directory: 'Old plans' })
  const empty = await share(baseURL)
  await enter(page, empty)
  await expect(page.getByText('No files here yet.')).toBeVisible()
  await look('an empty directory')
  await call('DELETE', `/v1/directory/${empty.directory}`)
  await lookAgain(page)
  await expect(title(page)).toHaveText('This is not here any more.')
  await look('in the trash')

  const file = await share(baseURL, 'LINK_FILE', { files })
  await enter(page, file)
  await expect(page.getByRole('button', { name: 'Download file' })).toBeVisible()
  await look('a file')
}

test('the first load of the way in is light', async ({ page, baseURL }) => {
  const link = await share(baseURL)
  const sizes: Promise<number>[] = []
  page.on('response', (response) => {
    if (new URL(response.url()).pathname.endsWith('.js'))
      sizes.push(response.body().then((body) => gzipSync(body, { level: 9 }).length))
  })
  await page.goto(`/access/${link.key}`, { waitUntil: 'networkidle' })
  await expect(enterButton(page)).toBeVisible()
  const total = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
  expect(total).toBeGreaterThan(0)
  expect(total).toBeLessThanOrEqual(120 * 1024)
})

async function downloadBy(page: Page, press: () => Promise<void>): Promise<Download> {
  const started = page.waitForEvent('download')
  await press()
  return started
}

const textOf = async (download: Download) => readFileSync(await download.path(), 'utf8')

/** What the server holds: each name with its SHA-256. */
async function hashes(baseURL: string | undefined, directory: string): Promise<Record<string, string>> {
  const { data } = await asAdmin(baseURL)('GET', `/v1/file?directory=${directory}&limit=200`)
  return Object.fromEntries(data.map(({ file_name, sha256 }: Record<string, string>) => [file_name, sha256]))
}
