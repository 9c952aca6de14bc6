import type { UserRow } from '@neptune/contract'
import { useForm } from '../../../api/use-form.ts'
import { useToast } from '../../../components/feedback/toast.tsx'
import { DialogFrame } from '../../../components/layout/dialog-frame.tsx'
import { useHasMailServer } from '../../../features/mail/mail-queries.ts'
import { MailServerLink } from '../../../features/mail/mail-server-link.tsx'
import { useCreateReset } from '../../../features/user/user-queries.ts'
import { t } from '../../../i18n/t.ts'
import { ShownOnceDialog } from '../../shared/dialogs/shown-once-dialog.tsx'
import { describeShownLink } from '../describe-shown-link.ts'

/** Sends a user a link to choose a new password, or shows it to the admin if there is no mail server. */
export function ResetPasswordDialog({ user: { id, name }, onClose }: { user: UserRow; onClose: () => void }) {
  const hasMailServer = useHasMailServer()
  const create = useCreateReset()
  const toast = useToast()
  const form = useForm({
    initial: {},
    action: create,
    failureTitle: t('The link was not created.'),
    submit: () =>
      create.run(id, {
        onSuccess({ data: { url } }) {
          if (url !== undefined) return // shown below
          toast({ message: t('Sent {name} a link to choose a new password.', { name }) })
          onClose()
        },
      }),
  })
  const { url, ends_at = '' } = create.result?.data ?? {}
  if (url !== undefined) {
    return (
      <ShownOnceDialog
        title={t('New password for {name}', { name })}
        label={t('Link to choose a new password')}
        value={url}
        hint={describeShownLink(name, { url, ends_at })}
        onClose={onClose}
      />
    )
  }
  return (
    <DialogFrame
      title={t('Reset password')}
      description={
        hasMailServer ? (
          t('{name} gets an email with a link to choose a new password. It works once, for an hour.', { name })
        ) : (
          <>
            {t('No mail server is set up, so you get a link to choose a new password, and pass it on to {name}.', { name })}{' '}
            <MailServerLink isInDialog />
          </>
        )
      }
      confirmLabel={hasMailServer ? t('Send email') : t('Create link')}
      {...form.dialog}
      onClose={onClose}
    >
      <p>
        {t(
          'Nothing changes until they choose a new password. Then they’re signed out everywhere, and their API tokens are revoked.',
        )}
      </p>
    </DialogFrame>
  )
}
