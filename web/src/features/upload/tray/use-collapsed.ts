import { useState } from 'react'

/**
 * Collapses the tray on small screens, and whenever all uploads are done. The user can toggle it; new uploads restore its previous state.
 */
export function useCollapsed(isDone: boolean): { isCollapsed: boolean; toggle: () => void } {
  const [isCollapsed, setCollapsed] = useState(() => window.matchMedia('(max-width: 767px)').matches)
  const [isCollapsedWhenDone, setCollapsedWhenDone] = useState(true)
  if (!isDone && !isCollapsedWhenDone) setCollapsedWhenDone(true)
  return isDone
    ? { isCollapsed: isCollapsedWhenDone, toggle: () => setCollapsedWhenDone(!isCollapsedWhenDone) }
    : { isCollapsed, toggle: () => setCollapsed(!isCollapsed) }
}
