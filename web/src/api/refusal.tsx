import { FormError } from '../components/form/form-error.tsx'
import { t } from '../i18n/t.ts'
import { useCountdown } from '../lib/time/use-countdown.ts'
import { ApiError } from './api-error.ts'

/** Shows why a request was rejected. A rate limit counts down visibly, but is announced only when it starts and ends. */
export function Refusal({ error }: { error: Error }) {
  const wait = error instanceof ApiError && error.status === 429 ? error.retryAfterSeconds : undefined
  const left = useCountdown(wait ?? 0)
  const isTicking = wait !== undefined && left > 0 && left < wait
  return <FormError title={wait === undefined ? error.message : formatCountdown(left)} announce={isTicking ? 'none' : 'alert'} />
}

/** Formats the wait in minutes, and the last minute in seconds. */
function formatCountdown(seconds: number): string {
  if (seconds <= 0) return t('You can try again now.')
  if (seconds < 60) return t('Too many attempts. Try again in {n} seconds.', { n: seconds })
  return t('Too many attempts. Try again in {n} minutes.', { n: Math.ceil(seconds / 60) })
}
