import type { api, Reply } from '@neptune/contract'
import type { Deps } from '../../deps.ts'
import { type Actor, allCompanies, getCompanyScope, type Recipient, type Staff } from '../../lib/actor.ts'
import { AppError } from '../../lib/app-error.ts'
import { toClientKey } from '../../lib/net/client-address.ts'
import { hashToken, newId, newToken } from '../../lib/secrets.ts'
import { record, recordFolded, recordLater } from '../audit/audit.service.ts'
import { addLinkUsage, findLink, type LinkRecord, lockLink, lockLinkShared, updateLink } from '../link/link.repo.ts'
import { readSettings } from '../settings/settings.service.ts'
import { prepareAttempt } from '../throttle/throttle.service.ts'
import { notifyWebhooks } from '../webhook/webhook.service.ts'
import {
  addBytesToEvent,
  deleteEndedVisits,
  deleteOldVisits,
  findVisit,
  findVisitByToken,
  hasVisit,
  incrementEvent,
  insertEvent,
  insertVisit,
  type NewEvent,
  touchVisit,
  type VisitLimits,
  type VisitRecord,
} from './access.repo.ts'
import { isCodeOf } from './access-code.ts'
import { notifyOfDownload, notifyOfUpload } from './link-emails.service.ts'
import { findStopReasons, toStoppedState } from './link-standing.service.ts'

type Db = Deps['db']

const minuteMs = 60_000
const idleTimeoutMs = 60 * minuteMs
/** How often `last_seen_at` is updated. */
const seenIntervalMs = minuteMs
/** The maximum number of visits of one link from one client address. */
const maxVisitsPerAddress = 100

/** Stands in for an unknown link, so that comparing a code takes the same time. */
const dummyLink = { key: 'nobody', code_mac: 'x'.repeat(43) }

type VerifyReply = Reply<typeof api.access.verify>['data']

const refusedReply: VerifyReply = { validation: false, expired: false, access: null, token: null }

/**
 * Verifies an access code. A wrong code, an unknown key and a deleted link get the same answer. Only a caller with the right code
 * learns that a link has expired, or that it can't be opened now. They don't learn why it can't be opened.
 */
export async function verifyCode(
  deps: Deps,
  address: string,
  { accessKey, accessCode }: { accessKey: string; accessCode: string },
): Promise<VerifyReply> {
  const attempt = prepareAttempt(deps, { action: 'verify', subject: accessKey, address })
  const client = toClientKey(address)
  const refusal = { by: { kind: 'stranger' as const, client }, isRefused: true }
  return deps.db.transaction().execute(async (trx) => {
    await attempt.check(trx)
    await lockLinkShared(trx, accessKey)
    const link = await findLink(trx, accessKey, allCompanies)
    const about = link && { company: link.company_id, link: link.key, directory: link.directory_id, name: link.name }
    const isCorrect = isCodeOf(deps.keys, link ?? dummyLink, accessCode)
    if (!link || !isCorrect) {
      const target = about ?? { note: 'no such link' }
      recordLater(deps, `code ${link?.key ?? 'unknown'} ${client}`, { action: 'link.refused', ...refusal, ...target })
      await attempt.countFailure(trx)
      return refusedReply
    }
    const [reason] = findStopReasons(deps, link)
    if (reason) {
      const note = toStoppedState(reason)
      await incrementEvent(trx, { ...newDailyEvent(deps, 'tried', link.key, client), file_id: link.key })
      recordLater(deps, `${note} ${link.key} ${client}`, { action: 'link.unavailable', ...refusal, ...about, note })
      const answer = { ...refusedReply, validation: true, expired: reason === 'expired' }
      return reason === 'expired' ? answer : { ...answer, paused: true }
    }
    const token = await openLink(deps, trx, link, client)
    return { validation: true, expired: false, access: link.file_id ?? link.directory_id, token }
  })
}

