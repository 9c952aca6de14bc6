import { extendableDays, type LinkRow } from '@neptune/contract'
import type { ReactNode } from 'react'
import { useToast } from '../../components/feedback/toast.tsx'
import { Button } from '../../components/form/button.tsx'
import { ClockIcon } from '../../components/icons.tsx'
import { useExtension } from '../../features/link/link-limits.ts'
import { useExtendLink } from '../../features/link/link-queries.ts'
import { describeStopReason, isFixedByExtending } from '../../features/link/link-texts.ts'
import { t } from '../../i18n/t.ts'
import { shortenName } from '../../lib/shorten-name.ts'
import { formatDateTime } from '../../lib/time/dates.ts'

const dayMs = 24 * 60 * 60_000

interface ExtendButton {
  button: ReactNode
  /** Why the button is disabled. */
  reason: string | undefined
  /** Why the link can’t be extended until a chosen date either. */
  dateReason: string | undefined
  error: Error | undefined
}

/** Returns the button that extends a link, usually by 30 days, and the reasons why the link can’t be extended. */
export function useExtendButton(link: LinkRow): ExtendButton {
  const extend = useExtendLink()
  const toast = useToast()
  const extension = useExtension()(link.expiry)
  const stopReason = link.reasons?.find((reason) => !isFixedByExtending(reason))
  const isLongLived = Date.parse(link.expiry) > Date.now() + extendableDays * dayMs
  const dateReason = stopReason ? describeStopReason(stopReason, link) : extension.reason
  const reason =
    dateReason ??
    (isLongLived ? t('It has more than {n} days left. Use “Extend until a date” instead.', { n: extendableDays }) : undefined)
  const run = () =>
    extend.run(
      { key: link.key },
      {
        onSuccess: ({ name, expiry }) =>
          toast({ message: t('“{name}” is open until {date}.', { name: shortenName(name), date: formatDateTime(expiry) }) }),
      },
    )
  const button = (
    <Button icon={<ClockIcon />} busy={extend.isBusy} disabledReason={reason} onClick={run}>
      {extension.label ?? t('30 more days')}
    </Button>
  )
  return { button, reason, dateReason, error: extend.error }
}
