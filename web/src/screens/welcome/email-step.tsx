import { emailMax } from '@neptune/contract'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { RequestFailure } from '../../api/request-failure.tsx'
import { useSession } from '../../api/session.ts'
import { useForm } from '../../api/use-form.ts'
import { classNames } from '../../components/class-names.ts'
import { Button } from '../../components/form/button.tsx'
import { TextField } from '../../components/form/field.tsx'
import { AlertIcon, CheckIcon, ClockIcon } from '../../components/icons.tsx'
import { mailsQuery, mailWayQuery, useSendTestMail } from '../../features/mail/mail-queries.ts'
import { translateMailProblem } from '../../features/mail/mail-texts.ts'
import { t } from '../../i18n/t.ts'
import { paths } from '../../paths.ts'
import { StepFrame, type StepNavigation } from './step-frame.tsx'
import css from './welcome.module.css'

const c = classNames(css)

/** Sends a test email, and says whether the mail server accepted it. */
export function EmailStep(navigation: StepNavigation) {
  const { data: way } = useQuery({ ...mailWayQuery(), staleTime: 0 }) // it may just have been set up
  return (
    <StepFrame step="email" {...navigation}>
      {way === 'smtp' && <p>{t('Emails are sent through your mail server.')}</p>}
      {way === 'files' && (
        <p>
          {t('No mail server is set up yet, so emails are saved on the server instead of being sent.')}{' '}
          <Link to={paths.settingsSection('email')}>{t('Set up the mail server')}</Link>
        </p>
      )}
      <TestForm />
    </StepFrame>
  )
}

function TestForm() {
  const session = useSession()
  const send = useSendTestMail({ isRepeatable: true })
  const form = useForm({
    initial: { to: session.kind === 'signed-in' ? session.info.email : '' },
    action: send,
    failureTitle: t('The test email was not sent.'),
    validate: ({ to }) => (to.trim() ? {} : { to: t('Enter an email address.') }),
    submit: ({ to }) => send.run(to.trim()),
  })
  return (
    <form className={c('test')} {...form.form}>
      {form.failure && <RequestFailure error={form.failure} />}
      <div className={c('testRow')}>
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
        <Button type="submit" busy={send.isBusy}>
          {t('Send test')}
        </Button>
      </div>
      <div role="status">{send.result && <TestResult id={send.result.data.id} email={send.result.data.to} />}</div>
    </form>
  )
}

/** Follows a test email until the mail server has answered. */
function TestResult({ id, email }: { id: string; email: string }) {
  const { data } = useInfiniteQuery(mailsQuery({}))
  const mail = data?.pages[0]?.data.find((row) => row.id === id)
  const problem = mail?.problem ? translateMailProblem(mail.problem) : undefined
  if (mail?.state === 'sent')
    return (
      <p className={c('result', 'good')}>
        <CheckIcon size={16} />
        {t('The mail server accepted the email to {email}. Check that it arrives.', { email })}
      </p>
    )
  if (mail?.state === 'saved')
    return (
      <p className={c('result')}>
        <AlertIcon size={16} />
        {t('No mail server is set up: the test email to {email} was saved on the server.', { email })}
      </p>
    )
  if (problem !== undefined)
    return (
      <p className={c('result', 'bad')}>
        <AlertIcon size={16} />
        {t('The test email was not sent.')} {problem}
      </p>
    )
  return (
    <p className={c('result')}>
      <ClockIcon size={16} />
      {t('A test email is on its way to {email}.', { email })}
    </p>
  )
}