/** Starts the visit of a recipient who entered the right code, and records it. Returns the visit's token. */
async function openLink(deps: Deps, trx: Db, link: LinkRecord, client: string): Promise<string> {
  const { key, company_id: company, directory_id: directory, file_id: file, name } = link
  const opened = { ...newDailyEvent(deps, 'opened', key, client), file_id: key }
  const [event] = (await incrementEvent(trx, opened)).rows
  if (event && event.times > maxVisitsPerAddress) await deleteOldVisits(trx, key, client, maxVisitsPerAddress - 1)
  if (link.waiting_since !== null) await updateLink(trx, key, { waiting_since: null })
  const token = await startVisit(deps, trx, link, client, null)
  const by = { kind: 'recipient' as const, client, link: { key, companyId: company } }
  if (event?.id === opened.id) await notifyWebhooks(deps, trx, { type: 'link.opened', company, directory, file, name, by })
  const entry = { action: 'link.opened' as const, by, company, link: key, directory, file, name }
  await recordFolded(deps, trx, `opened ${key} ${client}`, entry)
  return token
}

/**
 * Returns an event that combines what one client address does with one object, through one link, on one day. Combining by visit would
 * not limit the number of events: anyone with the code can start any number of visits.
 */
const newDailyEvent = (deps: Deps, kind: 'opened' | 'tried' | 'downloaded', key: string, client: string): NewEvent => ({
  ...newEvent(deps, key),
  kind,
  session_id: `${key} ${client} ${deps.now().toISOString().slice(0, 10)}`,
  client,
})

/** Lets staff view a link as a recipient would. Their visit is not counted, and they can't upload. */
export async function previewLink(deps: Deps, actor: Staff, address: string, key: string): Promise<{ token: string }> {
  const link = await findLink(deps.db, key, getCompanyScope(actor))
  if (!link) throw new AppError('link.not_found')
  if (findStopReasons(deps, link).length > 0) throw new AppError('link.expired')
  return deps.db.transaction().execute(async (trx) => {
    if (!(await lockLink(trx, key))) throw new AppError('link.not_found')
    const token = await startVisit(deps, trx, link, toClientKey(address), actor.sessionId)
    const about = { company: link.company_id, link: key, directory: link.directory_id, file: link.file_id, name: link.name }
    await record(deps, trx, [{ action: 'link.previewed', by: actor, ...about }])
    return { token }
  })
}

async function startVisit(deps: Deps, trx: Db, link: LinkRecord, client: string, staff_session_id: string | null) {
  const now = deps.now()
  const token = newToken('npl')
  const { session_minutes } = (await readSettings({ ...deps, db: trx })).links
  const ends_at = earlierOf(new Date(now.getTime() + session_minutes * minuteMs).toISOString(), link.expires_at)
  await insertVisit(trx, {
    id: newId(),
    hash: hashToken(token),
    link_key: link.key,
    generation: link.generation,
    created_at: now.toISOString(),
    ends_at,
    ...getLastSeenColumns(now, ends_at),
    client,
    staff_session_id,
  })
  return token
}

const earlierOf = (a: string, b: string) => (a < b ? a : b)

const getLastSeenColumns = (now: Date, ends_at: string) => ({
  last_seen_at: now.toISOString(),
  idle_ends_at: earlierOf(new Date(now.getTime() + idleTimeoutMs).toISOString(), ends_at),
})

/** Returns the limits for valid visits. A shorter limit in the settings also ends visits that began before the change. */
async function getVisitLimits(deps: Deps): Promise<VisitLimits> {
  const { session_minutes } = (await readSettings(deps)).links
  const now = deps.now()
  return { now: now.toISOString(), startedAfter: new Date(now.getTime() - session_minutes * minuteMs).toISOString() }
}

/** Resolves a link token to its recipient, using the link's current state. */
export async function identifyRecipient(deps: Deps, token: string, address: string): Promise<Actor> {
  const now = deps.now()
  const limits = await getVisitLimits(deps)
  const visit = await findVisitByToken(deps.db, hashToken(token), limits)
  if (!visit) return { kind: 'anonymous', isPaused: await hasVisit(deps.db, { hash: hashToken(token) }, limits) }
  await updateLastSeen(deps, visit, now)
  return { ...toRecipient(visit), client: toClientKey(address) }
}

/** Resolves a visit to its recipient, for tickets and for checks during a transfer. Keeps the visit from becoming idle. */
export async function findRecipient(deps: Deps, visitId: string): Promise<Recipient | undefined> {
  const now = deps.now()
  const visit = await findVisit(deps.db, visitId, await getVisitLimits(deps))
  if (visit) await updateLastSeen(deps, visit, now)
  return visit && toRecipient(visit)
}

