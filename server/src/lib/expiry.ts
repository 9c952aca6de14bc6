import { AppError } from './app-error.ts'

const day = 24 * 60 * 60_000

/** As long as anything that ends may last: ten years. */
export const maxLifetimeMs = 3660 * day

/** When something ends, from what somebody typed. A bare date means the end of that day, in UTC. */
export function parseExpiry(now: Date, field: string, expiry: string): string {
  const refuse = (message: string) => new AppError('request.invalid', { fields: [{ field, message }] })
  const end = new Date(expiry.length === 10 ? `${expiry}T23:59:59.999Z` : expiry)
  const date = expiry.slice(0, 10)
  const midnight = new Date(`${date}T00:00:00Z`) // the 30th of February would be read as the 2nd of March
  const isDay = [end, midnight].every((time) => !Number.isNaN(time.getTime())) && midnight.toISOString().startsWith(date)
  if (!isDay) throw refuse('There is no such day.')
  if (end <= now) throw refuse('This must be in the future.')
  if (end.getTime() > now.getTime() + maxLifetimeMs) throw refuse('This must be within ten years.')
  return end.toISOString()
}
