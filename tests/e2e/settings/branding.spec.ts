import { crc32, deflateSync } from 'node:zlib'
import type { Page } from '@playwright/test'
import { expect, test } from '../fixtures.ts'
import { openSection, save } from './settings-steps.ts'

test.use({ timezoneId: 'Europe/Berlin' })

test('rejects a colour that is too light, suggests a darker one, and applies the colour that is saved', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'light' })
  await openSection(page, 'appearance')
  const accent = page.getByLabel('Accent colour', { exact: true })
  await accent.fill('blue')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(accent).toHaveAccessibleDescription(/This must be a colour, such as #006eb3\./)
  await accent.fill('#ffee00')
  await expect(accent).toHaveAccessibleDescription(/Buttons in this colour are hard to see on a white page\./)
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(accent).toBeFocused()
  await page.getByRole('button', { name: 'Use #a19601' }).click()
  await expect(accent).toHaveValue('#a19601')
  await expect(accent).toHaveAccessibleDescription(/^Buttons and links have this colour/)
  const preview = page.getByRole('figure', { name: /^Preview/ })
  const sample = preview.getByText('Open the link').first()
  const readColour = () => sample.evaluate((element) => getComputedStyle(element).backgroundColor)
  expect(await readColour()).toBe('rgb(161, 150, 1)')
  await page.getByRole('button', { name: 'Purple' }).click()
  expect(await readColour()).toBe('rgb(109, 63, 192)')
  await save(page)
  await accent.fill('#2e7d32')
  await accent.hover()
  await expect(page.getByRole('button', { name: 'Save' })).toHaveCSS('background-color', 'rgb(109, 63, 192)')
  await page.getByRole('button', { name: 'Discard changes' }).click()
  await page.goto('/login')
  await expect(page.locator('link[rel=stylesheet][href^="/brand/6d3fc0-"]')).toHaveCount(1)
})

test('uploads a logo, shows it on light and dark, gives the reason if it can’t be used, and removes it', {
  tag: '@slow',
}, async ({ page }) => {
  await openSection(page, 'appearance')
  const logoInBar = page.getByRole('banner').locator('img')
  await expect(logoInBar).toHaveCount(0)
  await choose(page, 'light', { name: 'logo.png', mimeType: 'image/png', buffer: drawPng(60, 20) })
  await expect(page.getByText('Logo saved.')).toBeVisible()
  await expect(page.getByRole('img', { name: 'Logo on light pages' })).toBeVisible()
  await expect(page.getByRole('img', { name: 'Logo on dark pages' })).toBeVisible()
  await expect(page.getByText('The logo for light pages is used.')).toBeVisible()
  await expect(logoInBar).toBeVisible()

  await choose(page, 'dark', { name: 'logo.png', mimeType: 'image/png', buffer: Buffer.from('no image') })
  await expect(page.getByRole('alert')).toContainText('This image can’t be used as a logo.')
  await choose(page, 'dark', { name: 'logo.png', mimeType: 'image/png', buffer: Buffer.alloc(1024 * 1024 + 1) })
  await expect(page.getByRole('alert')).toContainText('The image is larger than 1 MiB.')

  const src = await page.getByRole('img', { name: 'Logo on light pages' }).getAttribute('src')
  const settingsUrl = page.url()
  await page.goto('/login')
  expect(JSON.parse((await page.locator('#brand').textContent()) ?? '').logos.light.url).toBe(src)
  await expect(page.locator('link[rel=icon]')).toHaveAttribute('href', /^\/brand\//)
  await page.goto(settingsUrl)
  await logoGroup(page, 'light').getByRole('button', { name: 'Remove logo' }).click()
  await expect(page.getByText('The logo for light pages was removed.')).toBeVisible()
  await expect(page.getByText('No logo yet')).toHaveCount(2)
  await expect(logoGroup(page, 'light').getByRole('button', { name: 'Choose logo' })).toBeFocused()
  await expect(logoInBar).toHaveCount(0)
})

test('previews name and welcome text while they are typed, and suggests the time zone', { tag: '@slow' }, async ({ page }) => {
  await openSection(page, 'organisation')
  const preview = page.getByRole('figure', { name: /^Preview/ })
  await expect(preview.getByText('Neptune shared files with you')).toHaveCount(4)
  await page.getByLabel('Name of the organisation').fill('Keller & Partner')
  await page.getByLabel('Welcome text').fill('Here are your documents.')
  await expect(preview.getByText('Keller & Partner shared files with you')).toHaveCount(4)
  await expect(preview.getByText('Here are your documents.')).toHaveCount(2)
  await expect(preview.getByText('Imprint')).toHaveCount(0)
  const imprint = page.getByLabel('Address of the imprint')
  await imprint.fill('http://keller.example')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(imprint).toHaveAccessibleDescription(/must be an address that starts with https/)
  await imprint.fill('keller.example/imprint')
  await expect(preview.getByText('Imprint')).toHaveCount(6) // on both pages and in the email, in light and dark
  await expect(preview.getByText('Privacy')).toHaveCount(0)
  await page.getByRole('button', { name: 'Use the time zone of your browser: Europe/Berlin' }).click()
  await expect(page.getByLabel('Time zone', { exact: true })).toHaveValue('Europe/Berlin')
  await save(page)
  await expect(imprint).toHaveValue('https://keller.example/imprint')
  await expect(page).toHaveTitle('Organisation · Settings · Keller & Partner')
  await page.getByRole('button', { name: /Administrator/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await expect(page).toHaveTitle('Sign in · Keller & Partner')
  await page.reload()
  expect(JSON.parse((await page.locator('#brand').textContent()) ?? '')).toMatchObject({
    name: 'Keller & Partner',
    welcome: 'Here are your documents.',
    imprint_url: 'https://keller.example/imprint',
  })
})

const logoGroup = (page: Page, theme: 'light' | 'dark') => page.getByRole('group', { name: `Logo on ${theme} pages` })

async function choose(page: Page, theme: 'light' | 'dark', file: { name: string; mimeType: string; buffer: Buffer }) {
  const chooserOpened = page.waitForEvent('filechooser')
  await logoGroup(page, theme).getByRole('button', { name: 'Choose logo' }).click()
  await (await chooserOpened).setFiles(file)
}

/** Draws a PNG in one colour. */
function drawPng(width: number, height: number): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 2], 8) // eight bits per channel, red, green and blue
  const row = Buffer.concat([Buffer.from([0]), Buffer.alloc(width * 3, 0x66)])
  const pixels = deflateSync(Buffer.concat(Array.from({ length: height }, () => row)))
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', pixels), chunk('IEND', Buffer.alloc(0))])
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  checksum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, checksum])
}
