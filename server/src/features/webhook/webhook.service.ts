import type { api, Delivery, Parsed, WebhookEvent, WebhookRow } from '@neptune/contract'
import type { Deps } from '../../deps.ts'
import {
  allCompanies,
  getCompanyScope,
  includesAllCompanies,
  requireConfirmation,
  type Staff,
  unnamedAdmin,
} from '../../lib/actor.ts'
import { AppError } from '../../lib/app-error.ts'
import type { WithRequester } from '../../lib/concurrency/scan.ts'
import { newId } from '../../lib/secrets.ts'
import { record } from '../audit/audit.service.ts'
import { findCompany } from '../company/company.repo.ts'
import { countUses, tryCountUses } from '../throttle/throttle.service.ts'
import {
  type DeliveryRecord,
  deleteDeliveriesOf,
  deleteOldDeliveries,
  insertDeliveries,
  listDeliveries,
  listOverloadedWebhooks,
} from './delivery.repo.ts'
import { findUrlProblem } from './post.ts'
import {
  countWebhooks,
  deleteWebhook,
  findWebhook,
  insertWebhook,
  listSubscribers,
  listWebhooks,
  lockWebhooks,
  updateWebhook,
  type WebhookRecord,
} from './webhook.repo.ts'
import { maxWebhooksPerCompany, pauseAndRecord } from './webhook-queue.service.ts'
import { newSecret, sealWebhookSecret } from './webhook-secret.ts'

type Db = Deps['db']

const hourMs = 60 * 60_000
const retentionMs = 30 * 24 * hourMs
const testsPerHour = 20
const downloadsPerHour = 20
/** A webhook with more waiting deliveries is paused: its receiver will not catch up. */
const maxWaiting = 10_000

/** An event to send to webhooks. It contains no access code, token or email address. */
interface EventDetails {
  type: WebhookEvent
  company: string
  directory: string
  /** Null if the event is about a whole directory. */
  file: string | null
  name: string
  size?: number
  sha256?: string
  by: Staff | { kind: 'recipient'; link: { key: string } }
}

/**
 * Queues an event for the company's webhooks. Call it inside the transaction that causes the event, so that it is sent only if that
 * commits. It only inserts rows, so it does not wait for other transactions.
 */
export async function notifyWebhooks(deps: Deps, trx: Db, { type, by, ...about }: EventDetails): Promise<void> {
  const subscribers = (await listSubscribers(trx, about.company)).filter(({ events }) => events.split(' ').includes(type))
  if (subscribers.length === 0) return
  const link = by.kind === 'recipient' ? by.link.key : null
  const data = { ...about, link, by: { kind: by.kind, name: by.kind === 'staff' ? hideForeignName(by, about.company) : null } }
  await insertDeliveries(
    trx,
    subscribers.map(({ id }) => newDelivery(deps, id, type, data)),
  )
}

/** Queues the event of a download by staff, at most twenty per user, object and hour, so that a script can't flood the queue. */
export async function announceDownload(deps: Deps, event: EventDetails & { by: Staff }): Promise<void> {
  const { company, file, directory, by } = event
  if ((await listSubscribers(deps.db, company)).length === 0) return
  const key = ['webhook', 'download', by.userId, file ?? directory]
  const isCounted = await tryCountUses(deps, [{ key, limit: downloadsPerHour, windowMs: hourMs }])
  if (isCounted) await notifyWebhooks(deps, deps.db, event)
}

/** Returns the name to show in a company. Hides the names of admins of other companies. */
const hideForeignName = ({ companyId, role, name }: Pick<Staff, 'companyId' | 'role' | 'name'>, company: string) =>
  companyId === company || role !== 'NEPTUNE_ADMIN' ? name : unnamedAdmin

function newDelivery(deps: Deps, webhook_id: string, event: Delivery['event'], data: object): DeliveryRecord {
  const created_at = deps.now().toISOString()
  const body = JSON.stringify({ type: event, timestamp: created_at, data })
  const state = { state: 'waiting' as const, tries: 0, next_at: created_at, claim: null, status: null, problem: null }
  return { id: newId(), webhook_id, event, body, created_at, ...state }
}

