import { locale } from '../../i18n/language.ts'
import { t } from '../../i18n/t.ts'

const parts = { day: 'numeric', month: 'short', year: 'numeric', hour: '2-digit', minute: '2-digit' } as const
const exact = new Intl.DateTimeFormat(locale, parts)
const exactWithZone = new Intl.DateTimeFormat(locale, { ...parts, timeZoneName: 'short' })
const exactWithSeconds = new Intl.DateTimeFormat(locale, { ...parts, second: '2-digit' })
const dayOfYear = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short' })
const day = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', year: 'numeric' })
const utcDay = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' })
const minuteMs = 60_000
const hourMs = 60 * minuteMs

/** Formats an instant, or returns “Unknown” if it is missing. */
const formatWith = (formatter: Intl.DateTimeFormat, instant: string) =>
  isKnown(instant) ? formatter.format(new Date(instant)) : t('Unknown')

const isKnown = (instant: string) => !Number.isNaN(Date.parse(instant))

/** Includes seconds, for audit entries. */
export const formatMoment = (instant: string) => formatWith(exactWithSeconds, instant)

/** Formats as `3 Dec 2026, 14:05`, in the viewer's locale and time zone. */
export const formatDate = (instant: string) => formatWith(exact, instant)

/** Adds the time zone, for readers in other zones: `3 Dec 2026, 14:05 CET`. */
export const formatDateAndZone = (instant: string) => formatWith(exactWithZone, instant)

/** Formats a UTC day such as `2026-12-03`, independent of the viewer's time zone. */
export const formatUtcDay = (day: string) => formatWith(utcDay, day)

/** Formats as a relative time within a day, and as a date before that. */
export function formatAge(instant: string, now = Date.now()): string {
  const age = Math.max(0, now - Date.parse(instant))
  if (age < minuteMs) return t('just now')
  if (age < hourMs) return t('{n} min ago', { n: Math.floor(age / minuteMs) })
  if (age < 24 * hourMs) return t('{n} h ago', { n: Math.floor(age / hourMs) })
  return formatDate(instant)
}

/** Formats like formatAge(), but shorter: `3 Dec` for earlier days, with the year if it is not the current one. */
export function formatShortAge(instant: string, now = Date.now()): string {
  const then = new Date(instant)
  if (now - then.getTime() < 24 * hourMs) return formatAge(instant, now)
  return formatWith(then.getFullYear() === new Date(now).getFullYear() ? dayOfYear : day, instant)
}

/** Formats a future instant as a relative time within a day, and as a date after that. */
export function formatWait(instant: string, now = Date.now()): string {
  if (!isKnown(instant)) return t('Unknown')
  const wait = Date.parse(instant) - now
  if (wait < minuteMs) return t('in less than a minute')
  if (wait < hourMs) return t('in {n} min', { n: Math.round(wait / minuteMs) })
  if (wait < 24 * hourMs) return t('in {n} h', { n: Math.round(wait / hourMs) })
  return t('on {date}', { date: formatDate(instant) })
}

/** Formats as `in 29 days`, `tomorrow`, or hours on the last day. Always short. */
export function formatDaysLeft(instant: string, now = Date.now()): string {
  if (!isKnown(instant)) return t('Unknown')
  const end = Date.parse(instant)
  const days = Math.round((midnightBefore(end) - midnightBefore(now)) / (24 * hourMs)) // a day may have 23 hours
  if (days > 1) return t('in {n} days', { n: days })
  return end - now < 24 * hourMs ? formatWait(instant, now) : t('tomorrow')
}

/** Returns the start of the day in the viewer's time zone. */
const midnightBefore = (time: number) => new Date(time).setHours(0, 0, 0, 0)
