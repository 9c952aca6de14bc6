import { useToast } from '../../components/feedback/toast.tsx'
import { DialogFrame } from '../../components/layout/dialog-frame.tsx'
import type { MailWay } from '../../features/mail/mail-texts.ts'
import { useTestEmail } from '../../features/mail/test-email-form.tsx'
import { t } from '../../i18n/t.ts'

export function SendTestMailDialog({ way, onClose }: { way: MailWay | undefined; onClose: () => void }) {
  const toast = useToast()
  const { form, field } = useTestEmail({
    onSent({ to: email }) {
      toast({ message: describeDelivery(email, way) })
      onClose()
    },
  })
  return (
    <DialogFrame
      title={t('Send a test email')}
      description={t('If it arrives, email delivery works.')}
      confirmLabel={t('Send test email')}
      {...form.dialog}
      onClose={onClose}
    >
      {field}
    </DialogFrame>
  )
}

function describeDelivery(email: string, way: MailWay | undefined): string {
  if (way === 'files') return t('No mail server is set up: the test email to {email} was saved on the server.', { email })
  return way === 'smtp' ? t('A test email is on its way to {email}.', { email }) : t('Sending the email to {email}', { email })
}
