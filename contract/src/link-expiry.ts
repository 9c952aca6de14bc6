/** Only a link that expires within this many days can be extended. */
export const extendableDays = 90

/** By how many days a link is extended, unless the settings allow less. */
export const extensionDays = 30

/** The longest time until anything expires: ten years. */
export const maxLifetimeDays = 3660

const dayMs = 24 * 60 * 60_000

/**
 * Returns the expiry of a link after an extension, in milliseconds: `extensionDays` after the current one or, if that has passed, after today; at
 * most `maxDays`, or ten years, from now; and never earlier than the current one. The time of day stays the same, because most links expire
 * at the end of a day in the time zone of whoever created them. Returns undefined if `maxDays` allows no later one.
 */
export function extendExpiry(nowMs: number, expiryMs: number, maxDays: number | null): number | undefined {
  const atSameTime = (ms: number) => expiryMs + Math.ceil((ms - expiryMs) / dayMs) * dayMs
  const latestMs = maxDays === null ? nowMs + maxLifetimeDays * dayMs : atSameTime(nowMs + maxDays * dayMs)
  const extendedMs = Math.min(atSameTime(Math.max(nowMs, expiryMs)) + extensionDays * dayMs, latestMs)
  if (maxDays !== null && extendedMs <= expiryMs) return undefined
  return Math.max(extendedMs, expiryMs)
}
