import { useState } from 'react'
import { Navigate, useParams } from 'react-router'
import { ApiError } from '../../api/api-error.ts'
import { RequestFailure } from '../../api/request-failure.tsx'
import { signInWithOperatorLink, useSession } from '../../api/session.ts'
import { Button } from '../../components/form/button.tsx'
import { useAction } from '../../components/form/use-action.ts'
import { t } from '../../i18n/t.ts'
import { paths } from '../../paths.ts'
import { CardPage } from '../shared/page/card-page.tsx'
import { SecondStep, type SecondStepProps } from './second-step.tsx'

/** The page that a sign-in link from the server leads to. Opening it changes nothing, so that link previews don’t use it up. */
export function OperatorLinkPage() {
  const { token = '' } = useParams()
  const session = useSession()
  const enter = useAction(signInWithOperatorLink)
  const [secondFactor, setSecondFactor] = useState<SecondStepProps['secondFactor']>()
  const [failure, setFailure] = useState<Error>()
  if (session.kind === 'signed-in') return <Navigate to={paths.start} replace />
  if (secondFactor) return <SecondStep secondFactor={secondFactor} onBack={leaveSecondStep} />
  return (
    <CardPage title={t('Sign in')}>
      {failure && <RequestFailure error={failure} />}
      <p>{t('Someone with access to the server created this link for you. It works once.')}</p>
      <Button
        variant="primary"
        busy={enter.isBusy}
        onClick={() => enter.run({ token }, { onError: (error) => handleError(error) })}
      >
        {t('Sign in with this link')}
      </Button>
    </CardPage>
  )

  function handleError(error: Error) {
    if (error instanceof ApiError && error.secondFactor) setSecondFactor(error.secondFactor)
    else setFailure(error)
  }

  function leaveSecondStep(reason?: Error) {
    setSecondFactor(undefined)
    setFailure(reason)
  }
}
