import type { Deps } from '../../deps.ts'
import { newId } from '../../lib/secrets.ts'
import { record } from '../audit/audit.service.ts'
import { claimDeliveries, type DeliveryRecord, updateClaimed } from './delivery.repo.ts'
import { PostError, post } from './post.ts'
import { countFailure, findWebhook, listDue, pauseWebhook, resetFailures, type WebhookRecord } from './webhook.repo.ts'
import { signedHeaders, unsealSecret } from './webhook-secret.ts'

const second = 1000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour

/** Of one company. */
export const maxWebhooksPerCompany = 20
const atOnce = 16
/** Of those for one company: so that receivers that hang hold up their own. */
const atOnceEach = 4
/** Enough to fill every slot, even if all webhooks of the companies that come first are due. */
const candidates = (atOnce / atOnceEach) * maxWebhooksPerCompany
const every = second
const patience = 10 * second
/** Then a try is given up that did not even end when it was told to. */
const grace = second
/** Longer than any try takes: a claim lapses only after its holder died. */
const claimLasts = 30 * second
/** Between one try and the next: eight in all, over a day. */
const pauses = [5 * second, 5 * minute, 30 * minute, 2 * hour, 4 * hour, 7 * hour, 10 * hour]
/** Then a webhook is paused: nobody is there any more. */
const hopeless = { failures: 100, for: 3 * day }

/** Sends what is due, for as long as the process lives: to each webhook one at a time. */
export function startWebhookDelivery(deps: Deps): { stop: () => Promise<void> } {
  const running: Running = new Map()
  const stopped = new AbortController()
  let looking = Promise.resolve()

  async function look() {
    if (stopped.signal.aborted || running.size >= atOnce) return
    for (const { company, delivery } of await claimDue(deps, running)) {
      const task = deliver(deps, delivery, stopped.signal)
        .catch((err) => deps.log.error({ err }, 'a webhook could not be handled'))
        .finally(() => {
          running.delete(delivery.webhook_id)
          lookAgain()
        })
      running.set(delivery.webhook_id, { company, task })
    }
  }

  const lookAgain = () => {
    looking = looking.then(look).catch((err) => deps.log.warn({ err }, 'what webhooks wait for cannot be read'))
  }

  const timer = setInterval(lookAgain, every)
  return {
    async stop() {
      clearInterval(timer)
      stopped.abort()
      await looking
      await Promise.all([...running.values()].map(({ task }) => task))
    },
  }
}

/** All that is due, waited for: what tests need. */
export async function deliverDueWebhooks(deps: Deps): Promise<void> {
  for (;;) {
    const claimed = await claimDue(deps, new Map())
    if (claimed.length === 0) return
    await Promise.all(claimed.map(({ delivery }) => deliver(deps, delivery, new AbortController().signal)))
  }
}

/** What is under way, by webhook. */
type Running = Map<string, { company: string; task: Promise<void> }>

async function claimDue(deps: Deps, running: Running): Promise<{ company: string; delivery: DeliveryRecord }[]> {
  const now = deps.now()
  const chosen = choose(await listDue(deps.db, now.toISOString(), candidates), running)
  if (chosen.size === 0) return []
  const until = new Date(now.getTime() + claimLasts).toISOString()
  const claimed = await claimDeliveries(deps.db, [...chosen.keys()], newId(), now.toISOString(), until)
  return claimed.map((delivery) => ({ company: chosen.get(delivery.id) ?? '', delivery }))
}

/** As many as there are free slots, of each company and in all: the ids, and whose they are. */
function choose(due: Awaited<ReturnType<typeof listDue>>, running: Running): Map<string, string> {
  const chosen = new Map<string, string>()
  const taken = [...running.values()].map(({ company }) => company)
  for (const { id, webhook_id, company_id } of due) {
    if (taken.length >= atOnce) break
    if (running.has(webhook_id) || taken.filter((company) => company === company_id).length >= atOnceEach) continue
    taken.push(company_id)
    chosen.set(id, company_id)
  }
  return chosen
}

