import { FormError } from '../components/form/form-error.tsx'
import { t } from '../i18n/t.ts'
import { useCountdown } from '../lib/time/use-countdown.ts'
import { ApiError } from './api-error.ts'

/**
 * Shows why a request failed. After too many attempts, the wait counts down visibly, but is announced only at its start and end. Other
 * limits, such as that of emails, have messages of their own.
 */
export function RequestFailure({ error }: { error: Error }) {
  const hasTooManyAttempts = error instanceof ApiError && /\.too_many_tries$/.test(error.code)
  const waitSeconds = hasTooManyAttempts ? error.retryAfterSeconds : undefined
  const secondsLeft = useCountdown(waitSeconds ?? 0)
  const isCountingDown = waitSeconds !== undefined && secondsLeft > 0 && secondsLeft < waitSeconds
  return (
    <FormError
      title={waitSeconds === undefined ? error.message : formatCountdown(secondsLeft)}
      announce={isCountingDown ? 'none' : 'alert'}
    />
  )
}

/** Formats the wait in minutes, and the last minute in seconds. */
function formatCountdown(seconds: number): string {
  if (seconds <= 0) return t('You can try again now.')
  if (seconds < 60) return t('Too many attempts. Try again in {n} seconds.', { n: seconds })
  return t('Too many attempts. Try again in {n} minutes.', { n: Math.ceil(seconds / 60) })
}
