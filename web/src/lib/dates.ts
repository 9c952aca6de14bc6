import { locale } from '../words/language.ts'
import { t } from '../words/t.ts'

const parts = { day: 'numeric', month: 'short', year: 'numeric', hour: '2-digit', minute: '2-digit' } as const
const exact = new Intl.DateTimeFormat(locale, parts)
const exactWithZone = new Intl.DateTimeFormat(locale, { ...parts, timeZoneName: 'short' })
const toTheSecond = new Intl.DateTimeFormat(locale, { ...parts, second: '2-digit' })
const dayOfYear = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short' })
const day = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', year: 'numeric' })
const utcDay = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' })
const minute = 60_000
const hour = 60 * minute

/** Writes an instant, or “Unknown” if it is missing. */
const write = (format: Intl.DateTimeFormat, instant: string) =>
  isKnown(instant) ? format.format(new Date(instant)) : t('Unknown')

const isKnown = (instant: string) => !Number.isNaN(Date.parse(instant))

/** To the second, for what may have to be proven. */
export const formatMoment = (instant: string) => write(toTheSecond, instant)

/** `3 Dec 2026, 14:05`, where the viewer sits and as it is written there. */
export const formatDate = (instant: string) => write(exact, instant)

/** The same for those who may sit elsewhere: `3 Dec 2026, 14:05 CET`. */
export const formatDateAndZone = (instant: string) => write(exactWithZone, instant)

/** A day the server wrote down as `2026-12-03`: it is one of UTC, wherever the viewer sits. */
export const formatUtcDay = (day: string) => write(utcDay, day)

/** Under a day, how long ago; before that, the date. */
export function formatAge(instant: string, now = Date.now()): string {
  const age = Math.max(0, now - Date.parse(instant))
  if (age < minute) return t('just now')
  if (age < hour) return t('{n} min ago', { n: Math.floor(age / minute) })
  if (age < 24 * hour) return t('{n} h ago', { n: Math.floor(age / hour) })
  return formatDate(instant)
}

/** The same where there is little room: before a day ago, `3 Dec`, and the year if it is another. */
export function formatShortAge(instant: string, now = Date.now()): string {
  const then = new Date(instant)
  if (now - then.getTime() < 24 * hour) return formatAge(instant, now)
  return write(then.getFullYear() === new Date(now).getFullYear() ? dayOfYear : day, instant)
}

/** Under a day, how long until then; after that, the date. */
export function formatWait(instant: string, now = Date.now()): string {
  if (!isKnown(instant)) return t('Unknown')
  const wait = Date.parse(instant) - now
  if (wait < minute) return t('in less than a minute')
  if (wait < hour) return t('in {n} min', { n: Math.round(wait / minute) })
  if (wait < 24 * hour) return t('in {n} h', { n: Math.round(wait / hour) })
  return t('on {date}', { date: formatDate(instant) })
}

/** `in 29 days`, then `tomorrow`; on the last of them, in how many hours. Always short. */
export function formatDaysLeft(instant: string, now = Date.now()): string {
  if (!isKnown(instant)) return t('Unknown')
  const end = Date.parse(instant)
  const days = Math.round((midnightBefore(end) - midnightBefore(now)) / (24 * hour)) // a day may have 23 hours
  if (days > 1) return t('in {n} days', { n: days })
  return end - now < 24 * hour ? formatWait(instant, now) : t('tomorrow')
}

/** Where the person sits. */
const midnightBefore = (time: number) => new Date(time).setHours(0, 0, 0, 0)
