import { maxLifetimeDays } from '@neptune/contract'
import { AppError } from './app-error.ts'

const dayMs = 24 * 60 * 60_000

/** A day on which clocks are set back has up to 25 hours. */
const longestDayMs = 25 * 60 * 60_000

/**
 * Returns the expiry the user entered as an ISO instant. A bare date means the end of that day, in UTC. Throws if it is invalid, past, or
 * later than `maxDays` days after today in every time zone.
 */
export function parseExpiry(now: Date, field: string, expiry: string, maxDays: number | null = null): string {
  const createError = (message: string) => new AppError('request.invalid', { fields: [{ field, message }] })
  const end = new Date(expiry.length === 10 ? `${expiry}T23:59:59.999Z` : expiry)
  const date = expiry.slice(0, 10)
  const midnight = new Date(`${date}T00:00:00Z`) // JavaScript parses February 30 as March 2
  const isValidDate = [end, midnight].every((time) => !Number.isNaN(time.getTime())) && midnight.toISOString().startsWith(date)
  if (!isValidDate) throw createError('This date does not exist.')
  if (end <= now) throw createError('This must be in the future.')
  if (end.getTime() > now.getTime() + maxLifetimeDays * dayMs) throw createError('This must be within ten years.')
  if (maxDays !== null && end.getTime() > now.getTime() + maxDays * dayMs + longestDayMs)
    throw createError(`This must be within ${maxDays} days.`)
  return end.toISOString()
}
