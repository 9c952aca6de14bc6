import { useEffect, useState } from 'react'
import { ApiError } from '../../api/api-error.ts'
import { FormError } from '../../components/form-error.tsx'
import { waitMessage } from './wait-message.ts'

/** Why a try was refused, in one line; the focus goes to the field instead. A wait counts down in sight, but is read out only when it starts and when it is over. */
export function Refusal({ error }: { error: Error }) {
  const wait = error instanceof ApiError && error.code === 'session.too_many_tries' ? error.retryAfterSeconds : undefined
  const left = useCountdown(wait ?? 0)
  const isTicking = wait !== undefined && left > 0 && left < wait
  return <FormError title={wait === undefined ? error.message : waitMessage(left)} announce={isTicking ? 'none' : 'alert'} />
}

/** Reads the clock rather than counting ticks: a sleeping tab misses ticks. */
function useCountdown(seconds: number): number {
  const [passed, setPassed] = useState(0)
  const isOver = passed >= seconds
  useEffect(() => {
    if (isOver) return
    const start = Date.now()
    const timer = setInterval(() => setPassed(Math.floor((Date.now() - start) / 1000)), 1000)
    return () => clearInterval(timer)
  }, [isOver])
  return Math.max(0, seconds - passed)
}
