import { type FocusEvent, type KeyboardEvent, type RefObject, useLayoutEffect, useRef, useState } from 'react'

/** Of the buttons that open rows one is in the tab order; arrows, Home and End move from there, also to rows that are not drawn yet. */
export function useRovingRows(keys: readonly string[], table: RefObject<HTMLElement | null>) {
  const [at, setAt] = useState<string>()
  const isMoving = useRef(false)
  const current = at !== undefined && keys.includes(at) ? at : keys[0]

  // The row is there now.
  useLayoutEffect(() => {
    if (!isMoving.current || current === undefined) return
    isMoving.current = false
    table.current?.querySelector<HTMLElement>(`[data-row="${CSS.escape(current)}"] [data-opener]`)?.focus()
  })

  return {
    current,
    body: {
      onFocus: ({ target }: FocusEvent<HTMLElement>) => {
        const key = keyOf(target)
        if (key !== undefined) setAt(key)
      },
      onKeyDown: (event: KeyboardEvent<HTMLElement>) => {
        if (!(event.target as HTMLElement).matches('[data-opener]')) return
        const from = keys.indexOf(keyOf(event.target as HTMLElement) ?? '')
        const to = { ArrowDown: from + 1, ArrowUp: from - 1, Home: 0, End: keys.length - 1 }[event.key]
        if (from === -1 || to === undefined) return
        event.preventDefault()
        if (keys[to] === undefined) return
        isMoving.current = true
        setAt(keys[to])
      },
    },
  }
}

const keyOf = (element: Element) => element.closest<HTMLElement>('[data-row]')?.dataset['row']
