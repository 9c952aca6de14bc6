import type { api, Delivery, Parsed, WebhookEvent, WebhookRow } from '@neptune/contract'
import type { Deps } from '../../deps.ts'
import { type Staff, visibleCompany } from '../../lib/actor.ts'
import { AppError } from '../../lib/app-error.ts'
import type { Requested } from '../../lib/scan.ts'
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
  listOverdue,
} from './delivery.repo.ts'
import { maxWebhooksPerCompany, pauseAndRecord } from './delivery.service.ts'
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
import { newSecret, sealSecret } from './webhook-secret.ts'

type Db = Deps['db']

const hour = 60 * 60_000
const keptFor = 30 * 24 * hour
const testsAnHour = 20
const downloadsAnHour = 20
/** More than this waiting, and nobody will catch up. */
const waitingMost = 10_000

/** What happened, for whoever wants to be told. No code, token or address of anybody is in it. */
interface Happening {
  type: WebhookEvent
  company: string
  directory: string
  /** Null of a whole directory. */
  file: string | null
  name: string
  size?: number
  sha256?: string
  by: Staff | { kind: 'recipient'; link: { key: string } }
}

/** To be called in the transaction that is the cause: it is told if, and only if, that took place. Nobody else's rows are waited for. */
export async function announce(deps: Deps, trx: Db, { type, by, ...about }: Happening): Promise<void> {
  const listeners = (await listSubscribers(trx, about.company)).filter(({ events }) => events.split(' ').includes(type))
  if (listeners.length === 0) return
  const link = by.kind === 'recipient' ? by.link.key : null
  const data = { ...about, link, by: { kind: by.kind, name: by.kind === 'staff' ? nameFor(by, about.company) : null } }
  await insertDeliveries(
    trx,
    listeners.map(({ id }) => deliveryOf(deps, id, type, data)),
  )
}

/** Announces a download by staff: the first twenty of an object by one person within an hour, so that a script can't flood the queue. */
export async function announceDownload(deps: Deps, happening: Happening & { by: Staff }): Promise<void> {
  const { company, file, directory, by } = happening
  if ((await listSubscribers(deps.db, company)).length === 0) return
  const of = ['webhook', 'download', by.userId, file ?? directory]
  const isCounted = await tryCountUses(deps, [{ of, limit: downloadsAnHour, window: hour }])
  if (isCounted) await announce(deps, deps.db, happening)
}

/** Of people who are not of the company, it learns nothing more than that. */
const nameFor = ({ companyId, name }: Pick<Staff, 'companyId' | 'name'>, company: string) =>
  companyId === company ? name : 'An administrator'

function deliveryOf(deps: Deps, webhook_id: string, event: Delivery['event'], data: object): DeliveryRecord {
  const created_at = deps.now().toISOString()
  const body = JSON.stringify({ type: event, timestamp: created_at, data })
  const state = { state: 'waiting' as const, tries: 0, next_at: created_at, claim: null, status: null, problem: null }
  return { id: newId(), webhook_id, event, body, created_at, ...state }
}

/** Admins see every company's webhooks, users their own company's. */
export async function listVisibleWebhooks(deps: Deps, actor: Staff, query: Parsed<typeof api.webhook.list>['query'] & Requested) {
  const { company = '', sort = '-created_at', ...page } = query
  const { rows, next } = await listWebhooks(deps.db, { ...page, sort, company }, visibleCompany(actor))
  return { data: rows.map((row) => toWebhookRow(actor, row)), next }
}

/** What one may not see is not there. */
async function visibleWebhook(deps: Deps, actor: Staff, id: string): Promise<WebhookRecord> {
  const webhook = await findWebhook(deps.db, id, visibleCompany(actor))
  if (!webhook) throw new AppError('webhook.not_found')
  return webhook
}

export async function createWebhook(
  deps: Deps,
  actor: Staff,
  { company, url, events }: Parsed<typeof api.webhook.create>['body'],
): Promise<WebhookRow & { secret: string }> {
  const isTheirs = [company, undefined].includes(visibleCompany(actor))
  if (!isTheirs || !(await findCompany(deps.db, company))) throw new AppError('company.not_found')
  const secret = newSecret()
  const id = newId()
  const row = {
    id,
    company_id: company,
    maker_id: actor.userId,
    url: checkedUrl(deps, url),
    events: [...new Set(events)].join(' '),
    secret_sealed: sealSecret(deps.keys, id, secret),
    created_at: deps.now().toISOString(),
    paused_at: null,
    problem: null,
    failing_since: null,
  }
  await deps.db.transaction().execute(async (trx) => {
    await lockWebhooks(trx, company)
    if ((await countWebhooks(trx, company)) >= maxWebhooksPerCompany) throw new AppError('webhook.too_many')
    await insertWebhook(trx, row)
    await record(deps, trx, [{ action: 'webhook.created', by: actor, ...aboutWebhook(row), note: row.events }])
  })
  return { ...toWebhookRow(actor, await visibleWebhook(deps, actor, id)), secret }
}

