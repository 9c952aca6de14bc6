import { t } from '../i18n/t.ts'

/** The first match wins: Edge's user agent also contains Chrome, and most contain Safari. */
const browsers: [RegExp, string][] = [
  [/Edg\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/Firefox\//, 'Firefox'],
  [/Chrom(e|ium)\//, 'Chrome'],
  [/Safari\//, 'Safari'],
]
const systems: [RegExp, string][] = [
  [/iPhone|iPad/, 'iOS'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Mac OS X/, 'macOS'],
  [/Linux/, 'Linux'],
]

/** Formats a user agent as `Firefox on Linux`. Shows the start of an unknown one. */
export function formatUserAgent(agent: string): string {
  const find = (names: [RegExp, string][]) => names.find(([pattern]) => pattern.test(agent))?.[1]
  const browser = find(browsers)
  const system = find(systems)
  if (!browser) return agent.slice(0, 40) || t('Unknown')
  return system ? t('{browser} on {system}', { browser, system }) : browser
}
