import { parseUserAgent } from '@neptune/contract'
import { t } from '../i18n/t.ts'

/** Formats a user agent as `Firefox on Linux`. Shows the start of an unknown one. */
export function formatUserAgent(agent: string): string {
  const { browser, system } = parseUserAgent(agent)
  if (!browser) return agent.slice(0, 40) || t('Unknown')
  return system ? t('{browser} on {system}', { browser, system }) : browser
}
