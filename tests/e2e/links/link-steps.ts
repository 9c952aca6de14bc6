import type { LinkType } from '@neptune/contract'
import type { Page } from '@playwright/test'
import type { makeServerClock } from '../../support/server-clock.ts'
import { asBearer } from '../calls.ts'
import { addCompanyWithUser, addDirectory, asAdmin, expect, kim, openAsAdmin } from '../fixtures.ts'

export const dayMs = 24 * 60 * 60_000

export const linkNames = (page: Page) => page.getByRole('table', { name: 'Links' }).locator('td:has([data-opener])')

export async function openLinks(page: Page) {
  await openAsAdmin(page, '/links')
  await expect(page.getByRole('heading', { level: 1, name: 'Links' })).toBeVisible()
}

interface LinkOptions {
  linkType?: LinkType
  /** How long from now the link expires; negative for an expiry in the past. */
  lifetimeMs?: number
  call?: ReturnType<typeof asAdmin>
}

/** Creates a link to a whole directory with the API. */
export async function addLink(
  baseURL: string | undefined,
  { id, company }: { id: string; company: string },
  options: LinkOptions = {},
) {
  const { linkType = 'LINK_DIRECTORY', lifetimeMs = 30 * dayMs } = options
  const call = options.call ?? asAdmin(baseURL)
  const { data } = await call('POST', '/v1/link/initialise', { company, directory: id })
  const reserved: { key: string; accessCode: string } = data
  const expiry = new Date(Date.now() + lifetimeMs).toISOString()
  await call('POST', '/v1/link', { linkType, directory: id, ...reserved, expiry })
  return reserved
}

/** Creates a link to one file with the API. Returns its key and code, and the id of the file. */
export async function addFileLink(
  baseURL: string | undefined,
  directory: string,
  name: string,
  { lifetimeMs = 30 * dayMs, call = asAdmin(baseURL) }: Omit<LinkOptions, 'linkType'> = {},
) {
  const { data: files } = await call('GET', `/v1/file?directory=${directory}`)
  const file = files.find(({ file_name }: { file_name: string }) => file_name === name)
  const { data } = await call('POST', '/v1/link/initialise', { company: file.company, directory })
  const reserved: { key: string; accessCode: string } = data
  const expiry = new Date(Date.now() + lifetimeMs).toISOString()
  await call('POST', '/v1/link', { linkType: 'LINK_FILE', file: file.id, ...reserved, expiry })
  return { id: file.id as string, ...reserved }
}

/** Creates a link in each of the four states. The paused link's owner is suspended; the expired link is created in the past. */
export async function addLinkInEachState(baseURL: string | undefined, clock: ReturnType<typeof makeServerClock>) {
  const { id, company } = await addCompanyWithUser(baseURL, 'Globex', kim)
  clock.setAhead(-2 * dayMs)
  const expired = await addLink(baseURL, await addDirectory(baseURL, 'Over'), { lifetimeMs: -dayMs })
  clock.setAhead(0)
  const later = await addLink(baseURL, await addDirectory(baseURL, 'Later'), { lifetimeMs: 60 * dayMs })
  const soon = await addLink(baseURL, await addDirectory(baseURL, 'Soon'), { lifetimeMs: 3 * dayMs - 1000 })
  const { token } = await asBearer(baseURL)('POST', '/v1/identity/login', { email: kim.email, password: kim.password })
  const call = asBearer(baseURL, token)
  await addLink(baseURL, await addDirectory(baseURL, 'Paused', {}, company), { call })
  const callAsAdmin = asAdmin(baseURL)
  await callAsAdmin('POST', `/v1/admin/user/${id}/suspend`)
  expect((await callAsAdmin('GET', '/v1/link?state=expired')).data).toHaveLength(1)
  return { expired: expired.key, later: later.key, soon: soon.key }
}

/** Submits an access code as a recipient does. */
export async function verifyCode(baseURL: string | undefined, accessKey: string, accessCode: string) {
  const { data } = await asBearer(baseURL)('POST', '/v1/link/verify', { accessKey, accessCode })
  return data as { validation: boolean; token: string | null }
}

export const isCodeAccepted = async (baseURL: string | undefined, key: string, code: string) =>
  (await verifyCode(baseURL, key, code)).validation

/** Asks the link's owner for more time or a new code, as a recipient does. */
export const askOwner = async (baseURL: string | undefined, accessKey: string, wants: 'time' | 'code', message?: string) =>
  asBearer(baseURL)('POST', '/v1/ask', { accessKey, wants, ...(message && { message }) })
