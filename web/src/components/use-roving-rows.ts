import { type FocusEvent, type KeyboardEvent, useState } from 'react'

/** One row of a table is in the tab order; arrows, Home and End move from there. */
export function useRovingRows(count: number) {
  const [at, setAt] = useState(0)
  return {
    current: Math.min(at, Math.max(count - 1, 0)),
    body: {
      onFocus: ({ target, currentTarget }: FocusEvent<HTMLElement>) => {
        const index = rowsOf(currentTarget).findIndex((row) => row.contains(target))
        if (index !== -1) setAt(index)
      },
      onKeyDown: (event: KeyboardEvent<HTMLElement>) => {
        const rows = rowsOf(event.currentTarget)
        const from = rows.indexOf(event.target as HTMLElement)
        const to = { ArrowDown: from + 1, ArrowUp: from - 1, Home: 0, End: rows.length - 1 }[event.key]
        if (from === -1 || to === undefined) return
        event.preventDefault()
        rows[to]?.focus()
      },
    },
  }
}

const rowsOf = (body: HTMLElement) => [...body.querySelectorAll<HTMLElement>(':scope > tr')]