/** Lists webhooks: every company's for admins, those of the companies they have access to for users. */
export async function listVisibleWebhooks(
  deps: Deps,
  actor: Staff,
  query: Parsed<typeof api.webhook.list>['query'] & WithRequester,
) {
  const { company = '', sort = '-created_at', ...page } = query
  const { rows, next } = await listWebhooks(deps.db, { ...page, sort, company }, getCompanyScope(actor))
  return { data: rows.map((row) => toWebhookRow(actor, row)), next }
}

/** Throws `webhook.not_found` if the webhook does not exist or the actor may not see it. */
async function getVisibleWebhook(deps: Deps, actor: Staff, id: string): Promise<WebhookRecord> {
  const webhook = await findWebhook(deps.db, id, getCompanyScope(actor))
  if (!webhook) throw new AppError('webhook.not_found')
  return webhook
}

export async function createWebhook(
  deps: Deps,
  actor: Staff,
  { company, url, events }: Parsed<typeof api.webhook.create>['body'],
): Promise<WebhookRow & { secret: string }> {
  if (!(await findCompany(deps.db, company, getCompanyScope(actor)))) throw new AppError('company.not_found')
  const secret = newSecret()
  const id = newId()
  const row = {
    id,
    company_id: company,
    maker_id: actor.userId,
    url: checkUrl(deps, url),
    events: [...new Set(events)].join(' '),
    secret_sealed: sealWebhookSecret(deps.keys, id, secret),
    created_at: deps.now().toISOString(),
    paused_at: null,
    problem: null,
    failing_since: null,
  }
  await deps.db.transaction().execute(async (trx) => {
    await lockWebhooks(trx, company)
    if ((await countWebhooks(trx, company)) >= maxWebhooksPerCompany) throw new AppError('webhook.too_many')
    await insertWebhook(trx, row)
    await record(deps, trx, [{ action: 'webhook.created', by: actor, ...toAuditFields(row), note: row.events }])
  })
  return { ...toWebhookRow(actor, await getVisibleWebhook(deps, actor, id)), secret }
}

function checkUrl(deps: Deps, typed: string): string {
  const message = findUrlProblem(typed, deps.config.allowsPrivateWebhooks)
  if (message) throw new AppError('request.invalid', { fields: [{ field: 'url', message }] })
  return new URL(typed).href
}

/** Changes a webhook and makes the actor its owner, so that a webhook whose owner has left can be resumed. */
export async function changeWebhook(
  deps: Deps,
  actor: Staff,
  id: string,
  { url, events, paused }: Parsed<typeof api.webhook.change>['body'],
): Promise<WebhookRow> {
  const before = await getVisibleWebhook(deps, actor, id)
  if (url !== undefined && url !== before.url) requireConfirmation(actor)
  const change = {
    maker_id: actor.userId,
    ...(url !== undefined && { url: checkUrl(deps, url) }),
    ...(events !== undefined && { events: [...new Set(events)].join(' ') }),
    ...(paused === true && { paused_at: before.paused_at ?? deps.now().toISOString() }),
    ...(paused === false && { paused_at: null, problem: null, failures: 0, failing_since: null }),
  }
  // The web translates these notes, and older audit entries contain them.
  const notes = [
    ...(url === undefined ? [] : [`to ${new URL(change.url ?? url).host}`]),
    ...(change.events === undefined ? [] : [change.events]),
    ...(paused === undefined ? [] : [paused ? 'paused' : 'resumed']),
  ]
  await deps.db.transaction().execute(async (trx) => {
    if (!(await updateWebhook(trx, id, change))) throw new AppError('webhook.not_found')
    await record(deps, trx, [{ action: 'webhook.changed', by: actor, ...toAuditFields(before), note: notes.join(', ') || null }])
  })
  return toWebhookRow(actor, await getVisibleWebhook(deps, actor, id))
}

