import { type FocusEvent, type KeyboardEvent, type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'

/**
 * Manages a roving tabindex: one row's button is in the tab order. The arrow keys, Home and End move the focus to other rows,
 * even to those not rendered yet. A change of `requestedKey` makes its row the one in the tab order.
 */
export function useRovingRows(keys: readonly string[], table: RefObject<HTMLElement | null>, requestedKey?: string) {
  const [focusedKey, setFocusedKey] = useState<string>()
  const isMoving = useRef(false)
  useEffect(() => {
    if (requestedKey !== undefined) setFocusedKey(requestedKey)
  }, [requestedKey])
  const current = focusedKey !== undefined && keys.includes(focusedKey) ? focusedKey : keys[0]

  // Focuses the row once it is rendered.
  useLayoutEffect(() => {
    if (!isMoving.current || current === undefined) return
    isMoving.current = false
    table.current?.querySelector<HTMLElement>(`[data-row="${CSS.escape(current)}"] [data-opener]`)?.focus()
  })

  /** Moves the focus to a row. */
  const focus = (key: string) => {
    isMoving.current = true
    setFocusedKey(key)
  }

  return {
    current,
    focus,
    handlers: {
      onFocus: ({ target }: FocusEvent<HTMLElement>) => {
        const key = getRowKey(target)
        if (key !== undefined) setFocusedKey(key)
      },
      onKeyDown: (event: KeyboardEvent<HTMLElement>) => {
        if (!(event.target as HTMLElement).matches('[data-opener]')) return
        const from = keys.indexOf(getRowKey(event.target as HTMLElement) ?? '')
        const to = { ArrowDown: from + 1, ArrowUp: from - 1, Home: 0, End: keys.length - 1 }[event.key]
        if (from === -1 || to === undefined) return
        event.preventDefault()
        if (keys[to] !== undefined) focus(keys[to])
      },
    },
  }
}

const getRowKey = (element: Element) => element.closest<HTMLElement>('[data-row]')?.dataset['row']
