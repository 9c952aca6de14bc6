import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import type { Download } from '@playwright/test'
import { asAdmin, expect, openAsAdmin, test } from '../fixtures.ts'
import { uploadDialog } from '../uploads/upload-steps.ts'
import {
  accessButton,
  addSharedLink,
  codeField,
  codeScreenTitle,
  heading,
  phoneViewport,
  readDownload,
  submitCode,
  waitForDownload,
} from './access-steps.ts'

test('opens a directory link with its code and stays open after a reload, but not in another tab', async ({
  page,
  baseURL,
  context,
}) => {
  const files = { 'Offer.pdf': '%PDF-1.7 an offer', 'Übersicht.txt': 'overview' }
  const link = await addSharedLink(baseURL, 'LINK_DIRECTORY', { files })
  const requested: string[] = []
  page.on('request', (request) => requested.push(new URL(request.url()).pathname))
  await page.goto(`/access/${link.key}`)
  await expect(page).toHaveTitle(`${codeScreenTitle} · Neptune`)
  await expect(heading(page)).toHaveText(codeScreenTitle)
  await expect(page.getByText(link.key)).toBeVisible()
  await expect(codeField(page)).toBeFocused()
  await expect(codeField(page)).toHaveAttribute('type', 'password')
  await expect(accessButton(page)).toHaveText('Access Directory')
  await codeField(page).fill(` ${link.code.toLowerCase().replaceAll('-', ' ')} `)
  await page.getByRole('button', { name: 'Show access code' }).click()
  await expect(codeField(page)).toHaveAttribute('type', 'text')
  await codeField(page).press('Enter')

  await expect(heading(page)).toHaveText('Plans')
  await expect(page).toHaveTitle('Plans · Neptune')
  await expect(page.getByText('Shared by Administrator · Neptune')).toBeVisible()
  await expect(page.getByText(/Until \d+ \w+ \d{4}, \d\d:\d\d, in 30 days/)).toBeVisible()
  await expect(page.getByText('2 files, 25 B')).toBeVisible()
  await expect(page.locator('#announcement')).toHaveText('Access granted. Plans')

  await expect(page.locator('main [data-row]')).toHaveCount(2)
  const file = await waitForDownload(page, () => page.getByRole('button', { name: 'Übersicht.txt', exact: true }).click())
  expect(file.suggestedFilename()).toBe('Übersicht.txt')
  expect(await readDownload(file)).toBe('overview')
  const zip = await waitForDownload(page, () => page.getByRole('button', { name: 'Download all' }).click())
  expect(zip.suggestedFilename()).toBe('Plans.zip')
  expect(await readDownload(zip)).toContain('%PDF-1.7 an offer')
  await page.getByRole('searchbox').fill('offer')
  await expect(page.locator('main [data-row]')).toHaveCount(1)

  await page.reload()
  await expect(heading(page)).toHaveText('Plans')
  const stored = await page.evaluate(() => ({
    session: { ...sessionStorage },
    local: JSON.stringify(localStorage),
    url: location.href,
  }))
  const token = stored.session[`neptune.access.${link.key}`] ?? ''
  expect(token).toMatch(/^npl_/)
  expect(stored.local + stored.url).not.toContain(token)
  expect(requested.filter((path) => path.startsWith('/v1/identity') || path.startsWith('/v1/stats'))).toEqual([])
  const otherTab = await context.newPage()
  await otherTab.goto(`/access/${link.key}`)
  await expect(heading(otherTab)).toHaveText(codeScreenTitle)
})

