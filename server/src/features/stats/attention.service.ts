import type { AttentionRow, Dashboard } from '@neptune/contract'
import type { Deps } from '../../deps.ts'
import { getCompanyScope, type Staff } from '../../lib/actor.ts'
import type { Requester } from '../../lib/concurrency/scan.ts'
import { listWarnedCompanies } from '../company/company.repo.ts'
import { getQuota } from '../company/company.service.ts'
import { listVisibleAsks } from '../link/ask.service.ts'
import { listVisibleLinks } from '../link/link.service.ts'
import { listLinksNobodyOpened } from '../link/unopened-links.service.ts'
import { listFailedSince } from '../outbox/outbox.repo.ts'
import { readSettings } from '../settings/settings.service.ts'
import { listCompaniesArchivedBy } from './attention.repo.ts'

type Attention = Dashboard['attention']

const maxShown = 8
/** One more than is shown, to know whether there are more. */
const maxRead = maxShown + 1

/**
 * Returns what needs the caller's attention: the most urgent kind first, and a fair share of each kind. A link is listed once, for its most
 * urgent reason.
 */
export async function readAttention(deps: Deps, actor: Staff, requester: Requester): Promise<Attention> {
  const lists = leaveOutRepeatedLinks([
    await readRequests(deps, actor),
    await readFailedEmails(deps, actor),
    [...(await readStoppedLinks(deps, actor, requester)), ...(await readArchivedLinks(deps, actor, requester))],
    await readFullCompanies(deps, actor),
    await readExpiringLinks(deps, actor, requester),
    await readUnopenedLinks(deps, actor, requester),
  ])
  const rows = pickRows(lists)
  const hiddenRows = lists.flat().filter((row) => !rows.includes(row))
  return { rows, more: [...new Set(hiddenRows.flatMap(getListName))] }
}

/** Takes the first row of each list, then the second ones, and so on. Returns them in the order of the lists. */
function pickRows(lists: AttentionRow[][]): AttentionRow[] {
  const rounds = Array.from({ length: maxShown }, (_, round) => lists.flatMap((rows) => rows.slice(round, round + 1)))
  const picked = new Set(rounds.flat().slice(0, maxShown))
  return lists.flat().filter((row) => picked.has(row))
}

function leaveOutRepeatedLinks(lists: AttentionRow[][]): AttentionRow[][] {
  const seen = new Set<string>()
  const isFirst = ({ kind, request, link }: AttentionRow) => {
    const key = request?.key ?? link?.key
    if (key === undefined) return true
    const isRepeated = seen.has(key) && kind !== 'request' // a recipient may have two requests
    seen.add(key)
    return !isRepeated
  }
  return lists.map((rows) => rows.filter(isFirst))
}

/** Returns the name of the list that contains all rows of this kind. */
function getListName({ kind, link }: AttentionRow): Attention['more'] {
  if (kind === 'emails') return []
  if (kind !== 'stopped') return [kind]
  return stoppedStates.filter((state) => state === link?.state)
}

const emptyRow = { since: null, request: null, link: null, company: null, emails: null }

async function readRequests(deps: Deps, actor: Staff): Promise<AttentionRow[]> {
  const requests = await listVisibleAsks(deps, actor)
  return requests.map((request) => ({ ...emptyRow, kind: 'request', since: request.created_at, request }))
}

const weekMs = 7 * 24 * 60 * 60_000
const maxEmailsCounted = 100

/** Returns one row if messages could not be sent in the last week. Only admins see messages. */
async function readFailedEmails(deps: Deps, actor: Staff): Promise<AttentionRow[]> {
  if (actor.role !== 'NEPTUNE_ADMIN') return []
  const since = new Date(deps.now().getTime() - weekMs).toISOString()
  const failed = await listFailedSince(deps.db, since, maxEmailsCounted)
  return failed.slice(0, 1).map(({ created_at }) => ({ ...emptyRow, kind: 'emails', since: created_at, emails: failed.length }))
}

/** The states of links that have stopped unintentionally. Links of an archived company stop on purpose: see `readArchivedLinks`. */
const stoppedStates = ['directory_deleted', 'file_deleted', 'version_deleted', 'owner_suspended', 'owner_without_access'] as const

async function readStoppedLinks(deps: Deps, actor: Staff, requester: Requester): Promise<AttentionRow[]> {
  const rows: AttentionRow[] = []
  for (const state of stoppedStates) {
    const { data } = await listVisibleLinks(deps, actor, { state, sort: 'expiry', limit: maxRead, requester })
    rows.push(...data.map((link) => ({ ...emptyRow, kind: 'stopped' as const, link })))
  }
  return rows
}

/**
 * Returns the caller's own links that stopped in the last week because someone else archived their company. Leaves out companies that the
 * caller archived: they were told about the links when they did that.
 */
async function readArchivedLinks(deps: Deps, actor: Staff, requester: Requester): Promise<AttentionRow[]> {
  const archivedSince = new Date(deps.now().getTime() - weekMs).toISOString()
  const query = {
    state: 'company_archived',
    owner: actor.userId,
    sort: 'expiry',
    limit: maxRead,
    archivedSince,
    requester,
  } as const
  const { data } = await listVisibleLinks(deps, actor, query)
  if (data.length === 0) return []
  const own = await listCompaniesArchivedBy(deps.db, actor.userId, archivedSince)
  return data.filter(({ company }) => !own.includes(company)).map((link) => ({ ...emptyRow, kind: 'stopped', link }))
}

async function readFullCompanies(deps: Deps, actor: Staff): Promise<AttentionRow[]> {
  const { storage } = await readSettings(deps)
  const companies = await listWarnedCompanies(deps.db, getCompanyScope(actor), maxRead)
  return companies.map((company) => {
    const { id, name, bytes } = company
    return { ...emptyRow, kind: 'quota', company: { id, name, bytes: Number(bytes), quota: getQuota(storage, company) } }
  })
}

async function readExpiringLinks(deps: Deps, actor: Staff, requester: Requester): Promise<AttentionRow[]> {
  const { data } = await listVisibleLinks(deps, actor, { state: 'expiring', sort: 'expiry', limit: maxRead, requester })
  return data.map((link) => ({ ...emptyRow, kind: 'expiring', link }))
}

async function readUnopenedLinks(deps: Deps, actor: Staff, requester: Requester): Promise<AttentionRow[]> {
  const links = await listLinksNobodyOpened(deps, actor, maxRead, requester)
  return links.map(({ link, since }) => ({ ...emptyRow, kind: 'unopened', since, link }))
}
