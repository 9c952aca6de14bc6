import { hash } from 'node:crypto'
import type { ErrorCode } from '@neptune/contract'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../lib/app-error.ts'
import { clientOf } from '../../lib/client-address.ts'
import {
  type Count,
  claimBucket,
  decrementCounts,
  deleteBucket,
  deleteEndedWindows,
  deleteWindow,
  findCounts,
  incrementCounts,
  lockAttempts,
  renewBucket,
} from './throttle.repo.ts'

type Db = Deps['db']

/** What is being guessed at, whose secret it is, and from which address. */
export interface Attempt {
  action: 'login' | 'password' | 'forgot' | 'verify'
  subject: string
  address: string
}

const minute = 60_000
const limits = {
  /** One client at one account. */
  pair: { limit: 10, window: 15 * minute },
  /** One client at any account. */
  client: { limit: 60, window: 15 * minute },
  /** One account from anywhere. Never a lock, or a stranger could lock its owner out: it only raises an alarm. */
  subject: { limit: Number.POSITIVE_INFINITY, window: 60 * minute },
}
const alarmAt = 100

/**
 * Counts a try at a secret before it is judged, so that a hundred at once are a hundred counted. Over the limit even the right
 * secret is refused: otherwise the limit itself would tell which guess was right. A refused try is not judged, so it is not
 * counted either. Returns what takes the try back when it succeeded.
 */
export async function countAttempt(deps: Deps, tried: Attempt): Promise<() => Promise<unknown>> {
  const { counted, takeBack } = await countUses(deps, refusalOf(tried), allowancesOf(tried))
  raiseAlarm(deps, tried, counted)
  return takeBack
}

/**
 * Judges a try and counts it if it was wrong, in one transaction in which nobody else tries from the same address: for secrets that are
 * quick to compare. So a hundred at once are a hundred counted, and a right one costs no write. Whatever the judge writes is written
 * with it.
 */
export async function checkAttempt<Answer>(
  deps: Deps,
  tried: Attempt,
  judge: (trx: Db) => Promise<{ isRight: boolean; answer: Answer }>,
): Promise<Answer> {
  const tally = openTally(deps, refusalOf(tried), allowancesOf(tried))
  tally.refuseCapped()
  return deps.db.transaction().execute(async (trx) => {
    await lockAttempts(trx, clientOf(tried.address))
    await tally.look(trx)
    const { isRight, answer } = await judge(trx)
    if (!isRight) raiseAlarm(deps, tried, await tally.count(trx))
    return answer
  })
}

/** Who is over a limit, until when: so that they cost no question to the database, and keep nobody waiting. What is forgotten here is found there. */
const capped = new WeakMap<Db, Map<string, number>>()
const cappedKept = 10_000

function cap({ db }: Deps, { bucket, ends_at }: Count) {
  const buckets = capped.get(db) ?? new Map<string, number>()
  capped.set(db, buckets)
  buckets.delete(bucket)
  buckets.set(bucket, Date.parse(ends_at))
  const [oldest = ''] = buckets.keys()
  if (buckets.size > cappedKept) buckets.delete(oldest)
}

/**
 * A window that ends later than this from now was opened by a clock that was ahead, and has been set back since: it would shut people
 * out for as long as the clock was wrong. Twice its length, because the clocks of two nodes need not agree.
 */
const believedFor = (window: number) => 2 * window

const refusalOf = ({ action }: Attempt) => (action === 'verify' ? 'link.too_many_tries' : 'session.too_many_tries')

function allowancesOf({ action, subject, address }: Attempt): Allowance[] {
  const client = clientOf(address)
  return [
    { of: [action, client], ...limits.client },
    { of: [action, client, subject], ...limits.pair },
    { of: [action, '', subject], ...limits.subject },
  ]
}

function raiseAlarm(deps: Deps, { action, subject }: Attempt, counted: Count[]) {
  const bucket = bucketOf(action, '', subject)
  if (counted.find((row) => row.bucket === bucket)?.tries === alarmAt) {
    deps.log.warn({ action, subject: bucket }, 'many failed tries at one account within an hour')
  }
}

/** Lets somebody try again who has proven who they are by other means. */
export const clearAttempts = (deps: Deps, { action, subject, address }: Attempt) =>
  deleteBucket(deps.db, bucketOf(action, clientOf(address), subject))

interface Allowance {
  /** What is counted together. */
  of: string[]
  limit: number
  window: number
}

/** Counts one use against every allowance, or refuses it and counts it against none. */
export async function countUses(deps: Deps, refusal: ErrorCode, allowances: Allowance[]) {
  const tally = openTally(deps, refusal, allowances)
  await tally.look(deps.db)
  const counted = await deps.db.transaction().execute((trx) => tally.count(trx))
  return { counted, takeBack: () => deps.db.transaction().execute((trx) => tally.takeBack(trx)) }
}

/** Counts one use in a transaction. A refusal throws, which rolls the transaction back. */
export async function countUsesIn(deps: Deps, trx: Db, refusal: ErrorCode, allowances: Allowance[]): Promise<void> {
  const tally = openTally(deps, refusal, allowances)
  await tally.look(trx)
  await tally.count(trx)
}

