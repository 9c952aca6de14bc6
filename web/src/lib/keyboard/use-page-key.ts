import { useEffect, useRef } from 'react'
import { isForPage } from './shortcuts.ts'

/**
 * Runs an action for a key press anywhere on the page, except in text fields, dialogs and menus. Runs before the handlers of rows, so
 * that a key acts on the selection rather than on the focused row. Without an action, the key keeps its default behavior.
 */
export function usePageKey(isKey: (event: KeyboardEvent) => boolean, action: (() => void) | undefined): void {
  const latest = useRef({ isKey, action })
  useEffect(() => {
    latest.current = { isKey, action }
  })
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const { isKey, action } = latest.current
      if (!action || !isForPage(event) || !isKey(event)) return
      event.preventDefault()
      action()
    }
    document.addEventListener('keydown', onKey, true)
    return () => document.removeEventListener('keydown', onKey, true)
  }, [])
}
