import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import type { Download } from '@playwright/test'
import { codeField, downloadBy, enterButton, phone, protocol, share, textOf, title, tryCode } from './access-steps.ts'
import { asAdmin, expect, openAsAdmin, test } from './fixtures.ts'
import { uploadDialog } from './upload-steps.ts'

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
  await expect(page.locator('#announcement')).toHaveText('Access granted. Plans')

  await expect(page.getByRole('listitem')).toHaveCount(2)
  const file = await downloadBy(page, () => page.getByRole('button', { name: 'Übersicht.txt', exact: true }).click())
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

test('staff see what the recipient sees: nothing is counted, and nothing can be added', async ({ page, baseURL }) => {
  const link = await share(baseURL, 'LINK_EDITABLE_DIRECTORY', { files: { 'Offer.pdf': 'an offer' } })
  await page.goto(`/access/${link.key}?as=recipient`)
  await expect(title(page)).toHaveText(protocol) // to anybody else it is the way in, as ever
  await openAsAdmin(page, '/dashboard')
  await expect(page).toHaveURL(/\/dashboard$/)
  const preview = await page.context().newPage()
  await preview.goto(`/access/${link.key}?as=recipient`)
  await expect(title(preview)).toHaveText('Directory Section')
  await expect(preview.getByText('You’re viewing this link as its recipient. Your visit isn’t counted.')).toBeVisible()
  await expect(preview.getByRole('button', { name: 'Upload file' })).toHaveAccessibleDescription('You can’t upload in a preview.')
  const file = await downloadBy(preview, () => preview.getByRole('button', { name: 'Offer.pdf', exact: true }).click())
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
  await expect(page.getByRole('button', { name: 'Offer.pdf', exact: true })).toBeFocused()
  const file = await downloadBy(page, () => page.keyboard.press('Enter'))
  expect(await textOf(file)).toBe('an offer')
})

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
