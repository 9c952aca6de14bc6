import { type api, formatCode, type LinkRow, type LinkState, type LinkStopReason, type Parsed } from '@neptune/contract'
import type { Deps } from '../../deps.ts'
import { type Actor, allCompanies, getCompanyScope, includesAllCompanies, type Staff, unnamedAdmin } from '../../lib/actor.ts'
import { AppError } from '../../lib/app-error.ts'
import type { WithRequester } from '../../lib/concurrency/scan.ts'
import { parseExpiry } from '../../lib/expiry.ts'
import { newId } from '../../lib/secrets.ts'
import { countEvents, listEvents } from '../access/access.repo.ts'
import { computeCodeMac, generateCode, sealCode } from '../access/access-code.ts'
import { buildLinkUrl } from '../access/link-emails.service.ts'
import { findStopReasons, rejectArchivedLink, toStoppedState } from '../access/link-standing.service.ts'
import { record } from '../audit/audit.service.ts'
import { requireOpenCompany } from '../company/company.service.ts'
import { addEachToTotals, addToTotals } from '../company/company-total.repo.ts'
import { getTargetDirectory } from '../directory/directory.service.ts'
import { readSettings } from '../settings/settings.service.ts'
import { endUploads, removeEndedUploads } from '../upload/upload-sweep.service.ts'
import {
  deleteLinks,
  findLink,
  findLinks,
  insertLink,
  insertLinkFiles,
  type LinkRecord,
  listLinkFiles,
  listLinks,
  lockLink,
} from './link.repo.ts'
import { createFieldError, getTarget, lockTarget } from './link-target.service.ts'
import { deleteEndedReservations, takeReservation, upsertReservation } from './reservation.repo.ts'

type Db = Deps['db']

const hourMs = 60 * 60_000
const dayMs = 24 * hourMs
export const expiringMs = 7 * dayMs

type LinkQuery = Parsed<typeof api.link.list>['query'] & { archivedSince?: string }

/** Lists links: every company's for admins, those of the companies they have access to for users. */
export async function listVisibleLinks(deps: Deps, actor: Staff, query: LinkQuery & WithRequester) {
  const { company = '', owner = '', sort = '-created_at', ...rest } = query
  const now = deps.now()
  const expiringBefore = new Date(now.getTime() + expiringMs).toISOString()
  const request = { ...rest, sort, company, owner, now: now.toISOString(), expiringBefore }
  const { rows, next } = await listLinks(deps.db, request, getCompanyScope(actor))
  return { data: await toLinkRows(deps, actor, rows), next }
}

/** Returns a link. Throws `link.not_found` if the caller may not see it. */
export async function getVisibleLink(deps: Deps, actor: Staff, key: string, db: Db = deps.db): Promise<LinkRecord> {
  const link = await findLink(db, key, getCompanyScope(actor))
  if (!link) throw new AppError('link.not_found')
  return link
}

export async function readLink(deps: Deps, actor: Staff, key: string): Promise<LinkRow> {
  const [row] = await toLinkRows(deps, actor, [await getVisibleLink(deps, actor, key)])
  if (!row) throw new AppError('link.not_found')
  return row
}

/** Returns the link's type to anyone with the key, and all of its details to staff with access to the link. */
export async function readLinkInfo(deps: Deps, actor: Actor, key: string) {
  if (actor.kind === 'staff' && (await findLink(deps.db, key, getCompanyScope(actor)))) return readLink(deps, actor, key)
  const link = await findLink(deps.db, key, allCompanies)
  if (!link) throw new AppError('link.not_found')
  return { key: link.key, type: link.type, ...(link.shared_files !== null && { several: true }) }
}

type Initialise = Parsed<typeof api.link.initialise>['body']

/** Reserves a key and a code for a new link, or a new code for an existing one. */
export async function initialiseLink(deps: Deps, actor: Staff, { type, company, directory, accessKey }: Initialise) {
  if (type === 'RESET') {
    if (company !== undefined || directory !== undefined)
      throw createFieldError('accessKey', 'To reserve a new code, send only the key of a link.')
    if (accessKey === undefined) throw createFieldError('accessKey', 'This field is missing.')
    return reserveReset(deps, actor, accessKey)
  }
  if (accessKey !== undefined) throw createFieldError('accessKey', 'Send a key only with type RESET.')
  if (company === undefined) throw createFieldError('company', 'This field is missing.')
  if (directory === undefined) throw createFieldError('directory', 'This field is missing.')
  return reserveLink(deps, actor, company, directory)
}

