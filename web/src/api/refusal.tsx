import { FormError } from '../components/form-error.tsx'
import { useCountdown } from '../lib/use-countdown.ts'
import { t } from '../words/t.ts'
import { ApiError } from './api-error.ts'

/** Why nothing came of it, in one line. A wait counts down in sight, but is read out only when it starts and when it is over. */
export function Refusal({ error }: { error: Error }) {
  const wait = error instanceof ApiError && error.status === 429 ? error.retryAfterSeconds : undefined
  const left = useCountdown(wait ?? 0)
  const isTicking = wait !== undefined && left > 0 && left < wait
  return <FormError title={wait === undefined ? error.message : waitWords(left)} announce={isTicking ? 'none' : 'alert'} />
}

/** By minutes; the last of them by seconds. */
function waitWords(seconds: number): string {
  if (seconds <= 0) return t('You can try again now.')
  if (seconds < 60) return t('Too many attempts. Try again in {n} seconds.', { n: seconds })
  return t('Too many attempts. Try again in {n} minutes.', { n: Math.ceil(seconds / 60) })
}