/** Counts one use. Returns false, without counting it, if it exceeds an allowance. */
export async function tryCountUses(deps: Deps, allowances: Allowance[]): Promise<boolean> {
  return (await countUsesOrDelay(deps, allowances)) === undefined
}

/** Counts one use. If it exceeds an allowance, counts nothing and returns after how many seconds it is allowed. */
export async function countUsesOrDelay(deps: Deps, allowances: Allowance[]): Promise<number | undefined> {
  try {
    await countUses(deps, 'server.busy', allowances)
    return undefined
  } catch (error) {
    if (error instanceof AppError && error.retryAfterSeconds !== undefined) return error.retryAfterSeconds
    throw error
  }
}

const placeLasts = minute
const placeRenewed = minute / 4

/** One of a few places there are at once, on whatever node; it is free again when disposed of, or a minute after its holder died. */
export async function takeSlot(
  deps: Deps,
  refusal: ErrorCode,
  { of, places }: { of: string[]; places: number },
): Promise<AsyncDisposable> {
  const after = (milliseconds: number) => new Date(deps.now().getTime() + milliseconds).toISOString()
  for (let place = 0; place < places; place++) {
    const bucket = bucketOf('place', ...of, String(place))
    let ends = after(placeLasts)
    if (!(await claimBucket(deps.db, bucket, ends, after(0), after(believedFor(placeLasts))))) continue
    const renew = async () => {
      const next = after(placeLasts)
      await renewBucket(deps.db, bucket, ends, next)
      ends = next
    }
    const unheard = (err: unknown) => deps.log.warn({ err }, 'a place was not renewed or given back')
    const timer = setInterval(() => void renew().catch(unheard), placeRenewed)
    return {
      async [Symbol.asyncDispose]() {
        clearInterval(timer)
        await deleteWindow(deps.db, bucket, ends).catch(unheard)
      },
    }
  }
  throw new AppError(refusal)
}

/** One use of several allowances. */
function openTally(deps: Deps, refusal: ErrorCode, allowances: Allowance[]) {
  const now = deps.now()
  const windows = allowances.map(({ of, ...window }) => ({ ...window, bucket: bucketOf(...of) }))
  const buckets = windows.map(({ bucket }) => bucket)

  function refuseOver(counts: Count[]) {
    const over = counts.filter((row) => row.tries > (windows.find(({ bucket }) => bucket === row.bucket)?.limit ?? 0))
    if (over.length === 0) return
    for (const row of over) cap(deps, row)
    throw refusedUntil(Math.max(...over.map((row) => Date.parse(row.ends_at))))
  }

  const refusedUntil = (ends: number) =>
    new AppError(refusal, { retryAfterSeconds: Math.max(1, Math.ceil((ends - now.getTime()) / 1000)) })

  /** Without the windows that were opened while the clock was wrong. */
  async function forgetStrange(db: Db, counts: Count[]): Promise<Count[]> {
    const window = (count: Count) => windows.find(({ bucket }) => bucket === count.bucket)?.window ?? 0
    const isStrange = (count: Count) => Date.parse(count.ends_at) - now.getTime() > believedFor(window(count))
    for (const { bucket, ends_at } of counts.filter(isStrange)) await deleteWindow(db, bucket, ends_at)
    return counts.filter((count) => !isStrange(count))
  }

  return {
    /** Asked before the database is. */
    refuseCapped() {
      const known = capped.get(deps.db)
      const ends = windows.flatMap(({ bucket, window }) => {
        const until = known?.get(bucket) ?? 0
        return until > now.getTime() && until - now.getTime() <= believedFor(window) ? [until] : []
      })
      if (ends.length > 0) throw refusedUntil(Math.max(...ends))
    },
    /** Asked before anything is written, so that whoever is over the limit costs a read and adds no row. */
    async look(db: Db) {
      const standing = await forgetStrange(db, await findCounts(db, buckets, now.toISOString()))
      refuseOver(standing.map((row) => ({ ...row, tries: row.tries + 1 })))
    },
    /** To be called in a transaction, which a refusal undoes. */
    async count(trx: Db) {
      const rows = windows.map(({ bucket, window }) => ({ bucket, ends_at: new Date(now.getTime() + window).toISOString() }))
      // In one order, so that two nodes cannot wait for each other's rows.
      const counted = await incrementCounts(
        trx,
        rows.toSorted((a, b) => (a.bucket < b.bucket ? -1 : 1)),
        now.toISOString(),
      )
      refuseOver(counted)
      return counted
    },
    takeBack: (trx: Db) => decrementCounts(trx, buckets),
  }
}

export const sweepThrottle = (deps: Deps) => deleteEndedWindows(deps.db, deps.now().toISOString())

/** Hashed, so that a bucket has a fixed size and the table does not become a list of who tried to sign in. */
const bucketOf = (...parts: string[]) => hash('sha256', JSON.stringify(parts), 'base64url')
