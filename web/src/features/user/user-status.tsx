import type { UserRow } from '@neptune/contract'
import { Badge } from '../../components/feedback/badge.tsx'
import { AlertIcon, CheckIcon, MailIcon } from '../../components/icons.tsx'
import { t } from '../../i18n/t.ts'

type Status = Pick<UserRow, 'suspended_at' | 'company_archived' | 'invitation_ends_at'>

/** Shows whether a user can sign in, and if not, why. */
export function UserStatus(user: Status) {
  if (user.suspended_at !== null)
    return (
      <Badge tone="warning" icon={<AlertIcon />}>
        {t('Suspended')}
      </Badge>
    )
  if (user.company_archived)
    return (
      <Badge tone="warning" icon={<AlertIcon />}>
        {t('Company archived')}
      </Badge>
    )
  if (!user.invitation_ends_at)
    return (
      <Badge tone="success" icon={<CheckIcon />}>
        {t('Active')}
      </Badge>
    )
  return isInvitationExpired(user) ? (
    <Badge tone="warning" icon={<AlertIcon />}>
      {t('Invitation expired')}
    </Badge>
  ) : (
    <Badge tone="accent" icon={<MailIcon />}>
      {t('Invited')}
    </Badge>
  )
}

export const isInvitationExpired = ({ invitation_ends_at }: Pick<UserRow, 'invitation_ends_at'>) =>
  Date.parse(invitation_ends_at ?? '') <= Date.now()
