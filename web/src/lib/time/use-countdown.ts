import { useEffect, useState } from 'react'

/** Returns the remaining seconds. Reads the clock, because a sleeping tab misses ticks. */
export function useCountdown(seconds: number): number {
  const [secondsPassed, setSecondsPassed] = useState(0)
  const isOver = secondsPassed >= seconds
  useEffect(() => {
    if (isOver) return
    const start = Date.now()
    const timer = setInterval(() => setSecondsPassed(Math.floor((Date.now() - start) / 1000)), 1000)
    return () => clearInterval(timer)
  }, [isOver])
  return Math.max(0, seconds - secondsPassed)
}