/** Tries one delivery and writes down how it went. */
async function deliver(deps: Deps, delivery: DeliveryRecord, stopped: AbortSignal): Promise<void> {
  const webhook = await findWebhook(deps.db, delivery.webhook_id, undefined)
  if (!webhook) return // deleted in this moment, and this with it
  const { status, problem } = await attempt(deps, webhook, delivery, stopped)
  // Cut off by our own end: the next process sends it, and nobody is to blame.
  if (problem !== null && stopped.aborted)
    return void (await updateClaimed(deps.db, delivery, { claim: null, next_at: deps.now().toISOString() }))
  if (problem !== null) return noteFailure(deps, webhook, delivery, { status, problem })
  await updateClaimed(deps.db, delivery, { ...done, state: 'sent', status, problem, tries: delivery.tries + 1 })
  if (webhook.failures > 0) await resetFailures(deps.db, webhook.id)
}

const done = { next_at: null, claim: null }

interface Outcome {
  status: number | null
  problem: string | null
}

async function attempt(deps: Deps, webhook: WebhookRecord, { id, body }: DeliveryRecord, stopped: AbortSignal): Promise<Outcome> {
  const signed = signedHeaders(unsealSecret(deps.keys, webhook), `msg_${id}`, deps.now(), body)
  const headers = { ...signed, 'content-type': 'application/json', 'user-agent': 'Neptune' }
  const signal = AbortSignal.any([stopped, AbortSignal.timeout(patience)])
  try {
    const letter = { url: webhook.url, headers, body, isPrivate: deps.config.hasPrivateWebhooks, signal }
    const status = await orGiveUp(post(letter), signal)
    if (status >= 200 && status < 300) return { status, problem: null }
    const isElsewhere = status >= 300 && status < 400
    return { status, problem: isElsewhere ? `It answered ${status}: redirects are not followed.` : `It answered ${status}.` }
  } catch (error) {
    if (!(error instanceof PostError)) throw error
    return { status: null, problem: error.message }
  }
}

/** What is sent, or that it took too long: a slot is free again soon after its time is up, whatever the sending waits for. */
async function orGiveUp<T>(sending: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise: givenUp, reject } = Promise.withResolvers<never>()
  let timer: NodeJS.Timeout | undefined
  const giveUpSoon = () => {
    timer = setTimeout(() => reject(new PostError('There was no answer in time.')), grace)
  }
  signal.addEventListener('abort', giveUpSoon)
  if (signal.aborted) giveUpSoon()
  try {
    return await Promise.race([sending, givenUp])
  } finally {
    signal.removeEventListener('abort', giveUpSoon)
    clearTimeout(timer)
  }
}

async function noteFailure(deps: Deps, webhook: WebhookRecord, delivery: DeliveryRecord, { status, problem }: Outcome) {
  const now = deps.now()
  const tries = delivery.tries + 1
  const pause = pauses[tries - 1]
  deps.log.info({ webhook: webhook.id, delivery: delivery.id, status, problem, tries }, 'a webhook was not told')
  const next =
    pause === undefined
      ? { ...done, state: 'failed' as const }
      : { claim: null, next_at: new Date(now.getTime() + pause).toISOString() }
  await deps.db.transaction().execute(async (trx) => {
    if (!(await updateClaimed(trx, delivery, { ...next, status, problem, tries }))) return
    const { failures = 0, failing_since } = (await countFailure(trx, webhook.id, now.toISOString())) ?? {}
    const isOld = failing_since != null && now.getTime() - Date.parse(failing_since) >= hopeless.for
    if (failures < hopeless.failures || !isOld) return
    await pauseAndRecord(deps, trx, webhook, `It failed ${failures} times in a row, over more than three days.`)
  })
}

/** What nobody asked for is in the trail. */
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
