const exact = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
})
const minute = 60_000

/** `3 Dec 2026, 14:05`, where the viewer sits. */
export const formatDate = (instant: string) => exact.format(new Date(instant))

/** Under a day, how long ago; before that, the date. */
export function formatAge(instant: string, now = Date.now()): string {
  const age = Math.max(0, now - Date.parse(instant))
  if (age < minute) return 'just now'
  if (age < 60 * minute) return `${Math.floor(age / minute)} min ago`
  if (age < 24 * 60 * minute) return `${Math.floor(age / (60 * minute))} h ago`
  return formatDate(instant)
}

/** Under a day, how long until then; after that, the date. */
export function formatWait(instant: string, now = Date.now()): string {
  const wait = Date.parse(instant) - now
  if (wait < minute) return 'in less than a minute'
  if (wait < 60 * minute) return `in ${Math.round(wait / minute)} min`
  if (wait < 24 * 60 * minute) return `in ${Math.round(wait / (60 * minute))} h`
  return `on ${formatDate(instant)}`
}
