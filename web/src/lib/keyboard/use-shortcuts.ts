import { useEffect, useRef } from 'react'
import { getShortcut, hasSingleKeys, isMac, isTypingIn, type Shortcut } from './shortcuts.ts'

/** Runs an action for each shortcut. If the action returns false, the key keeps its default behavior. */
export function useShortcuts(actions: Record<Shortcut, () => boolean>): void {
  const latest = useRef(actions)
  useEffect(() => {
    latest.current = actions
  })
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const context = {
        isMac,
        isTyping: isTypingIn(event.target),
        hasDialog: document.querySelector('dialog:modal') !== null,
        hasSingleKeys: hasSingleKeys(),
      }
      const shortcut = getShortcut(event, context)
      if (shortcut && latest.current[shortcut]()) event.preventDefault()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
}
