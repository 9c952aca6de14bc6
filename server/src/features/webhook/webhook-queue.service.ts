import type { Deps } from '../../deps.ts'
import { allCompanies } from '../../lib/actor.ts'
import type { DeliveryQueue } from '../../lib/concurrency/delivery.ts'
import { newId } from '../../lib/secrets.ts'
import { record } from '../audit/audit.service.ts'
import { claimDeliveries, type DeliveryRecord, updateClaimedDelivery } from './delivery.repo.ts'
import { PostError, post } from './post.ts'
import { countFailure, findWebhook, listDueDeliveries, pauseWebhook, resetFailures, type WebhookRecord } from './webhook.repo.ts'
import { createSignedHeaders, unsealSecret } from './webhook-secret.ts'

const secondMs = 1000
const minuteMs = 60 * secondMs
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

export const maxWebhooksPerCompany = 20
const maxConcurrent = 16
/** Lower than the total, so that receivers that hang only delay deliveries of their own company. */
const maxConcurrentPerCompany = 4
/** Enough to fill every slot, even if all webhooks of the first companies are due. */
const maxCandidates = (maxConcurrent / maxConcurrentPerCompany) * maxWebhooksPerCompany
const timeoutMs = 10 * secondMs
/** An attempt that ignores the abort signal is abandoned this long after its timeout. */
const graceMs = secondMs
/** Longer than any attempt, so that a claim expires only if its holder has died. */
const claimMs = 30 * secondMs
/** The delays between attempts: eight attempts in about a day. */
const retryDelaysMs = [5 * secondMs, 5 * minuteMs, 30 * minuteMs, 2 * hourMs, 4 * hourMs, 7 * hourMs, 10 * hourMs]
/** A webhook is paused after this many failures in a row over this time. */
const pauseAfter = { failures: 100, durationMs: 3 * dayMs }

/** A claimed delivery and the company of its webhook. */
interface ClaimedDelivery {
  company: string
  delivery: DeliveryRecord
}

/** Creates the queue that sends webhook deliveries: one at a time to each webhook. */
export const createWebhookQueue = (deps: Deps): DeliveryQueue<ClaimedDelivery> => ({
  async claim(running) {
    if (running.length >= maxConcurrent) return []
    const now = deps.now()
    const chosen = chooseDeliveries(await listDueDeliveries(deps.db, now.toISOString(), maxCandidates), running)
    if (chosen.size === 0) return []
    const until = new Date(now.getTime() + claimMs).toISOString()
    const claimed = await claimDeliveries(deps.db, [...chosen.keys()], newId(), now.toISOString(), until)
    return claimed.map((delivery) => ({ company: chosen.get(delivery.id) ?? '', delivery }))
  },
  deliver: ({ delivery }, stopped) => deliverToWebhook(deps, delivery, stopped),
  onClaimError: (err) => deps.log.warn({ err }, 'due webhook deliveries could not be read'),
  onDeliveryError: (err) => deps.log.error({ err }, 'a webhook delivery failed unexpectedly'),
})

/** Chooses as many due deliveries as there are free slots, per company and in total. Returns their companies by delivery id. */
function chooseDeliveries(
  due: Awaited<ReturnType<typeof listDueDeliveries>>,
  running: readonly ClaimedDelivery[],
): Map<string, string> {
  const chosen = new Map<string, string>()
  const busyCompanies = running.map(({ company }) => company)
  const busyWebhooks = new Set(running.map(({ delivery }) => delivery.webhook_id))
  for (const { id, webhook_id, company_id } of due) {
    if (busyCompanies.length >= maxConcurrent) break
    const ofCompany = busyCompanies.filter((company) => company === company_id)
    if (busyWebhooks.has(webhook_id) || ofCompany.length >= maxConcurrentPerCompany) continue
    busyCompanies.push(company_id)
    chosen.set(id, company_id)
  }
  return chosen
}

