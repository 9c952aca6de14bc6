import type { Deps } from '../../deps.ts'
import { allCompanies } from '../../lib/actor.ts'
import { emails } from '../../mail/emails/emails.ts'
import type { NamedLink } from '../../mail/emails/owner-emails.ts'
import { readBrand, readNameForRecipients } from '../brand/brand.service.ts'
import { countFilesIn, findLink, type LinkRecord, updateLink } from '../link/link.repo.ts'
import { type Compose, enqueueMail, enqueueMails, forwardMessages } from '../outbox/outbox.service.ts'
import { readSettings } from '../settings/settings.service.ts'
import { listAdminEmails } from '../user/user.repo.ts'
import { findOpenAsk, findUploadsSince } from './access.repo.ts'
import { unsealCode } from './access-code.ts'
import { findStopReasons } from './link-standing.service.ts'
import { findPersonWithAccess, listColleagueEmails } from './stand-in.repo.ts'

type Db = Deps['db']

const minuteMs = 60_000
/** The minimum time between two messages about uploads to one link. */
const noticeIntervalMs = 60 * minuteMs
/** A message that is due within this time may already be composed, so a new upload may be missing from it. */
const marginMs = 5_000
const maxFilesListed = 10

/**
 * Notifies the owner of a link about an upload, with one message per burst. The message is sent a little later and composed only
 * then, so that it lists later uploads, too. Call it inside the transaction that inserts the file.
 */
export async function notifyOfUpload(deps: Deps, trx: Db, key: string, at: string): Promise<void> {
  const link = await findLink(trx, key, allCompanies)
  if (!link) return
  const nowMs = Date.parse(at)
  const plannedMs = link.noticed_at === null ? 0 : Date.parse(link.noticed_at)
  if (plannedMs > nowMs + marginMs) return // the planned message will list this file, too
  const { notice_minutes } = (await readSettings({ ...deps, db: trx })).links
  const sendAt = new Date(Math.max(nowMs + notice_minutes * minuteMs, plannedMs === 0 ? 0 : plannedMs + noticeIntervalMs))
  await updateLink(trx, key, { noticed_at: sendAt.toISOString() })
  await enqueueMail(deps, trx, {
    letter: 'link_uploads',
    to: link.owner_email,
    about: `${key} ${at}`,
    next_at: sendAt.toISOString(),
  })
}

/**
 * Forwards waiting notices about a link from its previous owner to the new one. Call it inside the transaction that changed the
 * owner. `previous` is the link before the change.
 */
export async function forwardNotices(deps: Deps, trx: Db, previous: LinkRecord): Promise<void> {
  const { key, owner_email: from, noticed_at } = previous
  const link = await findLink(trx, key, allCompanies)
  if (!link) return
  await forwardLinkMessages(trx, [key], { from, to: link.owner_email })
  // The new owner has not been notified yet, so the next upload need not wait for the hourly interval.
  if (noticed_at !== null && noticed_at <= deps.now().toISOString()) await updateLink(trx, key, { noticed_at: null })
}

/** Forwards waiting messages about links from one owner to another. */
export const forwardLinkMessages = (trx: Db, keys: string[], addresses: { from: string; to: string }): Promise<void> =>
  forwardMessages(trx, ['link_uploads', 'link_downloaded', 'link_asked'], { ...addresses, keys })

/** If more links are handed over at once, the message only counts up to this number. */
const maxLinksCounted = 100

/** Notifies someone about links that were handed over to them, with one message. Call it inside the transaction that changed the owner. */
export async function notifyOfHandover(deps: Deps, trx: Db, keys: string[], { from, to }: { from: string; to: string }) {
  const lines = keys.slice(0, maxLinksCounted).map((key) => `${key} ${encodeURIComponent(from)}`)
  await enqueueMail(deps, trx, { letter: 'links_handed_over', to, about: lines.join('\n') })
}

export async function notifyOfDownload(deps: Deps, trx: Db, link: LinkRecord): Promise<void> {
  await enqueueMail(deps, trx, { letter: 'link_downloaded', to: link.owner_email, about: link.key })
}

/** How many people are notified about a request if the owner of its link can't answer. */
const maxStandIns = 10

/**
 * Notifies the owner of a link about a recipient's request. If the owner can't answer, because they were removed or suspended or have no
 * access any more, notifies their colleagues with access instead, or admins if there are none. Nobody can answer while the company is
 * archived: the request is listed when it is restored. Call it inside the transaction that inserts the request.
 */
