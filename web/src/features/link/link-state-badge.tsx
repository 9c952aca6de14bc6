import type { LinkRow, LinkState } from '@neptune/contract'
import type { ComponentProps } from 'react'
import { Badge } from '../../components/feedback/badge.tsx'
import { AlertIcon, ArchiveIcon, CheckIcon, InfoIcon, LockIcon, PauseIcon, TrashIcon } from '../../components/icons.tsx'
import { t } from '../../i18n/t.ts'
import { formatDaysLeft } from '../../lib/time/dates.ts'
import { getStateName, getStopReason } from './link-texts.ts'

/** Shows the state of a link. The reason is a tooltip and, for screen readers, part of the badge. */
export function LinkStateBadge({ link }: { link: LinkRow }) {
  const style = badgeStyles[link.state]
  const reason = link.state === 'expiring' ? t('It expires {when}.', { when: formatDaysLeft(link.expiry) }) : getStopReason(link)
  return (
    <span title={reason}>
      <Badge {...style}>
        {getStateName(link)}
        <span className="sr-only">. {reason}</span>
      </Badge>
    </span>
  )
}

type BadgeStyle = Pick<ComponentProps<typeof Badge>, 'tone' | 'icon'>

const badgeStyles: Record<LinkState, BadgeStyle> = {
  active: { tone: 'success', icon: <CheckIcon /> },
  expiring: { tone: 'warning', icon: <InfoIcon /> },
  expired: { tone: 'danger', icon: <AlertIcon /> },
  company_archived: { tone: 'neutral', icon: <ArchiveIcon /> },
  directory_deleted: { tone: 'warning', icon: <TrashIcon /> },
  file_deleted: { tone: 'warning', icon: <TrashIcon /> },
  version_deleted: { tone: 'warning', icon: <TrashIcon /> },
  owner_suspended: { tone: 'neutral', icon: <PauseIcon /> },
  owner_without_access: { tone: 'neutral', icon: <LockIcon /> },
}
