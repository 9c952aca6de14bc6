import { emailMax } from '@neptune/contract'
import { useState } from 'react'
import { useSession } from '../../api/session.ts'
import { useToast } from '../../components/feedback/toast.tsx'
import { TextField } from '../../components/form/field.tsx'
import { DialogFrame } from '../../components/layout/dialog-frame.tsx'
import { useSendTestMail } from '../../features/mail/mail-queries.ts'
import type { Way } from '../../features/mail/mail-texts.ts'
import { t } from '../../i18n/t.ts'
import { describeFailure, describeFieldErrors } from '../shared/form-problem.ts'

const failureTitle = 'The test email was not sent.'

export function SendTestMailDialog({ way, onClose }: { way: Way | undefined; onClose: () => void }) {
  const session = useSession()
  const ownEmail = session.kind === 'signed-in' ? session.info.email : ''
  const [to, setTo] = useState(ownEmail)
  const [isMissing, setMissing] = useState(false)
  const send = useSendTestMail()
  const toast = useToast()

  const confirm = () => {
    setMissing(!to.trim())
    send.reset()
    if (!to.trim()) return
    send.run(to, {
      onSuccess: ({ data }) => {
        const isSavedAsFile = way === 'files'
        toast({
          message: isSavedAsFile
            ? t('No mail server is set up: the test email to {email} was saved on the server.', { email: data.to })
            : t('A test email is on its way to {email}.', { email: data.to }),
        })
        onClose()
      },
    })
  }
  const problem = send.error
    ? describeFailure(send.error, t(failureTitle))
    : isMissing
      ? describeFieldErrors(t(failureTitle), { to: t('Enter an email address.') })
      : undefined

  return (
    <DialogFrame
      title={t('Send a test email')}
      description={t('If it arrives, email delivery works.')}
      confirmLabel={t('Send test email')}
      action={send}
      dirty={to !== ownEmail}
      error={problem?.error}
      onConfirm={confirm}
      onClose={onClose}
    >
      <TextField
        label={t('E-mail address')}
        name="to"
        type="email"
        required
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={emailMax}
        value={to}
        onChange={({ target }) => setTo(target.value)}
        error={problem?.fields['to']}
      />
    </DialogFrame>
  )
}