export async function notifyOfRequest(deps: Deps, trx: Db, link: LinkRecord, wants: string): Promise<void> {
  const to = await listAnswerers(trx, link)
  if (to.length > 0) await enqueueMails(deps, trx, to, { letter: 'link_asked', about: `${link.key} ${wants}` })
}

async function listAnswerers(trx: Db, link: LinkRecord): Promise<string[]> {
  if (link.may_share) return [link.owner_email]
  if (link.company_archived_at !== null) return []
  const colleagues = await listColleagueEmails(trx, link.owner_company_id, link.company_id, maxStandIns)
  return colleagues.length > 0 ? colleagues : (await listAdminEmails(trx)).slice(0, maxStandIns)
}

/** Returns the URL of the Links page, filtered to this link. */
const buildLinksPageUrl = ({ config }: Deps, key: string) => `${config.publicUrl}/links?search=${encodeURIComponent(key)}`

/** Returns the URL that a recipient opens. */
export const buildLinkUrl = ({ config }: Deps, key: string) => `${config.publicUrl}/access/${key}`

/** Returns whether `to` is the address of the link's current owner, who may still share it. Nobody else gets notices about a link. */
const isOwnedBy = (link: LinkRecord, to: string) => Boolean(link.may_share) && link.owner_email === to

/** The maximum number of links in one message. The others are on the Links page. */
const maxLinksListed = 50

/**
 * Returns the first links that a message is about. `about` has a line for each, because messages that were held back are merged
 * into one.
 */
async function readLinks(deps: Deps, about: string, isWanted: (link: LinkRecord) => boolean) {
  const found: { link: LinkRecord; detail: string }[] = []
  const keys = new Set<string>()
  for (const line of about.split('\n')) {
    const [key = '', detail = ''] = line.split(' ')
    if (keys.size === maxLinksListed && !keys.has(key)) continue // a link can have several lines, which count once
    const link = await findLink(deps.db, key, allCompanies)
    if (!link || !isWanted(link)) continue
    keys.add(key)
    found.push({ link, detail })
  }
  return found
}

/** Returns what identifies a link to its owner: its name, where it was sent and, if they see several companies, its company. */
function toNamedLink({ name, email, company_name, owner_role, owner_access }: LinkRecord): NamedLink {
  const hasSeveralCompanies = owner_role === 'NEPTUNE_ADMIN' || owner_access !== 'own'
  return { name, company: hasSeveralCompanies ? company_name : undefined, sentTo: email }
}

const readOwnedLinks = (deps: Deps, { about, to }: { about: string; to: string }) =>
  readLinks(deps, about, (link) => isOwnedBy(link, to))

export const composeUploadNotice: Compose = async (deps, mail) => {
  const uploads: (NamedLink & { link: LinkRecord; files: { name: string; size: number }[]; count: number })[] = []
  for (const { link, detail: since } of await readOwnedLinks(deps, mail)) {
    if (uploads.some((upload) => upload.link.key === link.key)) continue // the first line has the earliest time
    const { first, count } = await findUploadsSince(deps.db, link.key, since, maxFilesListed)
    const files = first.map(({ name, size }) => ({ name: name ?? '', size: Number(size ?? 0) }))
    if (count > 0) uploads.push({ ...toNamedLink(link), link, files, count })
  }
  const [first] = uploads
  if (!first) return undefined
  const page = uploads.length === 1 ? `directories/${encodeURIComponent(first.link.directory_id)}` : 'links'
  return { write: emails.linkUploads({ owner: first.link.owner_name, uploads, url: `${deps.config.publicUrl}/${page}` }) }
}

export const composeDownloadNotice: Compose = async (deps, mail) => {
  const links = await readOwnedLinks(deps, mail)
  const [first] = links
  if (!first) return undefined
  const url = links.length === 1 ? buildLinksPageUrl(deps, first.link.key) : `${deps.config.publicUrl}/links`
  return { write: emails.linkDownloads({ owner: first.link.owner_name, links: links.map(({ link }) => toNamedLink(link)), url }) }
}

/**
 * Composes the notice about recipients' requests. Leaves out those that have been answered meanwhile, and those that someone else can
 * answer now.
 */
export const composeRequestNotice: Compose = async (deps, { about, to }) => {
  const asks: Parameters<typeof emails.linkRequests>[0]['asks'] = []
  let reader: string | undefined
  for (const { link, detail } of await readLinks(deps, about, () => true)) {
    const ask = await findOpenAsk(deps.db, link.key, detail === 'time' ? 'time' : 'code')
    const name = await findAnswererName(deps, link, to)
    if (!ask || name === undefined) continue
    reader = name
    const standIn = link.may_share ? {} : { company: link.company_name, standsInFor: link.owner_name }
    asks.push({ ...toNamedLink(link), ...standIn, wants: ask.wants, message: ask.message })
  }
  if (reader === undefined) return undefined
  return { write: emails.linkRequests({ owner: reader, asks, url: `${deps.config.publicUrl}/links` }) }
}

