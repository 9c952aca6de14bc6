import { type KeyboardEvent, useRef } from 'react'

/**
 * For a list whose rows open by Enter: Space looks at one instead, as file managers do. On the way up, so that the key which opens a
 * view does not press what has the focus in it.
 */
export function usePeek(onPeek: (row: string) => void) {
  const pressed = useRef<EventTarget>(undefined)
  const rowOf = ({ key, target }: KeyboardEvent) => {
    const isOnOpener = key === ' ' && target instanceof Element && target.matches('[data-opener]:not([aria-disabled])')
    return isOnOpener ? target.closest<HTMLElement>('[data-row]')?.dataset['row'] : undefined
  }
  return {
    onKeyDown: (event: KeyboardEvent) => {
      if (rowOf(event) === undefined) return
      event.preventDefault()
      pressed.current = event.target
    },
    onKeyUp: (event: KeyboardEvent) => {
      const row = rowOf(event)
      if (row === undefined) return
      event.preventDefault() // in Firefox this is what would press the button
      if (pressed.current === event.target) onPeek(row)
      pressed.current = undefined
    },
  }
}
