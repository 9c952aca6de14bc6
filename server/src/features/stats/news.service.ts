import type { NewsRow } from '@neptune/contract'
import type { Deps } from '../../deps.ts'
import { getCompanyScope, type Staff } from '../../lib/actor.ts'
import type { Requester } from '../../lib/concurrency/scan.ts'
import { newId } from '../../lib/secrets.ts'
import { addToNews, deleteOldNews, findLastNews, insertNews, listNews, type News, setReceipt } from './news.repo.ts'
import type { UncountedEntry } from './transfer.repo.ts'

const maxShown = 6
const retentionMs = 30 * 24 * 60 * 60_000
/** Two uploads through a link belong to the same burst if they are no further apart than this. */
const burstGapMs = 60 * 60_000

/** Returns what recipients did, newest first. Rows after `newSince` are new to the caller. */
export async function readNews(deps: Deps, actor: Staff, newSince: string, requester: Requester): Promise<NewsRow[]> {
  const { rows } = await listNews(deps.db, getCompanyScope(actor), { limit: maxShown, requester })
  return rows.map((row) => ({
    id: row.id,
    kind: row.kind,
    at: row.at,
    is_new: row.at > newSince,
    files: Number(row.files),
    bytes: Number(row.bytes),
    name: row.name,
    receipt: row.receipt_id,
    link: row.link_key,
    target: row.target,
    type: row.type,
    directory_id: row.directory_id,
    sent_to: row.email,
    client: row.company_name,
    company: row.company_id,
  }))
}

/**
 * Adds the next audit entries of recipients to the news. A receipt that covers all uploads of a burst is added to their row. Any other
 * receipt gets a row of its own. Call it in the transaction that counts the entries, so that each is added once.
 */
export async function addNews(deps: Deps, trx: Deps['db'], entries: UncountedEntry[]): Promise<void> {
  const oldest = new Date(deps.now().getTime() - retentionMs).toISOString()
  await deleteOldNews(trx, oldest)
  for (const { startedAt, ...news } of groupNews(entries.filter(({ at }) => at >= oldest))) {
    const { kind, link_key } = news
    const last = await findLastNews(trx, link_key, kind === 'downloaded' ? kind : 'uploaded')
    if (!last || (kind !== 'downloaded' && !isSameBurst(last.at, startedAt))) await insertNews(trx, news)
    else if (kind === 'uploaded') await addToNews(trx, last.id, news)
    else if (kind === 'receipt' && Number(last.files) === news.files) await setReceipt(trx, last.id, news.receipt_id ?? null)
    else if (kind === 'receipt') await insertNews(trx, news)
  }
}

type NewsGroup = News & { startedAt: string }

/** Groups uploads by link and burst, and keeps only the first download of each link. */
function groupNews(entries: UncountedEntry[]): NewsGroup[] {
  const groups: NewsGroup[] = []
  const lastGroups = new Map<string, NewsGroup>()
  for (const news of entries.map(toNews).filter((found) => found !== undefined)) {
    const last = lastGroups.get(`${news.kind} ${news.link_key}`)
    if (last && news.kind === 'downloaded') continue
    if (last && news.kind === 'uploaded' && isSameBurst(last.at, news.at)) {
      last.at = news.at
      last.files += news.files
      last.bytes += news.bytes
      continue
    }
    // Uploads after a receipt are not part of it, so they form a group of their own.
    if (news.kind === 'receipt') lastGroups.delete(`uploaded ${news.link_key}`)
    const group = { ...news, startedAt: news.at }
    groups.push(group)
    lastGroups.set(`${news.kind} ${news.link_key}`, group)
  }
  return groups
}

const isSameBurst = (endedAt: string, startedAt: string) => Date.parse(startedAt) - Date.parse(endedAt) <= burstGapMs

/** Returns what an audit entry says about a recipient. A long download has two entries; the first one says that it has begun. */
function toNews({ who, outcome, action, company_id, link_key, at, name, size, bytes, times, note }: UncountedEntry) {
  if (who !== 'recipient' || outcome !== 'done' || company_id === null || link_key === null) return undefined
  const news = { id: newId(), company_id, link_key, at, name, files: Number(times), bytes: Number(size ?? 0), receipt_id: null }
  if (action === 'file.uploaded') return { ...news, kind: 'uploaded' as const }
  if (action === 'file.downloaded' || action === 'directory.downloaded')
    return { ...news, kind: 'downloaded' as const, files: 1, bytes: Number(bytes ?? 0) }
  const [, files, receipt_id] = /^(\d+) files?, (\S+)$/.exec(note ?? '') ?? []
  if (action !== 'receipt.issued' || receipt_id === undefined) return undefined
  return { ...news, kind: 'receipt' as const, files: Number(files), receipt_id }
}
