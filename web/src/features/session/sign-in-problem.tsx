import { useEffect, useState } from 'react'
import type { ApiError } from '../../api/api-error.ts'
import { classNames } from '../../components/class-names.ts'
import { AlertIcon } from '../../components/icons.tsx'
import css from './sign-in-problem.module.css'
import { waitMessage } from './wait-message.ts'

const c = classNames(css)

/** Why sign-in failed, in one line. A wait counts down in sight, but is read out only when it starts and when it is over. */
export function SignInProblem({ error }: { error: ApiError }) {
  const wait = error.code === 'session.too_many_tries' ? error.retryAfterSeconds : undefined
  const left = useCountdown(wait ?? 0)
  const isTicking = wait !== undefined && left > 0 && left < wait
  return (
    <p role="alert" aria-live={isTicking ? 'off' : 'assertive'} className={c('problem')}>
      <AlertIcon />
      {wait === undefined ? error.message : waitMessage(left)}
    </p>
  )
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