function checkedUrl(deps: Deps, typed: string): string {
  const message = findUrlProblem(typed, deps.config.hasPrivateWebhooks)
  if (message) throw new AppError('request.invalid', { fields: [{ field: 'url', message }] })
  return new URL(typed).href
}

/** Whoever changes it answers for it from now on: so a webhook whose maker left goes on again. */
export async function changeWebhook(
  deps: Deps,
  actor: Staff,
  id: string,
  { url, events, paused }: Parsed<typeof api.webhook.change>['body'],
): Promise<WebhookRow> {
  const before = await visibleWebhook(deps, actor, id)
  const change = {
    maker_id: actor.userId,
    ...(url !== undefined && { url: checkedUrl(deps, url) }),
    ...(events !== undefined && { events: [...new Set(events)].join(' ') }),
    ...(paused === true && { paused_at: before.paused_at ?? deps.now().toISOString() }),
    ...(paused === false && { paused_at: null, problem: null, failures: 0, failing_since: null }),
  }
  const said = [
    ...(url === undefined ? [] : [`to ${new URL(change.url ?? url).host}`]),
    ...(change.events === undefined ? [] : [change.events]),
    ...(paused === undefined ? [] : [paused ? 'paused' : 'goes on']),
  ]
  await deps.db.transaction().execute(async (trx) => {
    if (!(await updateWebhook(trx, id, change))) throw new AppError('webhook.not_found')
    await record(deps, trx, [{ action: 'webhook.changed', by: actor, ...aboutWebhook(before), note: said.join(', ') || null }])
  })
  return toWebhookRow(actor, await visibleWebhook(deps, actor, id))
}

export async function removeWebhook(deps: Deps, actor: Staff, id: string): Promise<void> {
  const webhook = await visibleWebhook(deps, actor, id)
  await deps.db.transaction().execute(async (trx) => {
    if (!(await deleteWebhook(trx, id))) throw new AppError('webhook.not_found')
    await record(deps, trx, [{ action: 'webhook.deleted', by: actor, ...aboutWebhook(webhook) }])
  })
  await deleteDeliveriesOf(deps.db, id)
}

export async function testWebhook(deps: Deps, actor: Staff, id: string): Promise<Delivery> {
  const webhook = await visibleWebhook(deps, actor, id)
  if (isPaused(webhook)) throw new AppError('webhook.paused')
  await countUses(deps, 'webhook.too_many_tests', [{ of: ['webhook', actor.userId], limit: testsAnHour, window: hour }])
  const ping = deliveryOf(deps, id, 'ping', { company: webhook.company_id })
  await deps.db.transaction().execute(async (trx) => {
    await insertDeliveries(trx, [ping])
    await record(deps, trx, [{ action: 'webhook.tested', by: actor, ...aboutWebhook(webhook) }])
  })
  return toDelivery(ping)
}

export async function listVisibleDeliveries(
  deps: Deps,
  actor: Staff,
  id: string,
  query: Parsed<typeof api.webhook.deliveries>['query'] & Requested,
) {
  await visibleWebhook(deps, actor, id)
  const { rows, next } = await listDeliveries(deps.db, id, { ...query, sort: query.sort ?? '-created_at' })
  return { data: rows.map(toDelivery), next }
}

/** Forgets what is old, and pauses what has more waiting than anybody would take. */
export async function sweepWebhooks(deps: Deps): Promise<void> {
  await deleteOldDeliveries(deps.db, new Date(deps.now().getTime() - keptFor).toISOString())
  for (const { webhook_id } of await listOverdue(deps.db, waitingMost)) {
    const webhook = await findWebhook(deps.db, webhook_id, undefined)
    const problem = `More than ${waitingMost} deliveries were waiting for it.`
    if (webhook) await deps.db.transaction().execute((trx) => pauseAndRecord(deps, trx, webhook, problem))
  }
}

/** By its host alone: what follows it may be somebody's secret. */
const aboutWebhook = ({ company_id, url }: { company_id: string; url: string }) => ({
  company: company_id,
  name: new URL(url).host,
})

const isPaused = ({ paused_at, may_tell }: WebhookRecord) => paused_at !== null || !may_tell

const makerLeft = 'Whoever answers for it may not see this company any more. Let it go on, and it is yours.'

/** Admins know each other; users see of those from elsewhere what the webhook itself is told. */
const makerFor = (actor: Staff, { maker_name: name, maker_company: companyId, company_id }: WebhookRecord) =>
  visibleCompany(actor) === undefined ? name : nameFor({ companyId, name }, company_id)

const toWebhookRow = (actor: Staff, row: WebhookRecord): WebhookRow => ({
  id: row.id,
  company: row.company_id,
  client: row.company_name,
  url: row.url,
  events: row.events.split(' ') as WebhookEvent[],
  created_at: row.created_at,
  maker: makerFor(actor, row),
  paused: isPaused(row),
  problem: row.may_tell ? row.problem : makerLeft,
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
