import { emailMax } from '@neptune/contract'
import { useSession } from '../../api/session.ts'
import { useForm } from '../../api/use-form.ts'
import { useToast } from '../../components/feedback/toast.tsx'
import { TextField } from '../../components/form/field.tsx'
import { DialogFrame } from '../../components/layout/dialog-frame.tsx'
import { useSendTestMail } from '../../features/mail/mail-queries.ts'
import type { MailWay } from '../../features/mail/mail-texts.ts'
import { t } from '../../i18n/t.ts'

export function SendTestMailDialog({ way, onClose }: { way: MailWay | undefined; onClose: () => void }) {
  const session = useSession()
  const ownEmail = session.kind === 'signed-in' ? session.info.email : ''
  const send = useSendTestMail()
  const toast = useToast()
  const form = useForm({
    initial: { to: ownEmail },
    action: send,
    failureTitle: t('The test email was not sent.'),
    validate: ({ to }) => (to.trim() ? {} : { to: t('Enter an email address.') }),
    submit: ({ to }) =>
      send.run(to, {
        onSuccess({ data }) {
          toast({
            message:
              way === 'files'
                ? t('No mail server is set up: the test email to {email} was saved on the server.', { email: data.to })
                : t('A test email is on its way to {email}.', { email: data.to }),
          })
          onClose()
        },
      }),
  })

  return (
    <DialogFrame
      title={t('Send a test email')}
      description={t('If it arrives, email delivery works.')}
      confirmLabel={t('Send test email')}
      {...form.dialog}
      onClose={onClose}
    >
      <TextField
        label={t('E-mail address')}
        type="email"
        required
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={emailMax}
        {...form.field('to')}
      />
    </DialogFrame>
  )
}