/** Returns the name of the person with this address, if they can answer requests about the link. */
async function findAnswererName(deps: Deps, link: LinkRecord, to: string): Promise<string | undefined> {
  if (link.may_share) return link.owner_email === to ? link.owner_name : undefined
  return (await findPersonWithAccess(deps.db, to, link.company_id))?.name
}

/** Composes the message about links that were handed over. Leaves out those that have another owner meanwhile. */
export const composeHandoverNotice: Compose = async (deps, mail) => {
  const links = await readOwnedLinks(deps, mail)
  const [first] = links
  if (!first) return undefined
  const count = mail.about.split('\n').length
  const write = emails.linksHandedOver({
    owner: first.link.owner_name,
    links: links.map(({ link, detail }) => ({ ...toNamedLink(link), from: decodeURIComponent(detail) })),
    count,
    hasMore: count >= maxLinksCounted,
    url: links.length === 1 ? buildLinksPageUrl(deps, first.link.key) : `${deps.config.publicUrl}/links`,
  })
  return { write }
}

/** Describes what a link shares to its recipient: by its name, or several files by their number. */
const describeTarget = ({ name, shared_files }: LinkRecord) =>
  shared_files === null ? { name } : { name: '', several: Number(shared_files) }

/** Composes the message about extended links. Leaves out links that can't be opened now. */
export const composeExtensionNotice: Compose = async (deps, { about }) => {
  const links = await readLinks(deps, about, (link) => isOpen(deps, link))
  const [first] = links
  if (!first) return undefined
  const extended = links.map(async ({ link }) => ({
    owner: link.owner_name,
    company: await readNameForRecipients(deps, link.owner_company_name),
    ...describeTarget(link),
    expiry: link.expires_at,
    url: buildLinkUrl(deps, link.key),
  }))
  const write = emails.linkExtensions(await Promise.all(extended))
  // Merged messages can be about links of several companies and owners.
  const isSame = (field: 'company_id' | 'owner_email') => links.every(({ link }) => link[field] === first.link[field])
  return {
    write,
    companyId: isSame('company_id') ? first.link.company_id : undefined,
    replyTo: isSame('owner_email') ? toOwnerAddress(first.link) : undefined,
  }
}

/** Returns where the replies of recipients go: to the owner of the link, unless they can no longer answer. */
export const toOwnerAddress = ({ owner_name: name, owner_email: address, may_share }: LinkRecord) =>
  may_share ? { name, address } : undefined

const isOpen = (deps: Deps, link: LinkRecord) => findStopReasons(deps, link).length === 0

/** Returns what the message with a link's details is composed from. A personal message must be stored, because only its writer knows it. */
export const describeLinkDetails = (
  { key, generation }: Pick<LinkRecord, 'key' | 'generation'>,
  message?: { from: string; text: string },
): string => [key, generation, ...(message ? [message.from, message.text].map(encodeURIComponent) : [])].join(' ')

/**
 * Composes the message with a link's details. The code is decrypted only now, so that it is never stored as plain text. If the code
 * has changed meanwhile, nothing is sent, because it may have been changed to lock this recipient out. Nor is anything sent about a link
 * that stopped working meanwhile.
 */
export const composeLinkDetails: Compose = async (deps, { letter, about }) => {
  const [key = '', generation, from, message] = about.split(' ')
  const link = await findLink(deps.db, key, allCompanies)
  if (!link || String(link.generation) !== generation || !isOpen(deps, link)) return undefined
  const company = await readNameForRecipients(deps, link.owner_company_name)
  const { name: portal } = await readBrand(deps, link.company_id)
  const write = emails.linkDetails({
    owner: link.owner_name,
    company,
    portal: portal === company ? null : portal,
    ...describeTarget(link),
    type: link.type,
    files: await countFilesIn(deps.db, link.directory_id),
    expiry: link.expires_at,
    url: buildLinkUrl(deps, key),
    isChanged: link.generation > 1,
    code: letter === 'link_details' ? unsealCode(deps.keys, link) : undefined,
    message: from && message ? { from: decodeURIComponent(from), text: decodeURIComponent(message) } : undefined,
  })
  return { write, companyId: link.company_id, replyTo: toOwnerAddress(link) }
}
