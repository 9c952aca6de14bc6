/** Without a chosen date, `POST /v1/link/{key}/extend` extends only a link that expires within this many days. */
export const extendableDays = 90

/** By how many days a link is extended, unless the settings allow less. */
export const extensionDays = 30

/** The longest time until anything expires: ten years. */
export const maxLifetimeDays = 3660

const dayMs = 24 * 60 * 60_000

interface ExtensionLimits {
  /** The longest lifetime from now, in days; null for ten years. */
  maxDays: number | null
  /** The time zone of the organisation. */
  timeZone: string
}

/**
 * Returns the expiry of a link after an extension, in milliseconds: `extensionDays` after the current one or, if that has passed, after the
 * end of today; and never earlier than the current one. Returns undefined if `maxDays` allows no later one.
 */
export function extendExpiry(nowMs: number, expiryMs: number, { maxDays, timeZone }: ExtensionLimits): number | undefined {
  const startMs = expiryMs > nowMs ? expiryMs : findEndOfDay(nowMs, expiryMs, timeZone)
  const extendedMs = Math.min(startMs + extensionDays * dayMs, findLatest(nowMs, expiryMs, maxDays))
  if (maxDays !== null && extendedMs <= expiryMs) return undefined
  return Math.max(extendedMs, expiryMs)
}

/** Returns the latest expiry: `maxDays` from now, or at the end of that day if the link expires at the end of a day. */
function findLatest(nowMs: number, expiryMs: number, maxDays: number | null): number {
  if (maxDays === null) return nowMs + maxLifetimeDays * dayMs
  const latestMs = nowMs + maxDays * dayMs
  return isEndOfDay(expiryMs) ? findSameTime(expiryMs, latestMs) : latestMs
}

/** Returns the first time from `fromMs` on that is a whole number of days after `timeMs`. */
const findSameTime = (timeMs: number, fromMs: number) => timeMs + Math.ceil((fromMs - timeMs) / dayMs) * dayMs

const quarterHourMs = 15 * 60_000

/** Returns whether a day ends at this time in some time zone. All offsets are multiples of 15 minutes. */
const isEndOfDay = (timeMs: number) => (timeMs + 1) % quarterHourMs === 0

/**
 * Returns the end of today. Most links expire at the end of a day in their creator’s time zone, so the previous expiry gives the time at
 * which their days end. Otherwise, for example for closed links, this is the end of the day in the time zone of the organisation.
 */
function findEndOfDay(nowMs: number, expiryMs: number, timeZone: string): number {
  if (isEndOfDay(expiryMs)) return findSameTime(expiryMs, nowMs)
  const time = new Intl.DateTimeFormat('en-GB', { timeZone, timeStyle: 'medium' }).format(nowMs)
  return nowMs - Date.parse(`1970-01-01T${time}Z`) - (nowMs % 1000) + dayMs - 1
}
