import { createHash } from 'node:crypto'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../lib/app-error.ts'
import { clientOf } from '../../lib/client-address.ts'
import { addTries, deleteEndedWindows, takeBackTries } from './throttle.repo.ts'

/** What is being guessed at, whose secret it is, and from which address. */
export interface Try {
  action: 'login'
  subject: string
  address: string
}

const minute = 60_000
const limits = {
  /** One client at one account. */
  pair: { tries: 10, window: 15 * minute },
  /** One client at any account. */
  client: { tries: 60, window: 15 * minute },
  /** One account from anywhere. Never a lock, or a stranger could lock its owner out: it only raises an alarm. */
  subject: { tries: 100, window: 60 * minute },
}

/**
 * Counts a try before it is judged, so that a hundred at once are a hundred counted. Over the limit even the right secret is
 * refused: otherwise the limit itself would tell which guess was right. Returns what takes the try back when it succeeded.
 */
export async function countTry(deps: Deps, { action, subject, address }: Try): Promise<() => Promise<unknown>> {
  const client = clientOf(address)
  const buckets = {
    client: bucket(action, 'client', client),
    pair: bucket(action, 'pair', client, subject),
    subject: bucket(action, 'subject', subject),
  }
  const now = deps.now()
  // A client over its limit is refused before its next guess can add a row.
  await count(deps, now, [{ limit: limits.client, bucket: buckets.client }])
  const [, perSubject = 0] = await count(deps, now, [
    { limit: limits.pair, bucket: buckets.pair },
    { limit: { ...limits.subject, tries: Number.POSITIVE_INFINITY }, bucket: buckets.subject },
  ])
  if (perSubject === limits.subject.tries) {
    deps.log.warn({ action, subject: buckets.subject }, 'many failed tries at one account within an hour')
  }
  return () => takeBackTries(deps.db, Object.values(buckets))
}

export const sweepThrottle = (deps: Deps) => deleteEndedWindows(deps.db, deps.now().toISOString())

async function count(
  deps: Deps,
  now: Date,
  windows: { limit: { tries: number; window: number }; bucket: string }[],
): Promise<number[]> {
  const rows = windows.map(({ bucket, limit }) => ({ bucket, ends_at: new Date(now.getTime() + limit.window).toISOString() }))
  // In one order, so that two nodes cannot wait for each other's rows.
  const counts = await addTries(
    deps.db,
    rows.toSorted((a, b) => a.bucket.localeCompare(b.bucket)),
    now.toISOString(),
  )
  return windows.map(({ bucket, limit }) => {
    const { tries = 0, ends_at = '' } = counts.find((row) => row.bucket === bucket) ?? {}
    if (tries > limit.tries) {
      const retryAfterSeconds = Math.max(1, Math.ceil((Date.parse(ends_at) - now.getTime()) / 1000))
      throw new AppError('session.too_many_tries', { retryAfterSeconds })
    }
    return tries
  })
}

/** Hashed, so that a bucket has a fixed size and the table does not become a list of who tried to sign in. */
const bucket = (...parts: string[]) => createHash('sha256').update(JSON.stringify(parts)).digest('base64url')
