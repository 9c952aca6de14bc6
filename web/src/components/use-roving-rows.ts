import { type FocusEvent, type KeyboardEvent, useState } from 'react'

/** Of the buttons that open rows one is in the tab order; arrows, Home and End move from there. */
export function useRovingRows(count: number) {
  const [at, setAt] = useState(0)
  return {
    current: Math.min(at, Math.max(count - 1, 0)),
    body: {
      onFocus: ({ target, currentTarget }: FocusEvent<HTMLElement>) => {
        const index = openersOf(currentTarget).findIndex((opener) => opener.closest('tr')?.contains(target))
        if (index !== -1) setAt(index)
      },
      onKeyDown: (event: KeyboardEvent<HTMLElement>) => {
        const openers = openersOf(event.currentTarget)
        const from = openers.indexOf(event.target as HTMLElement)
        const to = { ArrowDown: from + 1, ArrowUp: from - 1, Home: 0, End: openers.length - 1 }[event.key]
        if (from === -1 || to === undefined) return
        event.preventDefault()
        openers[to]?.focus()
      },
    },
  }
}

const openersOf = (body: HTMLElement) => [...body.querySelectorAll<HTMLElement>('[data-opener]')]
