import { useEffect, useState } from 'react'

const intervalMs = 10_000

/** Returns the current time and updates it regularly, for relative times on the screen. */
export function useNow(): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), intervalMs)
    return () => clearInterval(timer)
  }, [])
  return now
}
