import type { Deps } from '../../deps.ts'
import { letters } from '../../mail/letters.ts'
import { type Compose, enqueue } from '../outbox/outbox.service.ts'
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
 * The mail that was planned for whoever had the link before is not sent. What it would have told of goes to whoever took the link over. To
 * be called in the transaction in which they did.
 */
export async function tellSuccessor(
  deps: Deps,
  trx: Db,
  { key, noticed_at }: Pick<LinkRecord, 'key' | 'noticed_at'>,
): Promise<void> {
  const link = await findLink(trx, key, undefined)
  if (!link) return
  const isPlanned = noticed_at !== null && noticed_at > deps.now().toISOString()
  if (!isPlanned) return void (await updateLink(trx, key, { noticed_at: null }))
  const since = new Date(Date.parse(noticed_at) - betweenNotices - deps.config.noticeMinutes * minute).toISOString()
  await enqueue(deps, trx, { letter: 'link_uploads', to: link.maker_email, about: `${key} ${since}`, next_at: noticed_at })
}

export async function tellOfDownload(deps: Deps, trx: Db, link: LinkRecord): Promise<void> {
  await enqueue(deps, trx, { letter: 'link_downloaded', to: link.maker_email, about: link.key })
}

const pageOf = ({ config }: Deps, key: string) => `${config.publicUrl}/links?search=${encodeURIComponent(key)}`

/** Returns the address a recipient opens. */
export const linkUrl = ({ config }: Deps, key: string) => `${config.publicUrl}/access/${key}`

/** Whoever took a link over, and not whom it was taken from, is told of it. */
const isStillFor = (link: LinkRecord | undefined, to: string): link is LinkRecord =>
  link !== undefined && Boolean(link.may_share) && link.maker_email === to

/** How many links one message names. The others are on the Links page. */
const linksNamed = 50

/**
 * Returns the links a notice is about. It has a line for each, because notices that were held back are merged. Skips links
 * that no longer belong to the addressee.
 */
async function linksIn(deps: Deps, { about, to }: { about: string; to: string }) {
  const found: { link: LinkRecord; detail: string }[] = []
  for (const line of about.split('\n').slice(0, linksNamed)) {
    const [key = '', detail = ''] = line.split(' ')
    const link = await findLink(deps.db, key, undefined)
    if (isStillFor(link, to)) found.push({ link, detail })
  }
  return found
}

export const composeUploads: Compose = async (deps, mail) => {
  const uploads: { link: LinkRecord; name: string; files: { name: string; size: number }[]; count: number }[] = []
  for (const { link, detail: since } of await linksIn(deps, mail)) {
    if (uploads.some((upload) => upload.link.key === link.key)) continue // the earlier line covers these files, too
    const { first, count } = await uploadsSince(deps.db, link.key, since, filesNamed)
    const files = first.map(({ name, size }) => ({ name: name ?? '', size: Number(size ?? 0) }))
    if (count > 0) uploads.push({ link, name: link.name, files, count })
  }
  const [first] = uploads
  if (!first) return undefined
  const page = uploads.length === 1 ? `directories/${encodeURIComponent(first.link.directory_id)}` : 'links'
  return letters.linkUploads({ maker: first.link.maker_name, uploads, url: `${deps.config.publicUrl}/${page}` })
}

export const composeDownloaded: Compose = async (deps, mail) => {
  const links = await linksIn(deps, mail)
  const [first] = links
  if (!first) return undefined
  const url = links.length === 1 ? pageOf(deps, first.link.key) : `${deps.config.publicUrl}/links`
  return letters.linkDownloaded({ maker: first.link.maker_name, names: links.map(({ link }) => link.name), url })
}

/** Questions that were answered meanwhile are left out. */
export const composeAsked: Compose = async (deps, mail) => {
  const asks: Parameters<typeof letters.linkAsked>[0]['asks'] = []
  const links = await linksIn(deps, mail)
  for (const { link, detail } of links) {
    const ask = await findOpenAsk(deps.db, link.key, detail === 'time' ? 'time' : 'code')
    if (ask) asks.push({ name: link.name, wants: ask.wants, message: ask.message })
  }
  const [first] = links
  if (!first || asks.length === 0) return undefined
  return letters.linkAsked({ maker: first.link.maker_name, asks, url: `${deps.config.publicUrl}/links` })
}

/** To whom the link was sent: it is open for longer, or again. */
export const composeExtended: Compose = async (deps, { about }) => {
  const link = await findLink(deps.db, about, undefined)
  if (!link?.may_share) return undefined
  const { maker_name: maker, name, expires_at: expiry } = link
  return letters.linkExtended({ maker, name, expiry, url: linkUrl(deps, about) })
}

/**
 * The code is decrypted when the message leaves: it never waits in the database in clear. A code that was changed meanwhile is not sent:
 * whoever the mail is for may be the one it was changed for.
 */
export const composeDetails: Compose = async (deps, { letter, about }) => {
  const [key = '', generation] = about.split(' ')
  const link = await findLink(deps.db, key, undefined)
  if (!link || String(link.generation) !== generation) return undefined
  return letters.linkDetails({
    maker: link.maker_name,
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
