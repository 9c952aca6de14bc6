import { isLoopback } from '../../features/link/link-texts.ts'
import { t } from '../../i18n/t.ts'
import { formatDateTimeWithZone } from '../../lib/time/dates.ts'

/** Says what to do with a link that is shown because no mail server is set up, and warns if it works only on this computer. */
export function describeShownLink(name: string, { url, ends_at }: { url: string; ends_at: string }): string {
  const instructions = t('No mail server is set up, so send this link to {name} yourself. It works once, until {time}.', {
    name,
    time: formatDateTimeWithZone(ends_at),
  })
  return isLoopback(url)
    ? `${instructions} ${t('This address works only on this computer. Ask your server administrator for one that others can reach.')}`
    : instructions
}