test('downloads a file link’s file automatically once, and again from the button, on a phone', async ({ page, baseURL }) => {
  await page.setViewportSize(phoneViewport)
  const bytes = randomBytes(100_000)
  const link = await addSharedLink(baseURL, 'LINK_FILE', { files: { 'Film.mp4': bytes } })
  const downloads: Download[] = []
  page.on('download', (download) => downloads.push(download))
  await page.goto(`/access/${link.key}`)
  await expect(accessButton(page)).toHaveText('Access File')
  await submitCode(page, link.code)
  await expect(heading(page)).toHaveText('Film.mp4')
  await expect(page.getByText('100.0 KB')).toBeVisible()
  await expect(page.getByText('Shared by Administrator · Neptune')).toBeVisible()
  await expect.poll(() => downloads.length).toBe(1)
  await page.reload()
  await expect(heading(page)).toHaveText('Film.mp4')
  const secondDownload = await waitForDownload(page, () => page.getByRole('button', { name: 'Download file' }).click())
  expect(downloads).toHaveLength(2)
  for (const download of [secondDownload, ...downloads]) {
    expect(download.suggestedFilename()).toBe('Film.mp4')
    expect(readFileSync(await download.path()).equals(bytes)).toBe(true)
  }
})

test('shows staff what the recipient sees, without counting visits or accepting uploads', async ({ page, baseURL }) => {
  const link = await addSharedLink(baseURL, 'LINK_EDITABLE_DIRECTORY', { files: { 'Offer.pdf': 'an offer' } })
  await page.goto(`/access/${link.key}?as=recipient`)
  await expect(heading(page)).toHaveText(codeScreenTitle) // anyone not signed in gets the code screen
  await openAsAdmin(page, '/dashboard')
  await expect(page).toHaveURL(/\/dashboard$/)
  const preview = await page.context().newPage()
  await preview.goto(`/access/${link.key}?as=recipient`)
  await expect(heading(preview)).toHaveText('Directory Section')
  await expect(preview.getByText('You’re viewing this link as its recipient. Your visit isn’t counted.')).toBeVisible()
  await expect(preview.getByRole('button', { name: 'Upload file' })).toHaveAccessibleDescription('You can’t upload in a preview.')
  const file = await waitForDownload(preview, () => preview.getByRole('button', { name: 'Offer.pdf', exact: true }).click())
  expect(await readDownload(file)).toBe('an offer')
  const { data } = await asAdmin(baseURL)('GET', `/v1/link/${link.key}/info`)
  expect([data.opened.times, data.downloaded.times]).toEqual([0, 0])
})

test('can be used with the keyboard alone: code, download and upload dialog', async ({ page, baseURL }) => {
  const link = await addSharedLink(baseURL, 'LINK_EDITABLE_DIRECTORY', { files: { 'Offer.pdf': 'an offer' } })
  await page.goto(`/access/${link.key}`)
  await expect(codeField(page)).toBeFocused()
  await page.keyboard.type(link.code)
  await page.keyboard.press('Enter')
  await expect(heading(page)).toHaveText('Directory Section')
  await expect(page.locator('main')).toBeFocused()
  const tab = async (times: number) => {
    for (let i = 0; i < times; i++) await page.keyboard.press('Tab')
  }
  await tab(1)
  await expect(page.getByRole('button', { name: 'Download all' })).toBeFocused()
  await tab(2) // past “New folder”
  await page.keyboard.press('Enter')
  await expect(uploadDialog(page)).toBeVisible()
  await expect(uploadDialog(page).getByRole('button', { name: 'Choose files' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: 'Upload file' })).toBeFocused()
  await expect(page.locator('main [data-row]')).toHaveCount(1)
  await tab(9) // past the search, the views, the headings and the checkbox
  await expect(page.getByRole('button', { name: 'Offer.pdf', exact: true })).toBeFocused()
  const file = await waitForDownload(page, () => page.keyboard.press('Enter'))
  expect(await readDownload(file)).toBe('an offer')
})

test('loads at most 120 KiB of scripts for the code screen', { tag: '@slow' }, async ({ page, baseURL }) => {
  const link = await addSharedLink(baseURL)
  const sizes: Promise<number>[] = []
  page.on('response', (response) => {
    if (new URL(response.url()).pathname.endsWith('.js'))
      sizes.push(response.body().then((body) => gzipSync(body, { level: 9 }).length))
  })
  await page.goto(`/access/${link.key}`, { waitUntil: 'networkidle' })
  await expect(accessButton(page)).toBeVisible()
  const total = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
  expect(total).toBeGreaterThan(0)
  expect(total).toBeLessThanOrEqual(120 * 1024)
})