/** Attempts one delivery and stores the outcome. */
async function deliverToWebhook(deps: Deps, delivery: DeliveryRecord, stopped: AbortSignal): Promise<void> {
  const webhook = await findWebhook(deps.db, delivery.webhook_id, allCompanies)
  if (!webhook) return // just deleted, together with this delivery
  // The owner has lost access since the delivery was claimed. So the delivery waits, like those of a paused webhook.
  if (!webhook.owner_has_access) return release(deps, delivery)
  const { status, problem } = await attemptDelivery(deps, webhook, delivery, stopped)
  // Our own shutdown aborted the attempt, which is not a failure. The next process sends the delivery.
  if (problem !== null && stopped.aborted) return release(deps, delivery)
  if (problem !== null) return recordFailure(deps, webhook, delivery, { status, problem })
  await updateClaimedDelivery(deps.db, delivery, { ...finishedFields, state: 'sent', status, problem, tries: delivery.tries + 1 })
  if (webhook.failures > 0) await resetFailures(deps.db, webhook.id)
}

/** Makes a claimed delivery due again. */
async function release(deps: Deps, delivery: DeliveryRecord): Promise<void> {
  await updateClaimedDelivery(deps.db, delivery, { claim: null, next_at: deps.now().toISOString() })
}

const finishedFields = { next_at: null, claim: null }

interface Outcome {
  status: number | null
  problem: string | null
}

async function attemptDelivery(
  deps: Deps,
  webhook: WebhookRecord,
  { id, body }: DeliveryRecord,
  stopped: AbortSignal,
): Promise<Outcome> {
  const signed = createSignedHeaders(unsealSecret(deps.keys, webhook), `msg_${id}`, deps.now(), body)
  const headers = { ...signed, 'content-type': 'application/json', 'user-agent': 'Neptune' }
  const signal = AbortSignal.any([stopped, AbortSignal.timeout(timeoutMs)])
  try {
    const request = { url: webhook.url, headers, body, allowsPrivate: deps.config.allowsPrivateWebhooks, signal }
    const status = await abandonAfterAbort(post(request), signal)
    if (status >= 200 && status < 300) return { status, problem: null }
    const isRedirect = status >= 300 && status < 400
    return {
      status,
      problem: isRedirect
        ? `The receiver responded with ${status}. Redirects are not followed.`
        : `The receiver responded with ${status}.`,
    }
  } catch (error) {
    if (!(error instanceof PostError)) throw error
    return { status: null, problem: error.message }
  }
}

/** Rejects shortly after the signal aborts if `sending` has not settled by then, so that a request that hangs frees its slot. */
async function abandonAfterAbort<T>(sending: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise: abandoned, reject } = Promise.withResolvers<never>()
  let timer: NodeJS.Timeout | undefined
  const abandonSoon = () => {
    timer = setTimeout(() => reject(new PostError('The receiver did not respond in time.')), graceMs)
  }
  signal.addEventListener('abort', abandonSoon)
  if (signal.aborted) abandonSoon()
  try {
    return await Promise.race([sending, abandoned])
  } finally {
    signal.removeEventListener('abort', abandonSoon)
    clearTimeout(timer)
  }
}

async function recordFailure(deps: Deps, webhook: WebhookRecord, delivery: DeliveryRecord, { status, problem }: Outcome) {
  const now = deps.now()
  const tries = delivery.tries + 1
  const delayMs = retryDelaysMs[tries - 1]
  deps.log.info({ webhook: webhook.id, delivery: delivery.id, status, problem, tries }, 'a webhook delivery failed')
  const next =
    delayMs === undefined
      ? { ...finishedFields, state: 'failed' as const }
      : { claim: null, next_at: new Date(now.getTime() + delayMs).toISOString() }
  await deps.db.transaction().execute(async (trx) => {
    if (!(await updateClaimedDelivery(trx, delivery, { ...next, status, problem, tries }))) return
    const { failures = 0, failing_since } = (await countFailure(trx, webhook.id, now.toISOString())) ?? {}
    const isLasting = failing_since != null && now.getTime() - Date.parse(failing_since) >= pauseAfter.durationMs
    if (failures < pauseAfter.failures || !isLasting) return
    await pauseAndRecord(deps, trx, webhook, `It failed ${failures} times in a row, over more than three days.`)
  })
}

/** Pauses a webhook and adds an audit entry, because no user requested it. */
export async function pauseAndRecord(
  deps: Deps,
  trx: Deps['db'],
  { id, url, company_id }: Pick<WebhookRecord, 'id' | 'url' | 'company_id'>,
  problem: string,
): Promise<void> {
  if (!(await pauseWebhook(trx, id, deps.now().toISOString(), problem))) return
  const about = { company: company_id, name: new URL(url).host, note: problem }
  await record(deps, trx, [{ action: 'webhook.paused', by: { kind: 'system' }, ...about }])
}
