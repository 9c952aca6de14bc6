import { useEffect, useState } from 'react'

const tick = 10_000

/** The time, as a state: what says how long ago something was stays true while it is looked at. */
export function useNow(): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), tick)
    return () => clearInterval(timer)
  }, [])
  return now
}
