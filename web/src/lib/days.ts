/** As YYYY-MM-DD, where the person sits. Swedes write it so. */
const written = new Intl.DateTimeFormat('sv-SE')

/** The day that many days from now, as a date field has it. */
export function dayFromNow(days: number): string {
  const day = new Date()
  day.setDate(day.getDate() + days)
  return written.format(day)
}

/** The last moment of a day, where the person sits, as an instant; undefined if there is no such day. */
export function endOfDay(day: string): string | undefined {
  const end = new Date(`${day}T23:59:59.999`)
  return Number.isNaN(end.getTime()) ? undefined : end.toISOString()
}

/** The first moment of a day, or of one some days later, where the person sits, as an instant; undefined if there is no such day. */
export function startOfDay(day: string, later = 0): string | undefined {
  const start = new Date(`${day}T00:00:00`)
  start.setDate(start.getDate() + later)
  return Number.isNaN(start.getTime()) ? undefined : start.toISOString()
}
