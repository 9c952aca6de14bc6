import { emailMax, type MailRow } from '@neptune/contract'
import { useQuery } from '@tanstack/react-query'
import { RequestFailure } from '../../api/request-failure.tsx'
import { useSession } from '../../api/session.ts'
import { useForm } from '../../api/use-form.ts'
import { classNames } from '../../components/class-names.ts'
import { AlertIcon, CheckIcon, ClockIcon } from '../../components/entry-icons.tsx'
import { Button } from '../../components/form/button.tsx'
import { TextField } from '../../components/form/field.tsx'
import { t } from '../../i18n/t.ts'
import { MailProblem } from './mail-problem.tsx'
import { sentMailQuery, useSendTestMail } from './mail-queries.ts'
import css from './test-email-form.module.css'

const c = classNames(css)

interface TestEmailOptions {
  /** Whether several test emails can be sent, one after the other. */
  isRepeatable?: boolean
  onSent?: (mail: MailRow) => void
}

/** Manages the form that sends a test email. It suggests the user’s own address. */
export function useTestEmail({ isRepeatable = false, onSent }: TestEmailOptions) {
  const session = useSession()
  const send = useSendTestMail({ isRepeatable })
  const form = useForm({
    initial: { to: session.kind === 'signed-in' ? session.info.email : '' },
    action: send,
    failureTitle: t('The test email was not sent.'),
    validate: ({ to }) => (to.trim() ? {} : { to: t('Enter an email address.') }),
    submit: ({ to }) => send.run(to.trim(), { onSuccess: ({ data }) => onSent?.(data) }),
  })
  const field = (
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
  )
  return { form, field, isBusy: send.isBusy, sent: send.result?.data }
}

/** Sends a test email with the saved settings, and shows the result. `blockedReason` says why a test isn’t possible yet. */
export function TestEmailForm({ blockedReason }: { blockedReason?: string | undefined }) {
  const { form, field, isBusy, sent } = useTestEmail({ isRepeatable: true })
  return (
    <form className={c('form')} {...form.form}>
      {form.failure && <RequestFailure error={form.failure} />}
      <div className={c('row')}>
        {field}
        <Button type="submit" busy={isBusy} disabledReason={blockedReason}>
          {t('Send test email')}
        </Button>
      </div>
      {/* Always present, so that screen readers announce the result. */}
      <div role="status">{sent && blockedReason === undefined && <TestResult sent={sent} />}</div>
    </form>
  )
}

/** Shows the state of a test email, and updates it until the result is certain. */
function TestResult({ sent }: { sent: MailRow }) {
  const { data: mail = sent } = useQuery(sentMailQuery(sent))
  const result = describeResult(mail)
  return (
    <div className={c('result', result.tone)}>
      {result.icon}
      <div className={c('text')}>
        <p className={c('title')}>{result.title}</p>
        {mail.problem !== null && (
          <p>
            <MailProblem problem={mail.problem} />
          </p>
        )}
        <p>{result.text}</p>
      </div>
    </div>
  )
}

/** Says what happened to the email, and what to do. */
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
        text: t('No mail server is set up, so Neptune saved the email on its own server.'),
      }
    case 'failed':
    case 'unconfirmed':
      return failure(email, t('Check the settings of the mail server, and send another test email.'))
    default:
      if (problem !== null) return failure(email, t('Check the settings of the mail server. Neptune will try again by itself.'))
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
