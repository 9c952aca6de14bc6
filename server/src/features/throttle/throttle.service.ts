import { hash } from 'node:crypto'
import type { ErrorCode } from '@neptune/contract'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../lib/app-error.ts'
import { toClientKey } from '../../lib/net/client-address.ts'
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

/** An attempt to enter a secret: `subject` is the account or link, `address` the client's. */
export interface Attempt {
  action: 'login' | 'password' | 'forgot' | 'invitation' | 'verify'
  subject: string
  address: string
}

const minuteMs = 60_000
const limits = {
  /** Attempts of one client at one account or link. */
  pair: { limit: 10, windowMs: 15 * minuteMs },
  /** Attempts of one client at any account or link. */
  client: { limit: 60, windowMs: 15 * minuteMs },
  /** Attempts of any client at one account or link. Only logs a warning: a limit would let a stranger lock the owner out. */
  subject: { limit: Number.POSITIVE_INFINITY, windowMs: 60 * minuteMs },
}
const warnAtAttempts = 100

/**
 * Counts an attempt before the secret is checked, so that concurrent attempts are all counted. Over the limit, even the correct
 * secret is rejected: otherwise the error would reveal which guess was correct. A rejected attempt is not checked, so it is not
 * counted either. Returns a function that takes the count back, to be called when the attempt succeeds.
 */
export async function countAttempt(deps: Deps, attempt: Attempt): Promise<() => Promise<unknown>> {
  const { counted, takeBack } = await countUses(deps, getErrorCode(attempt), getAllowances(attempt))
  warnAboutManyAttempts(deps, attempt, counted)
  return takeBack
}

/**
 * Prepares an attempt at a secret that is quick to compare: a correct one needs no write. Throws if the client is known to be over
 * its limit, which costs no query. Call the returned functions in the transaction that checks the secret.
 */
export function prepareAttempt(deps: Deps, attempt: Attempt) {
  const use = prepareUse(deps, getErrorCode(attempt), getAllowances(attempt))
  use.rejectExhausted()
  return {
    /** Throws if the client is over its limit. Call it first: it serializes the attempts of a client, so that concurrent ones all count. */
    async check(trx: Db) {
      await lockAttempts(trx, toClientKey(attempt.address))
      await use.check(trx)
    },
    /** Counts the attempt. Call it if the secret was wrong. */
    countFailure: async (trx: Db) => warnAboutManyAttempts(deps, attempt, await use.count(trx)),
  }
}

/**
 * Buckets over their limit, with the end of their window. Attempts that count in such a bucket are rejected without a query, so that they
 * delay nobody else. An evicted entry is read from the database again.
 */
const exhausted = new WeakMap<Db, Map<string, number>>()
const maxExhausted = 10_000

function rememberExhausted({ db }: Deps, { bucket, ends_at }: Count) {
  const buckets = exhausted.get(db) ?? new Map<string, number>()
  exhausted.set(db, buckets)
  buckets.delete(bucket)
  buckets.set(bucket, Date.parse(ends_at))
  const [oldest = ''] = buckets.keys()
  if (buckets.size > maxExhausted) buckets.delete(oldest)
}

/**
 * Returns the longest plausible time until a window ends. A window that ends later was opened while the clock was ahead, and would lock
 * people out until the clock catches up. Allows twice the length of a window, because the clocks of two nodes can differ.
 */
const maxRemainingMs = (windowMs: number) => 2 * windowMs

const getErrorCode = ({ action }: Attempt) => (action === 'verify' ? 'link.too_many_tries' : 'session.too_many_tries')

function getAllowances({ action, subject, address }: Attempt): Allowance[] {
  const client = toClientKey(address)
  return [
    { key: [action, client], ...limits.client },
    { key: [action, client, subject], ...limits.pair },
    { key: [action, '', subject], ...limits.subject },
  ]
}

function warnAboutManyAttempts(deps: Deps, { action, subject }: Attempt, counted: Count[]) {
  const bucket = toBucket(action, '', subject)
  if (counted.find((row) => row.bucket === bucket)?.tries === warnAtAttempts) {
    deps.log.warn({ action, subject: bucket }, 'many failed attempts at one account or link within an hour')
  }
}

/** Clears the attempts of someone who has proven their identity in another way. */
export const clearAttempts = (deps: Deps, { action, subject, address }: Attempt) =>
  deleteBucket(deps.db, toBucket(action, toClientKey(address), subject))

/** A limit on the number of uses per window. */
interface Allowance {
  /** The key by which uses are counted. */
  key: string[]
  limit: number
  windowMs: number
}

/** Counts one use against every allowance. Throws `errorCode`, and counts nothing, if one of them is exceeded. */
export async function countUses(deps: Deps, errorCode: ErrorCode, allowances: Allowance[]) {
  const use = prepareUse(deps, errorCode, allowances)
  await use.check(deps.db)
  const counted = await deps.db.transaction().execute((trx) => use.count(trx))
  return { counted, takeBack: () => deps.db.transaction().execute((trx) => use.takeBack(trx)) }
}

/** Counts one use inside a transaction. Throws `errorCode` if an allowance is exceeded, which rolls the transaction back. */
export async function countUsesIn(deps: Deps, trx: Db, errorCode: ErrorCode, allowances: Allowance[]): Promise<void> {
  const use = prepareUse(deps, errorCode, allowances)
  await use.check(trx)
  await use.count(trx)
}

