import { locale } from '../../i18n/language.ts'
import { t } from '../../i18n/t.ts'

const month = new Intl.DateTimeFormat(locale, { month: 'long', year: 'numeric' })
const dayMs = 24 * 60 * 60_000

/** Returns the heading for a day in a list sorted by date: today, yesterday, the last 7 days, or its month. */
export function getDateGroup(instant: string, now = Date.now()): string {
  const then = new Date(instant)
  if (Number.isNaN(then.getTime())) return t('Unknown')
  const days = Math.round((getStartOfDay(now) - getStartOfDay(then.getTime())) / dayMs) // a day may have 23 hours
  if (days <= 0) return t('Today')
  if (days === 1) return t('Yesterday')
  return days < 7 ? t('Last 7 days') : month.format(then)
}

/** Returns the start of the day in the browser’s time zone. */
const getStartOfDay = (time: number) => new Date(time).setHours(0, 0, 0, 0)
