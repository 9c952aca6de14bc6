import { readFileSync } from 'node:fs'
import { codeAlphabet, computeCheckCharacter, type LinkType } from '@neptune/contract'
import { type Download, expect, type Page } from '@playwright/test'
import { addDirectory, asAdmin } from '../fixtures.ts'

export const protocol = 'Highly Secured Directory Protocol'
export const expired = 'This link has expired, please contact your administrator to create a new link.'
export const closed = /^Your access to this link has ended\./
export const thanks = 'If the link exists, its owner has received your request. You’ll hear from them.'
export const phone = { width: 390, height: 844 }

interface SharedLink {
  key: string
  code: string
  directory: string
  /** File ids by file name. */
  files: Record<string, string>
}

const inMonth = () => new Date(Date.now() + 30 * 24 * 60 * 60_000).toISOString()

/** Creates a link as staff do: to a new directory named Plans, or to the first of its files. */
export async function share(
  baseURL: string | undefined,
  linkType: LinkType = 'LINK_DIRECTORY',
  { expiry = inMonth(), files = {} }: { expiry?: string; files?: Record<string, string | Buffer> } = {},
): Promise<SharedLink> {
  const call = asAdmin(baseURL)
  const { id, company, ids } = await addDirectory(baseURL, 'Plans', files)
  const { data } = await call('POST', '/v1/link/initialise', { company, directory: id })
  const target = linkType === 'LINK_FILE' ? { file: Object.values(ids)[0] } : { directory: id }
  await call('POST', '/v1/link', { linkType, ...target, ...data, expiry })
  return { key: data.key, code: data.accessCode, directory: id, files: ids }
}

/** Resets the link's code, which ends every open visit, and returns the new code. */
export async function resetLink(baseURL: string | undefined, { key }: SharedLink): Promise<string> {
  const call = asAdmin(baseURL)
  const { data } = await call('POST', '/v1/link/initialise', { type: 'RESET', accessKey: key })
  await call('PATCH', '/v1/link/reset', { accessKey: key, accessCode: data.accessCode })
  return data.accessCode
}

/** Returns a well-formed code that does not match. */
export function otherCode(code: string): string {
  const characters = code.replaceAll('-', '').slice(0, -1)
  const next = codeAlphabet[(codeAlphabet.indexOf(characters[0] ?? '') + 1) % codeAlphabet.length]
  const other = `${next}${characters.slice(1)}`
  return other + computeCheckCharacter(other)
}

export const codeField = (page: Page) => page.getByPlaceholder('Access code')
export const enterButton = (page: Page) => page.getByRole('button', { name: /^Access (Directory|File)$/ })
export const title = (page: Page) => page.getByRole('heading', { level: 1 })

/** Submits the code. */
export async function submitCode(page: Page, code: string) {
  await codeField(page).fill(code)
  await enterButton(page).click()
}

/** Opens the link with its code. */
export async function enter(page: Page, { key, code }: SharedLink) {
  await page.goto(`/access/${key}`)
  await submitCode(page, code)
  await expect(title(page)).not.toHaveText(protocol)
}

/** Simulates the window getting focus, which makes the page refetch. */
export const refocusWindow = (page: Page) => page.evaluate(() => window.dispatchEvent(new Event('focus')))

export async function waitForDownload(page: Page, press: () => Promise<void>): Promise<Download> {
  const started = page.waitForEvent('download')
  await press()
  return started
}

export const readDownload = async (download: Download) => readFileSync(await download.path(), 'utf8')
