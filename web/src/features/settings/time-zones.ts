/** The time zone of the browser. Undefined if the browser doesn’t know it. */
export const browserTimeZone = findBrowserTimeZone()

function findBrowserTimeZone(): string | undefined {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions()
  return timeZone === 'Etc/Unknown' ? undefined : timeZone
}

/** Returns the zones that the browser knows, and the current one, for a select. */
export function listTimeZones(current: string) {
  const zones = new Set(['UTC', current, ...Intl.supportedValuesOf('timeZone')])
  return [...zones].filter(Boolean).map((zone) => ({ value: zone, label: zone }))
}
