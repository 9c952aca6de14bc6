import type { Reader } from '../../lib/actor.ts'
import { AppError } from '../../lib/app-error.ts'

/**
 * How many ZIPs this process sends at a time to one user, to one recipient, for one link, and for all links of one company.
 * Recipients have their own limits, so they cannot block staff.
 */
const limits = { user: 8, recipient: 8, link: 16, companyLinks: 64 }

/** Only an estimate, because the server can't know when a running download ends. */
const retryAfterSeconds = 30

const running = new Map<string, number>()

/** Takes a slot for a ZIP, which is freed on dispose. Throws `download.too_many` when there is none left. */
export function takeZipSlot(actor: Reader): Disposable {
  rejectTooManyZips(actor)
  const keys = getLimits(actor).map(([key]) => key)
  for (const key of keys) running.set(key, (running.get(key) ?? 0) + 1)
  return {
    [Symbol.dispose]() {
      for (const key of keys.splice(0)) {
        const left = (running.get(key) ?? 1) - 1
        if (left > 0) running.set(key, left)
        else running.delete(key)
      }
    },
  }
}

/** Throws `download.too_many` when the caller has no slot left for a ZIP. */
export function rejectTooManyZips(actor: Reader) {
  if (getLimits(actor).some(([key, limit]) => (running.get(key) ?? 0) >= limit))
    throw new AppError('download.too_many', { retryAfterSeconds })
}

function getLimits(actor: Reader): [key: string, limit: number][] {
  if (actor.kind === 'staff') return [[`user ${actor.userId}`, limits.user]]
  const { key, companyId } = actor.link
  return [
    [`recipient ${key} ${actor.client}`, limits.recipient],
    [`link ${key}`, limits.link],
    [`links of ${companyId}`, limits.companyLinks],
  ]
}
