import type { InvitationLink, UserRow } from '@neptune/contract'
import { useId } from 'react'
import { RequestFailure } from '../../api/request-failure.tsx'
import { classNames } from '../../components/class-names.ts'
import { useToast } from '../../components/feedback/toast.tsx'
import { Button } from '../../components/form/button.tsx'
import { useHasMailServer } from '../../features/mail/mail-queries.ts'
import { MailServerLink } from '../../features/mail/mail-server-link.tsx'
import { useResendInvitation } from '../../features/user/user-queries.ts'
import { isInvitationExpired } from '../../features/user/user-status.tsx'
import { t } from '../../i18n/t.ts'
import { formatDateTime } from '../../lib/time/dates.ts'
import { useDialog } from '../shared/dialogs/dialog.ts'
import css from './invitation-section.module.css'

const c = classNames(css)

interface InvitationSectionProps {
  user: UserRow
  disabledReason: string | undefined
  /** Called after a new link was sent, or with the link if there is no mail server. */
  onSent: (link: InvitationLink | undefined) => void
}

/** Says until when an invited user can accept, and sends a new link or revokes the invitation. */
export function InvitationSection({ user, disabledReason, onSent }: InvitationSectionProps) {
  const { id, name } = user
  const textId = useId()
  const open = useDialog()
  const toast = useToast()
  const resend = useResendInvitation()
  const hasMailServer = useHasMailServer()
  const suspendedReason = user.suspended_at === null ? undefined : t('Restore them first.')
  const send = () =>
    resend.run(id, {
      onSuccess({ link }) {
        if (!link) toast({ message: t('Sent {name} a new invitation.', { name }) })
        onSent(link)
      },
    })
  return (
    <div className={c('invitation')}>
      <p id={textId}>{describeInvitation(user)}</p>
      <p>
        {hasMailServer
          ? t('Resending replaces the link, and the previous one stops working. Revoking the invitation removes the user.')
          : t(
              'No mail server is set up. A new link replaces the previous one, and you send it yourself. Revoking the invitation removes the user.',
            )}{' '}
        {!hasMailServer && <MailServerLink />}
      </p>
      {resend.error && <RequestFailure error={resend.error} />}
      <div className={c('actions')}>
        <Button aria-describedby={textId} busy={resend.isBusy} disabledReason={disabledReason ?? suspendedReason} onClick={send}>
          {hasMailServer ? t('Resend invitation') : t('Create a new link')}
        </Button>
        <Button
          aria-describedby={textId}
          disabledReason={disabledReason}
          onClick={() => open({ kind: 'revoke-invitation', user })}
        >
          {t('Revoke invitation')}
        </Button>
      </div>
    </div>
  )
}

const describeInvitation = (user: UserRow) =>
  isInvitationExpired(user)
    ? t('They haven’t accepted their invitation, and its link no longer works.')
    : t('They haven’t accepted their invitation yet. The link works until {time}.', {
        time: formatDateTime(user.invitation_ends_at ?? ''),
      })