export async function removeWebhook(deps: Deps, actor: Staff, id: string): Promise<void> {
  const webhook = await getVisibleWebhook(deps, actor, id)
  await deps.db.transaction().execute(async (trx) => {
    if (!(await deleteWebhook(trx, id))) throw new AppError('webhook.not_found')
    await record(deps, trx, [{ action: 'webhook.deleted', by: actor, ...toAuditFields(webhook) }])
  })
  await deleteDeliveriesOf(deps.db, id)
}

export async function testWebhook(deps: Deps, actor: Staff, id: string): Promise<Delivery> {
  const webhook = await getVisibleWebhook(deps, actor, id)
  if (isPaused(webhook)) throw new AppError('webhook.paused')
  await countUses(deps, 'webhook.too_many_tests', [{ key: ['webhook', actor.userId], limit: testsPerHour, windowMs: hourMs }])
  const ping = newDelivery(deps, id, 'ping', { company: webhook.company_id })
  await deps.db.transaction().execute(async (trx) => {
    await insertDeliveries(trx, [ping])
    await record(deps, trx, [{ action: 'webhook.tested', by: actor, ...toAuditFields(webhook) }])
  })
  return toDelivery(ping)
}

export async function listVisibleDeliveries(
  deps: Deps,
  actor: Staff,
  id: string,
  query: Parsed<typeof api.webhook.deliveries>['query'] & WithRequester,
) {
  await getVisibleWebhook(deps, actor, id)
  const { rows, next } = await listDeliveries(deps.db, id, { ...query, sort: query.sort ?? '-created_at' })
  return { data: rows.map(toDelivery), next }
}

/** Deletes old deliveries, and pauses webhooks that have too many waiting ones. */
export async function sweepWebhooks(deps: Deps): Promise<void> {
  await deleteOldDeliveries(deps.db, new Date(deps.now().getTime() - retentionMs).toISOString())
  for (const { webhook_id } of await listOverloadedWebhooks(deps.db, maxWaiting)) {
    const webhook = await findWebhook(deps.db, webhook_id, allCompanies)
    const problem = `More than ${maxWaiting} deliveries were waiting for it.`
    if (webhook) await deps.db.transaction().execute((trx) => pauseAndRecord(deps, trx, webhook, problem))
  }
}

/** Names the webhook by its host only: the path can contain a secret. */
const toAuditFields = ({ company_id, url }: { company_id: string; url: string }) => ({
  company: company_id,
  name: new URL(url).host,
})

const isPaused = ({ paused_at, owner_has_access }: WebhookRecord) => paused_at !== null || !owner_has_access

const ownerLostAccess = 'Its owner can’t sign in, or has no access to this company. Resume it to become its owner.'
const companyIsArchived = 'This company is archived.'

function getProblem({ problem, owner_has_access, company_archived_at }: WebhookRecord): string | null {
  if (company_archived_at !== null) return companyIsArchived
  return owner_has_access ? problem : ownerLostAccess
}

/** Returns the owner's name. Only callers who see all companies get the names of admins of other companies. */
const getOwnerName = (
  actor: Staff,
  { maker_name: name, maker_company: companyId, maker_role: role, company_id }: WebhookRecord,
) => (includesAllCompanies(getCompanyScope(actor)) ? name : hideForeignName({ companyId, role, name }, company_id))

const toWebhookRow = (actor: Staff, row: WebhookRecord): WebhookRow => ({
  id: row.id,
  company: row.company_id,
  client: row.company_name,
  url: row.url,
  events: row.events.split(' ') as WebhookEvent[],
  created_at: row.created_at,
  maker: getOwnerName(actor, row),
  paused: isPaused(row),
  problem: getProblem(row),
  failures: row.failures,
  failing_since: row.failing_since,
})

const toDelivery = ({ id, event, state, created_at, tries, next_at, status, problem }: DeliveryRecord): Delivery => ({
  id: `msg_${id}`,
  event,
  state,
  created_at,
  tries,
  next_at,
  status,
  problem,
})
