import { emailMax, type LinkRow } from '@neptune/contract'
import type { FieldErrors } from '../../../api/form-errors.ts'
import { useForm } from '../../../api/use-form.ts'
import { classNames } from '../../../components/class-names.ts'
import { useToast } from '../../../components/feedback/toast.tsx'
import { CopyField } from '../../../components/form/copy-field.tsx'
import { TextField } from '../../../components/form/field.tsx'
import { AlertIcon } from '../../../components/icons.tsx'
import { DialogFrame } from '../../../components/layout/dialog-frame.tsx'
import { Disclosure } from '../../../components/layout/disclosure.tsx'
import { useSendLink } from '../../../features/link/link-queries.ts'
import { useHasMailServer } from '../../../features/mail/mail-queries.ts'
import { MailServerLink } from '../../../features/mail/mail-server-link.tsx'
import { t } from '../../../i18n/t.ts'
import parts from '../../shared/dialogs/dialog-parts.module.css'
import { AccessCodeField } from '../access-code-field.tsx'
import css from '../link-dialogs.module.css'
import {
  type EmailDraft,
  EmailLanguageField,
  emptyEmail,
  getEmailLanguageName,
  IncludeCodeField,
  MessageField,
  toEmailOptions,
} from './email-fields.tsx'

const c = classNames({ ...parts, ...css })

interface SendLinkDialogProps {
  link: LinkRow
  /** Set if the screen already shows it. */
  accessCode?: string
  onClose: () => void
}

export function SendLinkDialog({ link, accessCode, onClose }: SendLinkDialogProps) {
  const { key, url, name, email } = link
  const send = useSendLink()
  const toast = useToast()
  const hasMailServer = useHasMailServer()
  const form = useForm<Draft>({
    initial: { targetEmail: email ?? '', ...emptyEmail },
    action: send,
    failureTitle: t('The link details were not sent.'),
    validate: ({ targetEmail }) => validateAddress(targetEmail),
    submit: (draft) =>
      send.run(
        { key, targetEmail: draft.targetEmail, ...toEmailOptions(draft) },
        {
          onSuccess({ data, way }) {
            toast({
              message:
                way === 'files'
                  ? t('No mail server is set up, so nothing was sent. Give the recipient the details yourself.')
                  : t('The link details are on their way to {email}.', { email: data.email ?? draft.targetEmail }),
            })
            onClose()
          },
        },
      ),
  })

  return (
    <DialogFrame
      title={t('Send Link Details')}
      description={
        hasMailServer
          ? t('Emails the URL of the link “{name}”.', { name })
          : t('The address and the code of the link to “{name}”.', { name })
      }
      confirmLabel={t('Send Details')}
      {...form.dialog}
      onClose={onClose}
    >
      {!hasMailServer && (
        <p className={c('note')}>
          <AlertIcon />
          <span>
            {t(
              'No mail server is set up, so nothing is emailed. Copy the details and pass them on. Send Details only saves the email.',
            )}{' '}
            <MailServerLink isInDialog />
          </span>
        </p>
      )}
      <CopyField label={t('Access URL')} value={url} />
      {!hasMailServer && <AccessCodeField link={link} shownCode={accessCode} />}
      <TextField
        label={t('Target e-mail')}
        type="email"
        required
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={emailMax}
        hint={email && t('The last address used for this link.')}
        {...form.field('targetEmail')}
      />
      <IncludeCodeField {...form.checkbox('includeCode')} />
      {hasMailServer && <AccessCodeField link={link} shownCode={accessCode} />}
      <EmailOptions form={form} />
    </DialogFrame>
  )
}

interface Draft extends EmailDraft {
  targetEmail: string
}

/** Lets the sender choose the language of the email and add a message. Most emails need neither. */
function EmailOptions({ form }: { form: ReturnType<typeof useForm<Draft>> }) {
  const { language, message } = form.draft
  const summary = [getEmailLanguageName(language), message.trim() ? t('with a message') : t('no message')]
  const hasError = form.errors['language'] !== undefined || form.errors['message'] !== undefined
  return (
    <Disclosure title={t('Language and message')} summary={summary.join(', ')} forceOpen={hasError}>
      <EmailLanguageField {...form.field('language')} />
      <MessageField {...form.field('message')} />
    </Disclosure>
  )
}

function validateAddress(text: string): FieldErrors {
  if (!text.trim()) return { targetEmail: t('Enter an email address.') }
  return /\S[,;\s]+\S+@/.test(text.trim())
    ? { targetEmail: t('Enter one email address. Send the details to each person on their own.') }
    : {}
}