/** Reserves a key and a code for one hour. Only the caller can use them, and only for a link to this directory. */
async function reserveLink(deps: Deps, actor: Staff, company: string, directory: string) {
  const { id } = await getTargetDirectory(deps, actor, directory, company)
  return reserve(deps, actor, { key: newId(), kind: 'INITIALISE', directory_id: id })
}

/** Reserves a code for one hour. Only the caller can use it, and only for this link. */
async function reserveReset(deps: Deps, actor: Staff, key: string) {
  const link = rejectArchivedLink(await getVisibleLink(deps, actor, key))
  return reserve(deps, actor, { key: link.key, kind: 'RESET', directory_id: link.directory_id }, link)
}

async function reserve(
  deps: Deps,
  actor: Staff,
  row: { key: string; kind: 'INITIALISE' | 'RESET'; directory_id: string },
  link?: LinkRecord,
) {
  const code = generateCode()
  const ends_at = new Date(deps.now().getTime() + hourMs).toISOString()
  await deps.db.transaction().execute(async (trx) => {
    await upsertReservation(trx, { ...row, user_id: actor.userId, code_mac: computeCodeMac(deps.keys, row.key, code), ends_at })
    // A new link needs no entry here: its creation is recorded.
    if (link)
      await record(deps, trx, [{ action: 'link.code_shown', by: actor, ...toLinkAuditFields(link), note: 'not yet active' }])
  })
  return { key: row.key, accessCode: formatCode(code) }
}

/** Creates a link with a reserved key and code. A repeated request returns the link that the first one created. */
export async function createLink(deps: Deps, actor: Staff, body: Parsed<typeof api.link.create>['body']): Promise<LinkRow> {
  const { linkType, key, accessCode, tellDownload = false } = body
  const { max_days } = (await readSettings(deps)).links
  const expires_at = parseExpiry(deps.now(), 'expiry', body.expiry, max_days)
  const { files, ...target } = await getTarget(deps, actor, body)
  const now = deps.now().toISOString()
  const generation = 1
  const link: Parameters<typeof insertLink>[1] = {
    key,
    type: linkType,
    ...target,
    maker_id: actor.userId,
    code_mac: computeCodeMac(deps.keys, key, accessCode),
    code_sealed: sealCode(deps.keys, { key, generation }, accessCode),
    generation,
    created_at: now,
    expires_at,
    email: null,
    tells_download_at: tellDownload ? now : null,
    noticed_at: null,
  }
  await deps.db.transaction().execute(async (trx) => {
    await lockTarget(trx, { ...target, files })
    const claim = { key, user_id: actor.userId, kind: 'INITIALISE' as const, code_mac: link.code_mac }
    const reserved = await takeReservation(trx, claim, now)
    if (!reserved) return requireSameLink(trx, link, files)
    if (reserved.directory_id !== target.directory_id) throw new AppError('link.not_reserved')
    await requireOpenCompany(trx, target.company_id)
    if (!(await insertLink(trx, link))) throw new AppError('link.not_reserved')
    if (files.length > 0) await insertLinkFiles(trx, key, files)
    const note = `${linkType}${files.length > 0 ? `, ${files.length} files` : ''}, until ${expires_at.slice(0, 10)}`
    await record(deps, trx, [{ action: 'link.created', by: actor, ...toLinkAuditFields({ key, ...target }), note }])
    await addToTotals(trx, target.company_id, { links: 1 })
  })
  return readLink(deps, actor, key)
}

/**
 * Accepts a repeated request if the existing link matches it, because the first request used up the reservation. Others get
 * `link.not_reserved`, so only the owner learns that the key is in use.
 */
async function requireSameLink(trx: Db, requested: Parameters<typeof insertLink>[1], files: string[]): Promise<void> {
  const link = await lockLink(trx, requested.key)
  if (link?.maker_id !== requested.maker_id) throw new AppError('link.not_reserved')
  const comparedColumns = ['type', 'directory_id', 'file_id', 'version', 'code_mac', 'expires_at'] as const
  const notifies = [link, requested].map(({ tells_download_at }) => tells_download_at !== null)
  const isSame = comparedColumns.every((column) => link[column] === requested[column]) && notifies[0] === notifies[1]
  const shared = await listLinkFiles(trx, requested.key)
  if (!isSame || shared.length !== files.length || shared.some((id) => !files.includes(id)))
    throw new AppError('link.already_created')
}

