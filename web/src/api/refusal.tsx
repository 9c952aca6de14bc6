import { FormError } from '../components/form-error.tsx'
import { useCountdown } from '../lib/use-countdown.ts'
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
  if (seconds <= 0) return 'You can try again now.'
  const [count, unit] = seconds < 60 ? [seconds, 'second'] : [Math.ceil(seconds / 60), 'minute']
  return `Too many tries. Try again in ${count} ${count === 1 ? unit : `${unit}s`}.`
}
