import { locale } from '../../i18n/language.ts'
import { t } from '../../i18n/t.ts'

const dateTimeParts = { day: 'numeric', month: 'short', year: 'numeric', hour: '2-digit', minute: '2-digit' } as const
const dateTime = new Intl.DateTimeFormat(locale, dateTimeParts)
const dateTimeWithZone = new Intl.DateTimeFormat(locale, { ...dateTimeParts, timeZoneName: 'short' })
const dateTimeWithSeconds = new Intl.DateTimeFormat(locale, { ...dateTimeParts, second: '2-digit' })
const dayAndMonth = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short' })
const fullDay = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', year: 'numeric' })
const utcDay = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' })
const minuteMs = 60_000
const hourMs = 60 * minuteMs

/** Formats an instant, or returns “Unknown” if it is missing. */
const formatWith = (formatter: Intl.DateTimeFormat, instant: string) =>
  isValid(instant) ? formatter.format(new Date(instant)) : t('Unknown')

const isValid = (instant: string) => !Number.isNaN(Date.parse(instant))

/** Formats like formatDateTime(), with seconds, for audit entries. */
export const formatDateTimeWithSeconds = (instant: string) => formatWith(dateTimeWithSeconds, instant)

/** Formats as `3 Dec 2026, 14:05`, in the viewer's locale and time zone. */
export const formatDateTime = (instant: string) => formatWith(dateTime, instant)

/** Formats as `3 Dec 2026`, in the viewer's locale and time zone. */
export const formatDay = (instant: string) => formatWith(fullDay, instant)

/** Formats as `3 Dec 2026, 14:05 CET`, for readers in other time zones. */
export const formatDateTimeWithZone = (instant: string) => formatWith(dateTimeWithZone, instant)

/** Formats a UTC day such as `2026-12-03`, independent of the viewer's time zone. */
export const formatUtcDay = (day: string) => formatWith(utcDay, day)

/** Formats an instant of the last 24 hours as a relative time, and an earlier one as a date. */
export function formatAge(instant: string, now = Date.now()): string {
  const ageMs = Math.max(0, now - Date.parse(instant))
  if (ageMs < minuteMs) return t('just now')
  if (ageMs < hourMs) return t('{n} min ago', { n: Math.floor(ageMs / minuteMs) })
  if (ageMs < 24 * hourMs) return t('{n} h ago', { n: Math.floor(ageMs / hourMs) })
  return formatDateTime(instant)
}

/** Formats like formatAge(), but shorter: `3 Dec` for earlier days, with the year if it is not the current one. */
export function formatShortAge(instant: string, now = Date.now()): string {
  const then = new Date(instant)
  if (now - then.getTime() < 24 * hourMs) return formatAge(instant, now)
  return formatWith(then.getFullYear() === new Date(now).getFullYear() ? dayAndMonth : fullDay, instant)
}

/** Formats an instant in the next 24 hours as a relative time, and a later one as a date. */
export function formatWait(instant: string, now = Date.now()): string {
  if (!isValid(instant)) return t('Unknown')
  const waitMs = Date.parse(instant) - now
  if (waitMs < minuteMs) return t('in less than a minute')
  if (waitMs < hourMs) return t('in {n} min', { n: Math.round(waitMs / minuteMs) })
  if (waitMs < 24 * hourMs) return t('in {n} h', { n: Math.round(waitMs / hourMs) })
  return t('on {date}', { date: formatDateTime(instant) })
}

/** Formats as `in 29 days` or `tomorrow`, and in hours or minutes on the last day. */
export function formatDaysLeft(instant: string, now = Date.now()): string {
  if (!isValid(instant)) return t('Unknown')
  const end = Date.parse(instant)
  const days = Math.round((getStartOfDay(end) - getStartOfDay(now)) / (24 * hourMs)) // a day may have 23 hours
  if (days > 1) return t('in {n} days', { n: days })
  return end - now < 24 * hourMs ? formatWait(instant, now) : t('tomorrow')
}

/** Returns the start of the day in the viewer's time zone. */
const getStartOfDay = (time: number) => new Date(time).setHours(0, 0, 0, 0)
