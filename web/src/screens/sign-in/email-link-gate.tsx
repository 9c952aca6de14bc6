import type { UseQueryResult } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { ApiError } from '../../api/api-error.ts'
import { ErrorState } from '../../components/feedback/error-state.tsx'
import { Skeleton } from '../../components/feedback/skeleton.tsx'
import { t } from '../../i18n/t.ts'

interface EmailLinkProps<Owner> {
  /** The query for the user to whom the link was sent. */
  owner: UseQueryResult<{ data: Owner }>
  /** Shown if the link doesn’t work. */
  invalid: ReactNode
  children: (owner: Owner, onInvalid: () => void) => ReactNode
}

/** Checks a link from an email, and shows its form if it works. */
export function EmailLinkGate<Owner>({ owner, invalid, children }: EmailLinkProps<Owner>) {
  const [isInvalid, setInvalid] = useState(false)
  if (isInvalid || isInvalidToken(owner.error)) return invalid
  if (owner.isError) {
    const { message } = owner.error
    return <ErrorState title={t('The link could not be checked.')} detail={message} onRetry={() => void owner.refetch()} />
  }
  if (owner.isPending) return <FormSkeleton />
  return children(owner.data.data, () => setInvalid(true))
}

/** A placeholder for the two fields and the button. */
const FormSkeleton = () => (
  <>
    <Skeleton height={62} label={t('Checking the link')} />
    <Skeleton height={88} />
    <Skeleton height={36} />
  </>
)

/** Returns whether the token is invalid: unknown, used or expired (404), or malformed, such as half a link (400). */
const isInvalidToken = (error: Error | null) => error instanceof ApiError && (error.status === 404 || error.status === 400)
