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
