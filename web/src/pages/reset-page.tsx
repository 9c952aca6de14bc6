import { errors } from '@neptune/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate, useParams } from 'react-router'
import { ApiError } from '../api/api-error.ts'
import { Queries } from '../api/query-client.tsx'
import { ButtonLink } from '../components/button.tsx'
import { ErrorState } from '../components/error-state.tsx'
import { Skeleton } from '../components/skeleton.tsx'
import { ResetForm } from '../features/identity/reset-form.tsx'
import { resetQuery } from '../features/identity/reset-queries.ts'
import type { CardState } from '../lib/card-state.ts'
import { paths } from '../paths.ts'
import { CardNote, CardPage } from './card-page.tsx'

/** Where the link of a mail leads. It stays in the address until it is used, so that a reload or another browser can go on. */
export function ResetPage() {
  const { token = '' } = useParams()
  return (
    <CardPage title="Choose a new password">
      <Queries>
        <Reset key={token} token={token} />
      </Queries>
    </CardPage>
  )
}

function Reset({ token }: { token: string }) {
  const owner = useQuery(resetQuery(token))
  const [isGone, setGone] = useState(false)
  const navigate = useNavigate()
  if (isGone || isNoLink(owner.error)) return <Gone />
  if (owner.isError) {
    const { message } = owner.error
    return <ErrorState title="The link could not be checked." detail={message} onRetry={() => void owner.refetch()} />
  }
  if (owner.isPending) return <ResetSkeleton />
  const { email } = owner.data.data
  const state: CardState = { email, passwordChanged: true }
  // Replaced, so that Back does not lead to a link that is used up.
  const done = () => void navigate(paths.login, { replace: true, state })
  return <ResetForm token={token} email={email} onDone={done} onGone={() => setGone(true)} />
}

const Gone = () => (
  <>
    <CardNote>
      <p>{errors['reset.not_found'].message}</p>
    </CardNote>
    <ButtonLink variant="primary" to={paths.forgot}>
      Ask for a new mail
    </ButtonLink>
  </>
)

/** The two fields and the button, as they will stand. */
const ResetSkeleton = () => (
  <>
    <Skeleton height={62} label="Checking the link" />
    <Skeleton height={88} />
    <Skeleton height={36} />
  </>
)

/** Unknown, used or too old is 404; what cannot be a token at all, such as half a link, is 400. */
const isNoLink = (error: Error | null) => error instanceof ApiError && (error.status === 404 || error.status === 400)
