import { useState } from 'react'

/** Folds the tray on small screens, and whenever everything has finished. The user can unfold it; the next uploads show it as before. */
export function useFold(isDone: boolean): { isFolded: boolean; toggle: () => void } {
  const [isFolded, setFolded] = useState(() => window.matchMedia('(max-width: 767px)').matches)
  const [isFoldedWhenDone, setFoldedWhenDone] = useState(true)
  if (!isDone && !isFoldedWhenDone) setFoldedWhenDone(true)
  return isDone
    ? { isFolded: isFoldedWhenDone, toggle: () => setFoldedWhenDone(!isFoldedWhenDone) }
    : { isFolded, toggle: () => setFolded(!isFolded) }
}
