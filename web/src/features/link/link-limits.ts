import { api, extendExpiry, extensionDays } from '@neptune/contract'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { call } from '../../api/client.ts'
import { t } from '../../i18n/t.ts'
import { formatDay } from '../../lib/time/dates.ts'
import { getDayFromNow, toEndOfDay } from '../../lib/time/days.ts'

/** Loads the settings that staff work with. */
const commonSettingsQuery = () =>
  queryOptions({
    queryKey: ['settings', 'common'],
    queryFn: ({ signal }) => call(api.settings.common, {}, { signal }).then(({ data }) => data),
  })

/** The limits of an installation that has set none. They apply until the settings are loaded; the server checks each link anyway. */
const unsetLimits = { default_days: 30, max_days: null }

/** Returns how many days new links stay open by default, and at most. */
export const useLinkLimits = () => useQuery(commonSettingsQuery()).data?.links ?? unsetLimits

/** Says when a link with a chosen day expires, and how far away that day can be. */
export function describeExpiry(maxDays: number | null): string {
  const expiry = t('The link expires at the end of this day, in your time zone.')
  if (maxDays === null) return expiry
  const values = { n: maxDays, date: formatDay(toEndOfDay(getDayFromNow(maxDays)) ?? '') }
  return `${expiry} ${t('It can stay open for at most {n} days, until {date}.', values)}`
}

const dayMs = 24 * 60 * 60_000

interface Extension {
  /** The label of the button, if the link gets fewer than 30 more days. */
  label?: string
  /** Why the link can’t be extended. */
  reason?: string
}

/** Returns a function that describes how far a link can be extended. Its result is empty for the usual 30 more days. */
export function useExtension() {
  const { max_days } = useLinkLimits()
  return (expiry: string): Extension => {
    const nowMs = Date.now()
    const expiryMs = Date.parse(expiry)
    if (max_days === null || Number.isNaN(expiryMs)) return {}
    // The time zone makes no difference for an extension that is shorter than 30 days.
    const extendedMs = extendExpiry(nowMs, expiryMs, { maxDays: max_days, timeZone: 'UTC' })
    if (extendedMs === undefined)
      return {
        reason: t('Links can stay open for at most {n} days from now, so this one can’t be extended yet.', { n: max_days }),
      }
    if (extendedMs >= Math.max(nowMs, expiryMs) + extensionDays * dayMs) return {}
    return { label: t('Extend until {date}', { date: formatDay(new Date(extendedMs).toISOString()) }) }
  }
}
