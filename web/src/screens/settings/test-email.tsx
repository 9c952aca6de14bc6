import { emailMax, type MailRow } from '@neptune/contract'
import { useQuery } from '@tanstack/react-query'
import { useSession } from '../../api/session.ts'
import { useForm } from '../../api/use-form.ts'
import { classNames } from '../../components/class-names.ts'
import { Button } from '../../components/form/button.tsx'
import { TextField } from '../../components/form/field.tsx'
import { FormError } from '../../components/form/form-error.tsx'
import { AlertIcon, CheckIcon, ClockIcon } from '../../components/icons.tsx'
import { sentMailQuery, useSendTestMail } from '../../features/mail/mail-queries.ts'
import { translateMailProblem } from '../../features/mail/mail-texts.ts'
import { t } from '../../i18n/t.ts'
import css from './settings.module.css'

const c = classNames(css)

/** Sends a test email with the saved settings, and shows the result. */
export function TestEmail({ isDirty, isSaving }: { isDirty: boolean; isSaving: boolean }) {
  const session = useSession()
  const send = useSendTestMail({ isRepeatable: true })
  const form = useForm({
    initial: { to: session.kind === 'signed-in' ? session.info.email : '' },
    action: send,
    validate: ({ to }) => (to.trim() ? {} : { to: t('Enter an email address.') }),
    submit: ({ to }) => send.run(to),
  })
  return (
    <form className={c('form', 'test')} {...form.form}>
      <div>
        <h3 className={c('subheading')}>{t('Send a test email')}</h3>
        <p className={c('purpose')}>{t('It is sent with the saved settings.')}</p>
      </div>
      {form.failure && <FormError title={form.failure.message} />}
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
      <div>
        <Button
          type="submit"
          busy={send.isBusy}
          disabledReason={isDirty || isSaving ? t('Save your changes first. Then the test uses them.') : undefined}
        >
          {t('Send test email')}
        </Button>
      </div>
      {/* Always present, so that screen readers announce the result. */}
      <div role="status">{send.result && !isDirty && <TestResult sent={send.result.data} />}</div>
    </form>
  )
}

function TestResult({ sent }: { sent: MailRow }) {
  const { data: mail = sent } = useQuery(sentMailQuery(sent))
  const result = describeResult(mail)
  return (
    <div className={c('notice', result.tone)}>
      {result.icon}
      <div className={c('noticeText')}>
        <p className={c('noticeTitle')}>{result.title}</p>
        <p>{result.text}</p>
        {mail.problem !== null && <p className={c('problem')}>{translateMailProblem(mail.problem)}</p>}
      </div>
    </div>
  )
}

/** Shows the result of the email, and what to do. */
function describeResult({ state, to: email, problem }: MailRow) {
  switch (state) {
    case 'sent':
      return {
        tone: 'success',
        icon: <CheckIcon />,
        title: t('The mail server has accepted the email to {email}.', { email }),
        text: t('Look for it in the inbox. If it isn’t there, look in the spam folder.'),
      }
    case 'saved':
      return {
        tone: 'warning',
        icon: <AlertIcon />,
        title: t('The email to {email} was not sent.', { email }),
        text: t('No mail server is set, so Neptune saved the email on its own server. Enter a mail server above.'),
      }
    case 'failed':
    case 'unconfirmed':
      return failure(email, t('Check the settings above, save them, and send another test email.'))
    default:
      if (problem !== null) return failure(email, t('Check the settings above. Neptune will try again by itself.'))
      return {
        tone: 'pending',
        icon: <ClockIcon />,
        title: t('Sending the email to {email}', { email }),
        text: t('This can take up to a minute.'),
      }
  }
}

const failure = (email: string, text: string) => ({
  tone: 'danger',
  icon: <AlertIcon />,
  title: t('The email to {email} could not be sent.', { email }),
  text,
})
