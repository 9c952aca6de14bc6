import { readFileSync } from 'node:fs'
import { codeAlphabet, computeCheckCharacter, type LinkType } from '@neptune/contract'
import { type Download, expect, type Page } from '@playwright/test'
import { addDirectory, asAdmin } from '../fixtures.ts'

export const codeScreenTitle = 'Highly Secured Directory Protocol'
export const expiredMessage = 'This link has expired, please contact your administrator to create a new link.'
export const accessEndedMessage = /^Your access to this link has ended\./
export const requestSentMessage = 'If the link exists, its owner has received your request.'
export const phoneViewport = { width: 390, height: 844 }

interface SharedLink {
  key: string
  code: string
  directory: string
  /** File ids by file name. */
  files: Record<string, string>
}

const inThirtyDays = () => new Date(Date.now() + 30 * 24 * 60 * 60_000).toISOString()

/** Creates a directory named Plans with these files, and a link to it; for a file link, a link to the first file. */
export async function addSharedLink(
  baseURL: string | undefined,
  linkType: LinkType = 'LINK_DIRECTORY',
  { expiry = inThirtyDays(), files = {} }: { expiry?: string; files?: Record<string, string | Buffer> } = {},
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
export function makeWrongCode(code: string): string {
  const characters = code.replaceAll('-', '').slice(0, -1)
  const next = codeAlphabet[(codeAlphabet.indexOf(characters[0] ?? '') + 1) % codeAlphabet.length]
  const other = `${next}${characters.slice(1)}`
  return other + computeCheckCharacter(other)
}

export const codeField = (page: Page) => page.getByPlaceholder('Access code')
export const accessButton = (page: Page) => page.getByRole('button', { name: /^Access (Directory|File)$/ })
export const heading = (page: Page) => page.getByRole('heading', { level: 1 })

export async function submitCode(page: Page, code: string) {
  await codeField(page).fill(code)
  await accessButton(page).click()
}

/** Opens the link's page and submits the code. */
export async function openSharedLink(page: Page, { key, code }: SharedLink) {
  await page.goto(`/access/${key}`)
  await submitCode(page, code)
  await expect(heading(page)).not.toHaveText(codeScreenTitle)
}

/** Simulates the window getting focus, which makes the page refetch. */
export const refocusWindow = (page: Page) => page.evaluate(() => window.dispatchEvent(new Event('focus')))

export async function waitForDownload(page: Page, action: () => Promise<void>): Promise<Download> {
  const started = page.waitForEvent('download')
  await action()
  return started
}

export const readDownload = async (download: Download) => readFileSync(await download.path(), 'utf8')
