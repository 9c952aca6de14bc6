import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useParams } from 'react-router'
import { ApiError } from '../../api/api-error.ts'
import { QueryProvider } from '../../api/query-provider.tsx'
import { RequestFailure } from '../../api/request-failure.tsx'
import { Button, ButtonLink } from '../../components/form/button.tsx'
import { factorResetQuery, useAnswerFactorReset } from '../../features/factor/factor-reset-queries.ts'
import { t } from '../../i18n/t.ts'
import { tNodes } from '../../i18n/t-nodes.tsx'
import { formatDateTimeWithZone } from '../../lib/time/dates.ts'
import { paths } from '../../paths.ts'
import { CardNote, CardPage } from '../shared/page/card-page.tsx'
import { EmailLinkGate } from './email-link-gate.tsx'

/** The page linked from the email about removing second factors. Opening it changes nothing, because programs may follow links. */
export function FactorResetPage() {
  const { token = '' } = useParams()
  return (
    <QueryProvider>
      <FactorReset key={token} token={token} />
    </QueryProvider>
  )
}

function FactorReset({ token }: { token: string }) {
  const reset = useQuery(factorResetQuery(token))
  const [answer, setAnswer] = useState<'removed' | 'canceled'>()
  if (answer === 'removed') return <Removed />
  if (answer === 'canceled') return <Canceled />
  return (
    <CardPage title={t('Remove your second factor?')}>
      <EmailLinkGate owner={reset} invalid={<LinkInvalid />}>
        {(reset, onInvalid) => <Choice token={token} {...reset} onAnswered={setAnswer} onInvalid={onInvalid} />}
      </EmailLinkGate>
    </CardPage>
  )
}

interface ChoiceProps {
  token: string
  email: string
  due_at: string
  onAnswered: (answer: 'removed' | 'canceled') => void
  onInvalid: () => void
}

function Choice({ token, email, due_at, onAnswered, onInvalid }: ChoiceProps) {
  const answer = useAnswerFactorReset()
  const send = (agree: boolean) =>
    answer.run(
      { token, agree },
      {
        onSuccess: () => onAnswered(agree ? 'removed' : 'canceled'),
        onError: (error) => error instanceof ApiError && error.code === 'factor.reset_not_found' && onInvalid(),
      },
    )
  const isSending = (agree: boolean) => answer.isBusy && answer.input?.agree === agree
  return (
    <>
      {answer.error && <RequestFailure error={answer.error} />}
      <p>
        {tNodes(
          'An administrator is removing all second factors of {email}, including passkeys. After that, this account won’t need one to sign in.',
          {
            email: <strong>{email}</strong>,
          },
        )}
      </p>
      <p>{t('They will be removed on {time}. You can also remove them now.', { time: formatDateTimeWithZone(due_at) })}</p>
      <p>{t('If you didn’t ask for this, cancel the removal now. Someone else may be trying to sign in as you.')}</p>
      <Button variant="primary" busy={isSending(false)} onClick={() => send(false)}>
        {t('Cancel removal')}
      </Button>
      <Button busy={isSending(true)} onClick={() => send(true)}>
        {t('Remove now')}
      </Button>
    </>
  )
}

const Removed = () => (
  <CardPage title={t('Second factor removed')}>
    <CardNote>
      <p>{t('You can now sign in without a second factor. Set up a new one on your account page soon.')}</p>
    </CardNote>
    <SignInLink />
  </CardPage>
)

const Canceled = () => (
  <CardPage title={t('Removal cancelled')}>
    <CardNote>
      <p>{t('Your second factor stays as it is.')}</p>
      <p>{t('If you didn’t ask for the removal, tell an administrator and, if you have a password, choose a new one.')}</p>
    </CardNote>
    <SignInLink />
  </CardPage>
)

const LinkInvalid = () => (
  <>
    <CardNote>
      <p>
        {t(
          'This link no longer works. The second factor may already have been removed, or the removal was cancelled. Sign in to check, or ask an administrator.',
        )}
      </p>
    </CardNote>
    <SignInLink />
  </>
)

const SignInLink = () => (
  <ButtonLink variant="primary" to={paths.login} replace>
    {t('Sign in')}
  </ButtonLink>
)
