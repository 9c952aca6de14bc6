import { useSyncExternalStore } from 'react'
import { formatAge, formatDate, formatShortAge } from '../lib/dates.ts'

/** How long ago something was, with the exact time on hover. It stays true while it is looked at. */
export function Age({ instant, short = false }: { instant: string; short?: boolean }) {
  // Only what the words are is watched, so of a long list only those rows are drawn again whose words change.
  const words = useSyncExternalStore(onTick, () => (short ? formatShortAge : formatAge)(instant))
  return (
    <time dateTime={instant} title={formatDate(instant)}>
      {words}
    </time>
  )
}

const tick = 10_000
const listeners = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined

/** One timer for all. */
function onTick(listener: () => void) {
  listeners.add(listener)
  timer ??= setInterval(() => {
    for (const listener of listeners) listener()
  }, tick)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}
