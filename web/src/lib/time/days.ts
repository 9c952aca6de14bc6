/** Formats a local day as YYYY-MM-DD, which is the Swedish format. */
const isoDay = new Intl.DateTimeFormat('sv-SE')

/** Returns the day `days` from now in the format of a date input. */
export function getDayFromNow(days: number): string {
  const day = new Date()
  day.setDate(day.getDate() + days)
  return isoDay.format(day)
}

/** Returns the local day of an instant in the format of a date input. */
export const toDay = (ms: number): string => isoDay.format(ms)

/** Returns the end of a local day as an instant, or undefined if the day is invalid. */
export function toEndOfDay(day: string): string | undefined {
  const end = new Date(`${day}T23:59:59.999`)
  return Number.isNaN(end.getTime()) ? undefined : end.toISOString()
}

/** Returns the start of a local day, plus `offsetDays`, as an instant, or undefined if the day is invalid. */
export function toStartOfDay(day: string, offsetDays = 0): string | undefined {
  const start = new Date(`${day}T00:00:00`)
  start.setDate(start.getDate() + offsetDays)
  return Number.isNaN(start.getTime()) ? undefined : start.toISOString()
}
