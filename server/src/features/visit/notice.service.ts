import type { Deps } from '../../deps.ts'
import { emails } from '../../mail/letters.ts'
import { type Compose, enqueue, forward } from '../outbox/outbox.service.ts'
import { unsealCode } from './access-code.ts'
import { countFiles, findLink, type LinkRecord, updateLink } from './link.repo.ts'
import { findOpenAsk, uploadsSince } from './visit.repo.ts'

type Db = Deps['db']

const minute = 60_000
/** Between two mails about uploads to one link, however many there are. */
const betweenNotices = 60 * minute
/** What comes this shortly before a mail leaves may miss it. */
const margin = 5_000
const filesNamed = 10

/**
 * Tells the maker what recipients brought: one mail for a burst. It leaves a little later and is written only then, so that it names
 * what came meanwhile, too. To be called in the transaction that makes the file.
 */
export async function tellOfUpload(deps: Deps, trx: Db, key: string, at: string): Promise<void> {
  const link = await findLink(trx, key, undefined)
  if (!link) return
  const now = Date.parse(at)
  const planned = link.noticed_at === null ? 0 : Date.parse(link.noticed_at)
  if (planned > now + margin) return // that one will name this file, too
  const next = new Date(Math.max(now + deps.config.noticeMinutes * minute, planned === 0 ? 0 : planned + betweenNotices))
  await updateLink(trx, key, { noticed_at: next.toISOString() })
  await enqueue(deps, trx, {
    letter: 'link_uploads',
    to: link.maker_email,
    about: `${key} ${at}`,
    next_at: next.toISOString(),
  })
}

/**
 * Sends the new owner of a link the notices that still wait for the previous one. Call it in the transaction that changed the
 * owner. `previous` is the link before that.
 */
export async function forwardNotices(deps: Deps, trx: Db, previous: LinkRecord): Promise<void> {
  const { key, maker_email: from, noticed_at } = previous
  const link = await findLink(trx, key, undefined)
  if (!link) return
  const letters = ['link_uploads' as const, 'link_downloaded' as const, 'link_asked' as const]
  await forward(trx, letters, { from, to: link.maker_email, key })
  // The previous owner was notified a short while ago, the new one was not: the next upload is announced without delay.
  if (noticed_at !== null && noticed_at <= deps.now().toISOString()) await updateLink(trx, key, { noticed_at: null })
}

export async function tellOfDownload(deps: Deps, trx: Db, link: LinkRecord): Promise<void> {
  await enqueue(deps, trx, { letter: 'link_downloaded', to: link.maker_email, about: link.key })
}

const pageOf = ({ config }: Deps, key: string) => `${config.publicUrl}/links?search=${encodeURIComponent(key)}`

/** Returns the address a recipient opens. */
export const linkUrl = ({ config }: Deps, key: string) => `${config.publicUrl}/access/${key}`

/** Only the current owner of a link gets its notices. */
const isStillFor = (link: LinkRecord, to: string) => Boolean(link.may_share) && link.maker_email === to

/** How many links one message names. The others are on the Links page. */
const linksNamed = 50

/** Returns the first links that a message is about. It has a line for each, because messages that were held back are merged. */
async function linksIn(deps: Deps, about: string, isWanted: (link: LinkRecord) => boolean) {
  const found: { link: LinkRecord; detail: string }[] = []
  for (const line of about.split('\n')) {
    const [key = '', detail = ''] = line.split(' ')
    const link = await findLink(deps.db, key, undefined)
    if (link && isWanted(link)) found.push({ link, detail })
    if (found.length === linksNamed) break
  }
  return found
}

const noticesIn = (deps: Deps, { about, to }: { about: string; to: string }) =>
  linksIn(deps, about, (link) => isStillFor(link, to))

export const composeUploads: Compose = async (deps, mail) => {
  const uploads: { link: LinkRecord; name: string; files: { name: string; size: number }[]; count: number }[] = []
  for (const { link, detail: since } of await noticesIn(deps, mail)) {
    if (uploads.some((upload) => upload.link.key === link.key)) continue // the first line has the earliest time
    const { first, count } = await uploadsSince(deps.db, link.key, since, filesNamed)
    const files = first.map(({ name, size }) => ({ name: name ?? '', size: Number(size ?? 0) }))
    if (count > 0) uploads.push({ link, name: link.name, files, count })
  }
  const [first] = uploads
  if (!first) return undefined
  const page = uploads.length === 1 ? `directories/${encodeURIComponent(first.link.directory_id)}` : 'links'
  return emails.linkUploads({ owner: first.link.maker_name, uploads, url: `${deps.config.publicUrl}/${page}` })
}

export const composeDownloaded: Compose = async (deps, mail) => {
  const links = await noticesIn(deps, mail)
  const [first] = links
  if (!first) return undefined
  const url = links.length === 1 ? pageOf(deps, first.link.key) : `${deps.config.publicUrl}/links`
  return emails.linkDownloaded({ owner: first.link.maker_name, names: links.map(({ link }) => link.name), url })
}

/** Questions that were answered meanwhile are left out. */
export const composeAsked: Compose = async (deps, mail) => {
  const asks: Parameters<typeof emails.linkAsked>[0]['asks'] = []
  const links = await noticesIn(deps, mail)
  for (const { link, detail } of links) {
    const ask = await findOpenAsk(deps.db, link.key, detail === 'time' ? 'time' : 'code')
    if (ask) asks.push({ name: link.name, wants: ask.wants, message: ask.message })
  }
  const [first] = links
  if (!first || asks.length === 0) return undefined
  return emails.linkAsked({ owner: first.link.maker_name, asks, url: `${deps.config.publicUrl}/links` })
}

/** Notifies the recipient about extended links. Leaves out links that no longer work or can't be shared now. */
export const composeExtended: Compose = async (deps, { about }) => {
  const links = await linksIn(deps, about, (link) => isOpen(deps, link))
  if (links.length === 0) return undefined
  return emails.linkExtended(
    links.map(({ link: { key, maker_name: owner, name, expires_at: expiry } }) => ({
      owner,
      name,
      expiry,
      url: linkUrl(deps, key),
    })),
  )
}

const isOpen = (deps: Deps, { current_standing, expires_at }: LinkRecord) =>
  current_standing === 'open' && expires_at > deps.now().toISOString()

/**
 * The code is decrypted when the message is sent: it is never stored as plain text. A code that was changed meanwhile is not
 * sent, because it may have been changed to lock this recipient out.
 */
export const composeDetails: Compose = async (deps, { letter, about }) => {
  const [key = '', generation] = about.split(' ')
  const link = await findLink(deps.db, key, undefined)
  if (!link || String(link.generation) !== generation) return undefined
  return emails.linkDetails({
    owner: link.maker_name,
    company: link.maker_company_name,
    name: link.name,
    type: link.type,
    files: await countFiles(deps.db, link.directory_id),
    expiry: link.expires_at,
    url: linkUrl(deps, key),
    isChanged: link.generation > 1,
    code: letter === 'link_details' ? unsealCode(deps.keys, link) : undefined,
  })
}
