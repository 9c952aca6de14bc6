import { useSyncExternalStore } from 'react'
import { formatAge, formatDateTime, formatShortAge } from '../lib/time/dates.ts'

/** Shows a relative time that keeps updating, with the exact time on hover. */
export function Age({ instant, short = false }: { instant: string; short?: boolean }) {
  // Subscribes to the text, so that only rows whose text changes render again.
  const text = useSyncExternalStore(subscribeToTicks, () => (short ? formatShortAge : formatAge)(instant))
  return (
    <time dateTime={instant} title={formatDateTime(instant)}>
      {text}
    </time>
  )
}

const intervalMs = 10_000
const listeners = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined

/** Shares one timer between all instances. */
function subscribeToTicks(listener: () => void) {
  listeners.add(listener)
  timer ??= setInterval(() => {
    for (const listener of listeners) listener()
  }, intervalMs)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}
