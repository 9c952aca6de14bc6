import { useEffect, useRef } from 'react'
import { hasSingleKeys, isMac, isTypingIn, type Meaning, meaningOf } from './keys.ts'

/** What happens at the keys of the product. Whoever returns false had nothing to do, and the key stays what it is. */
export function useKeys(actions: Record<Meaning, () => boolean>): void {
  const latest = useRef(actions)
  useEffect(() => {
    latest.current = actions
  })
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const circumstances = {
        isMac,
        isTyping: isTypingIn(event.target),
        hasDialog: document.querySelector('dialog:modal') !== null,
        singleKeys: hasSingleKeys(),
      }
      const meaning = meaningOf(event, circumstances)
      if (meaning && latest.current[meaning]()) event.preventDefault()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
}