/** Returns why a recipient has lost access: their visit has ended, or their link can't be opened right now. */
export const findVisitEnd = async (deps: Deps, visitId: string): Promise<'link.closed' | 'link.paused'> =>
  (await hasVisit(deps.db, { id: visitId }, await getVisitLimits(deps))) ? 'link.paused' : 'link.closed'

/** Updates when a visit was last seen. A failure is only logged, so that reading works while the database is read-only. */
async function updateLastSeen({ db, log }: Deps, { id, last_seen_at, ends_at }: VisitRecord, now: Date) {
  if (now.getTime() - Date.parse(last_seen_at) <= seenIntervalMs) return
  await touchVisit(db, id, getLastSeenColumns(now, ends_at)).catch((err) =>
    log.warn({ err }, 'could not update when a visit was last seen'),
  )
}

const toRecipient = (visit: VisitRecord): Recipient => ({
  kind: 'recipient',
  sessionId: visit.id,
  link: {
    key: visit.key,
    type: visit.type,
    companyId: visit.company_id,
    directoryId: visit.directory_id,
    fileId: visit.file_id,
    version: visit.version,
  },
  isPreview: visit.staff_session_id !== null,
  previewer: visit.viewer_id && visit.viewer_name ? { userId: visit.viewer_id, name: visit.viewer_name } : undefined,
  client: visit.client,
})

/**
 * Records that bytes were sent to a recipient. If the link's owner asked for it, notifies them about the first byte that anyone
 * downloads through the link. Notifies webhooks about the first byte of each object that a client address downloads on a day. So nobody
 * avoids a notification by downloading a file in parts, in several visits, or without its last byte.
 */
export async function recordDownload(
  deps: Deps,
  { link: { key }, isPreview, client }: Recipient,
  { id, blob_id, name, size }: { id: string; blob_id: string; name: string; size: number },
  bytes: number,
  announcement: Parameters<typeof notifyWebhooks>[2],
): Promise<void> {
  if (isPreview || (bytes === 0 && size > 0)) return
  await deps.db.transaction().execute(async (trx) => {
    if (!(await lockLink(trx, key))) return // deleted meanwhile: there is nobody to notify
    const daily = newDailyEvent(deps, 'downloaded', key, client)
    // Each version of a file has an event of its own: their sizes differ, and webhooks name what was downloaded.
    const ofVersion = blob_id !== id && { session_id: `${daily.session_id} ${blob_id}` }
    const event = { ...daily, ...ofVersion, file_id: id, name, size, bytes }
    const [updated] = (await addBytesToEvent(trx, event)).rows
    if (updated?.id === event.id) await notifyWebhooks(deps, trx, announcement)
    const link = await findLink(trx, key, allCompanies)
    if (!link?.tells_download_at) return
    await updateLink(trx, key, { tells_download_at: null }) // sent once
    await notifyOfDownload(deps, trx, link)
  })
}

/**
 * Records an upload. Call it inside the transaction that inserts the file. Throws `link.full` when the link's limits are exceeded.
 * `reserved` is how much of these limits unfinished uploads have reserved.
 */
export async function recordUpload(
  deps: Deps,
  trx: Db,
  { link: { key }, sessionId, client }: Recipient,
  { id, name, size }: { id: string; name: string; size: number },
  reserved: { files: number; bytes: number },
): Promise<void> {
  if (!(await lockLink(trx, key))) throw new AppError('link.closed')
  const { max_files, max_bytes } = (await readSettings({ ...deps, db: trx })).links
  const limit = { files: max_files - reserved.files, bytes: max_bytes - reserved.bytes }
  if (!(await addLinkUsage(trx, key, size, limit))) throw new AppError('link.full')
  const event = { ...newEvent(deps, key), session_id: sessionId, kind: 'uploaded' as const, client }
  await insertEvent(trx, { ...event, file_id: id, name, size, bytes: size })
  await notifyOfUpload(deps, trx, key, event.at)
}

export const sweepVisits = (deps: Deps) => deleteEndedVisits(deps.db, deps.now().toISOString())

/** Returns a new event of a link with default values. */
export const newEvent = (deps: Deps, link_key: string): NewEvent => ({
  id: newId(),
  link_key,
  session_id: null,
  user_id: null,
  kind: 'opened',
  file_id: null,
  name: null,
  size: null,
  bytes: null,
  times: 1,
  at: deps.now().toISOString(),
  client: null,
})
