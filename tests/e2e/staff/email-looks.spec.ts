import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import AxeBuilder from '@axe-core/playwright'
import { type Language, languages } from '@neptune/contract'
import type { Page } from '@playwright/test'
import { findClippedTexts } from '../../looks/clipped-texts.ts'
import { readEmails } from '../../support/read-emails.ts'
import { asBearer } from '../calls.ts'
import { expectFits, runsAllLooks } from '../expect-clean.ts'
import { addDirectory, admin, asAdmin, expect, test } from '../fixtures.ts'

const screenshots = join(import.meta.dirname, '../../../test-results/pictures')
const kinds = ['receipt', 'link', 'uploads', 'password reset', 'request', 'extension', 'test', 'invitation']

/** The narrowest phone, and the width of an email. */
const looks = [320, 600].flatMap((width) => (['light', 'dark'] as const).map((colorScheme) => ({ width, colorScheme })))

const drawLogo = (color: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 30 10"><rect width="30" height="10" rx="2" fill="${color}"/></svg>`

/** Gives the organisation a name, logos and a colour, and its emails a language. */
async function setBrand(baseURL: string | undefined, language: Language) {
  const call = asAdmin(baseURL)
  const organisation = {
    name: 'Keller & Partner Steuerberatungsgesellschaft',
    welcome: 'Welcome to our client portal. Call us if you have any questions.',
    imprint_url: 'https://keller.example/imprint',
    privacy_url: 'https://keller.example/privacy',
    time_zone: 'Europe/Berlin',
    language,
  }
  await call('PATCH', '/v1/admin/settings/organisation', { version: 0, values: organisation })
  await call('PATCH', '/v1/admin/settings/appearance', { version: 0, values: { accent: '#aa3377' } })
  await call('PATCH', '/v1/admin/settings/links', { version: 0, values: { notice_minutes: 0 } })
  for (const [theme, color] of [
    ['light', '#222222'],
    ['dark', '#eeeeee'],
  ] as const)
    await call('PUT', `/v1/admin/settings/logo/${theme}`, Buffer.from(drawLogo(color)))
}

/** Causes emails with long names to recipients, owners and users, and returns them. */
async function causeEmails(baseURL: string | undefined, folder: string) {
  const call = asAdmin(baseURL)
  const asStranger = asBearer(baseURL)
  const { id, company } = await addDirectory(baseURL, 'Jahresabschlussunterlagen_und_Steuererklaerungen_2026_endgueltig')
  const { data: reserved } = await call('POST', '/v1/link/initialise', { company, directory: id })
  const { key, accessCode } = reserved
  const expiry = new Date(Date.now() + 24 * 60 * 60_000).toISOString()
  await call('POST', '/v1/link', { linkType: 'LINK_EDITABLE_DIRECTORY', directory: id, ...reserved, expiry })
  const { data: visit } = await asStranger('POST', '/v1/link/verify', { accessKey: key, accessCode })
  const asRecipient = asBearer(baseURL, visit.token)
  const form = new FormData()
  form.set('file', new Blob(['signed']), 'signed.pdf')
  await asRecipient('PUT', `/v1/file/${id}/${'Unterschriebene_Vollmacht_'.repeat(3)}.pdf`, form)
  const { data: issued } = await asRecipient('POST', '/v1/receipt', {})
  await asRecipient('POST', `/v1/receipt/${issued.receipt.id}/email`, { email: 'lee@initech.example' })
  await call('POST', '/v1/link/email', { key, targetEmail: 'lee@initech.example' })
  await asStranger('POST', '/v1/identity/forgot', { email: admin.email })
  await asStranger('POST', '/v1/ask', { accessKey: key, wants: 'code', message: `See ${'https://evil.example/'.repeat(5)}` })
  await call('POST', `/v1/link/${key}/extend`, {})
  await call('POST', '/v1/admin/mail/test', { to: admin.email })
  const ada = { name: 'Ada Lovelace', email: 'ada@initech.example', company, role: 'NEPTUNE_USER', invite: true }
  await call('POST', '/v1/admin/user', ada)
  return readEmails(folder, kinds.length)
}

/** Expects that a mail program could show the email: nothing sticks out or is clipped, everything is readable, and the logo loads. */
async function expectReadable(page: Page, html: string, name: string) {
  await page.setContent(html)
  await expectFits(page, name)
  expect(await findClippedTexts(page, () => true), name).toEqual([])
  const logo = page.locator('img:visible')
  await expect(logo).toHaveCount(1)
  await expect.poll(() => logo.evaluate((image: HTMLImageElement) => image.naturalWidth), name).toBeGreaterThan(0)
  const axe = new AxeBuilder({ page }).options({ resultTypes: ['violations'] })
  const { violations } = await axe.disableRules(['landmark-one-main', 'region']).analyze() // an email is not a page
  expect(
    violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' ')}`),
    name,
  ).toEqual([])
}

for (const language of languages) {
  test(`renders branded emails in ${language} on phones and computers, in light and dark`, {
    tag: '@slow',
  }, async ({ page, neptune, baseURL }) => {
    await setBrand(baseURL, language)
    const emails = await causeEmails(baseURL, neptune.folder)
    for (const { width, colorScheme } of looks) {
      await page.setViewportSize({ width, height: 800 })
      await page.emulateMedia({ colorScheme })
      const folder = join(screenshots, `${language} ${colorScheme} ${width}`, 'emails')
      for (const [index, { to, html }] of emails.entries()) {
        expect(html).toContain(`<html lang="${language}"`)
        await expectReadable(page, html, `${language} ${colorScheme} ${width}: email ${index + 1} to ${to}`)
        if (!runsAllLooks) continue
        mkdirSync(folder, { recursive: true })
        await page.screenshot({ path: join(folder, `${index + 1}.png`), fullPage: true })
      }
    }
  })
}