/** Counts one use. Returns false, without counting it, if it exceeds an allowance. */
export async function tryCountUses(deps: Deps, allowances: Allowance[]): Promise<boolean> {
  return (await countUsesOrGetDelay(deps, allowances)) === undefined
}

/** Counts one use. If it would exceed an allowance, counts nothing and returns how many seconds to wait before the next attempt. */
export async function countUsesOrGetDelay(deps: Deps, allowances: Allowance[]): Promise<number | undefined> {
  try {
    await countUses(deps, 'server.busy', allowances)
    return undefined
  } catch (error) {
    if (error instanceof AppError && error.retryAfterSeconds !== undefined) return error.retryAfterSeconds
    throw error
  }
}

const slotMs = minuteMs
const slotRenewalMs = minuteMs / 4

/**
 * Takes one of a limited number of slots, which all nodes share. The slot is freed on dispose, or a minute after its holder died.
 * Throws `errorCode` when there is none left.
 */
export async function takeSlot(
  deps: Deps,
  errorCode: ErrorCode,
  { key, slots }: { key: string[]; slots: number },
): Promise<AsyncDisposable> {
  const timeAfter = (milliseconds: number) => new Date(deps.now().getTime() + milliseconds).toISOString()
  for (let slot = 0; slot < slots; slot++) {
    const bucket = toBucket('place', ...key, String(slot))
    let endsAt = timeAfter(slotMs)
    if (!(await claimBucket(deps.db, bucket, endsAt, timeAfter(0), timeAfter(maxRemainingMs(slotMs))))) continue
    const renew = async () => {
      const next = timeAfter(slotMs)
      await renewBucket(deps.db, bucket, endsAt, next)
      endsAt = next
    }
    const logError = (err: unknown) => deps.log.warn({ err }, 'a slot could not be renewed or freed')
    const timer = setInterval(() => void renew().catch(logError), slotRenewalMs)
    return {
      async [Symbol.asyncDispose]() {
        clearInterval(timer)
        await deleteWindow(deps.db, bucket, endsAt).catch(logError)
      },
    }
  }
  throw new AppError(errorCode)
}

/** Returns the functions that count one use against several allowances. */
function prepareUse(deps: Deps, errorCode: ErrorCode, allowances: Allowance[]) {
  const now = deps.now()
  const windows = allowances.map(({ key, ...window }) => ({ ...window, bucket: toBucket(...key) }))
  const buckets = windows.map(({ bucket }) => bucket)

  function rejectExceeded(counts: Count[]) {
    const over = counts.filter((row) => row.tries > (windows.find(({ bucket }) => bucket === row.bucket)?.limit ?? 0))
    if (over.length === 0) return
    for (const row of over) rememberExhausted(deps, row)
    throw createExceededError(Math.max(...over.map((row) => Date.parse(row.ends_at))))
  }

  const createExceededError = (endMs: number) =>
    new AppError(errorCode, { retryAfterSeconds: Math.max(1, Math.ceil((endMs - now.getTime()) / 1000)) })

  /** Deletes the windows that were opened while the clock was wrong. Returns the others. */
  async function deleteImplausibleWindows(db: Db, counts: Count[]): Promise<Count[]> {
    const windowMsOf = (count: Count) => windows.find(({ bucket }) => bucket === count.bucket)?.windowMs ?? 0
    const isImplausible = (count: Count) => Date.parse(count.ends_at) - now.getTime() > maxRemainingMs(windowMsOf(count))
    for (const { bucket, ends_at } of counts.filter(isImplausible)) await deleteWindow(db, bucket, ends_at)
    return counts.filter((count) => !isImplausible(count))
  }

  return {
    /** Throws if an allowance is known to be exceeded. Does not access the database. */
    rejectExhausted() {
      const known = exhausted.get(deps.db)
      const ends = windows.flatMap(({ bucket, windowMs }) => {
        const endMs = known?.get(bucket) ?? 0
        return endMs > now.getTime() && endMs - now.getTime() <= maxRemainingMs(windowMs) ? [endMs] : []
      })
      if (ends.length > 0) throw createExceededError(Math.max(...ends))
    },
    /** Throws if this use would exceed an allowance. Inserts nothing, so that a client over its limit adds no rows. */
    async check(db: Db) {
      const current = await deleteImplausibleWindows(db, await findCounts(db, buckets, now.toISOString()))
      rejectExceeded(current.map((row) => ({ ...row, tries: row.tries + 1 })))
    },
    /** Counts the use. Call it inside a transaction, which must roll back if this throws. */
    async count(trx: Db) {
      const rows = windows.map(({ bucket, windowMs }) => ({ bucket, ends_at: new Date(now.getTime() + windowMs).toISOString() }))
      // In a fixed order, so that two nodes cannot deadlock.
      const counted = await incrementCounts(
        trx,
        rows.toSorted((a, b) => (a.bucket < b.bucket ? -1 : 1)),
        now.toISOString(),
      )
      rejectExceeded(counted)
      return counted
    },
    takeBack: (trx: Db) => decrementCounts(trx, buckets),
  }
}

export const sweepThrottle = (deps: Deps) => deleteEndedWindows(deps.db, deps.now().toISOString())

/** Hashes the key, so that buckets have a fixed size and the table does not list who tried to sign in. */
const toBucket = (...parts: string[]) => hash('sha256', JSON.stringify(parts), 'base64url')
