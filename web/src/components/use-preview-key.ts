import { type KeyboardEvent, useRef } from 'react'

/**
 * Previews a row with Space, as file managers do, in a list whose rows open with Enter. Acts on keyup, so that the same key press
 * does not activate the focused control of the preview.
 */
export function usePreviewKey(onPreview: (row: string) => void) {
  const pressed = useRef<EventTarget>(undefined)
  const getRow = ({ key, target }: KeyboardEvent) => {
    const isOnOpener = key === ' ' && target instanceof Element && target.matches('[data-opener]:not([aria-disabled])')
    return isOnOpener ? target.closest<HTMLElement>('[data-row]')?.dataset['row'] : undefined
  }
  return {
    onKeyDown: (event: KeyboardEvent) => {
      if (getRow(event) === undefined) return
      // With Shift or Control, Space selects the row.
      pressed.current = event.defaultPrevented ? undefined : event.target
      event.preventDefault()
    },
    onKeyUp: (event: KeyboardEvent) => {
      const row = getRow(event)
      if (row === undefined) return
      event.preventDefault() // Firefox activates the button on keyup
      if (pressed.current === event.target) onPreview(row)
      pressed.current = undefined
    },
  }
}