/** Deletes links: all of them or none. Before that, ends their unfinished uploads. */
export async function removeLinks(deps: Deps, actor: Staff, keys: string[]): Promise<void> {
  const uniqueKeys = [...new Set(keys)]
  const links = await findLinks(deps.db, uniqueKeys, getCompanyScope(actor))
  if (links.length < uniqueKeys.length) throw new AppError('link.not_found')
  // Must run before `deleteLinks`, which also deletes the upload rows that we need to find the bytes.
  await removeEndedUploads(deps, await endUploads(deps, deps.db, uniqueKeys))
  await deps.db.transaction().execute(async (trx) => {
    // A colleague may have deleted one meanwhile.
    const companies = await deleteLinks(trx, uniqueKeys)
    if (companies.length < uniqueKeys.length) throw new AppError('link.not_found')
    const entries = links.map((link) => ({ action: 'link.deleted' as const, by: actor, ...toLinkAuditFields(link) }))
    await record(deps, trx, entries)
    await addEachToTotals(trx, 'links', companies, -1)
  })
}

export async function listLinkActivity(
  deps: Deps,
  actor: Staff,
  key: string,
  query: Parsed<typeof api.link.activity>['query'] & WithRequester,
) {
  await getVisibleLink(deps, actor, key)
  const { rows, next } = await listEvents(deps.db, key, { ...query, sort: query.sort ?? '-at' }, getCompanyScope(actor))
  const data = rows.map(({ id, kind, at, times, name, size, bytes, client, person, is_foreign_admin }) => {
    const toNumber = (value: number | null) => (value === null ? null : Number(value))
    const shown = is_foreign_admin ? unnamedAdmin : person
    return { id, kind, at, times, name, size: toNumber(size), bytes: toNumber(bytes), client, person: shown }
  })
  return { data, next }
}

/** Returns the fields of an audit entry that identify a link. */
export const toLinkAuditFields = (link: Pick<LinkRecord, 'key' | 'company_id' | 'directory_id' | 'file_id' | 'name'>) => ({
  company: link.company_id,
  link: link.key,
  directory: link.directory_id,
  file: link.file_id,
  name: link.name,
})

export const sweepReservations = (deps: Deps) => deleteEndedReservations(deps.db, deps.now().toISOString())

export async function toLinkRows(deps: Deps, actor: Staff, links: LinkRecord[]): Promise<LinkRow[]> {
  const counts =
    links.length > 0
      ? await countEvents(
          deps.db,
          links.map(({ key }) => key),
        )
      : []
  const getUsage = (key: string, kind: string) => {
    const count = counts.find((row) => row.link_key === key && row.kind === kind)
    return { times: Number(count?.times ?? 0), last_at: count?.last_at ?? null }
  }
  return links.map((link) => {
    const reasons = findVisibleReasons(deps, actor, link)
    return {
      key: link.key,
      url: buildLinkUrl(deps, link.key),
      name: link.name,
      type: link.type,
      client: link.company_name,
      company: link.company_id,
      directory_id: link.directory_id,
      file_id: link.file_id,
      version: link.version,
      files: link.shared_files === null ? null : Number(link.shared_files),
      date_created: link.created_at,
      expiry: link.expires_at,
      state: getLinkState(deps, link, reasons),
      reasons,
      replaced: Boolean(link.is_replaced),
      email: link.email,
      maker: link.owner_name,
      ...(actor.role === 'NEPTUNE_ADMIN' && { maker_id: link.maker_id }),
      tells_download: link.tells_download_at !== null,
      opened: getUsage(link.key, 'opened'),
      downloaded: getUsage(link.key, 'downloaded'),
      uploaded: getUsage(link.key, 'uploaded'),
    }
  })
}

function getLinkState(deps: Deps, { expires_at }: LinkRecord, [reason]: LinkStopReason[]): LinkState {
  if (reason) return toStoppedState(reason)
  return Date.parse(expires_at) - deps.now().getTime() <= expiringMs ? 'expiring' : 'active'
}

/** Returns why a link doesn't work. Only callers who see all companies learn that the company of its owner is archived. */
function findVisibleReasons(deps: Deps, actor: Staff, link: LinkRecord): LinkStopReason[] {
  const reasons = findStopReasons(deps, link)
  if (includesAllCompanies(getCompanyScope(actor))) return reasons
  return [...new Set(reasons.map((reason) => (reason === 'owner_removed' ? reason : toStoppedState(reason))))]
}
