import { useRef } from 'react'

export interface RowSelection {
  nothingToSelect: boolean
  all: boolean
  some: boolean
  has: (key: string) => boolean
  toggle: (key: string, range: boolean) => void
  toggleAll: () => void
}

/** Manages row selection by checkboxes. Shift selects the range from the last toggled row; all rows in it get the new state of the clicked row. */
export function useRowSelection(
  keys: readonly string[],
  selected: ReadonlySet<string> | undefined,
  onSelect: ((next: Set<string>) => void) | undefined,
): RowSelection | undefined {
  const lastToggled = useRef<string>(undefined)
  if (!selected || !onSelect) return undefined
  const all = keys.length > 0 && keys.every((key) => selected.has(key))

  const change = (changed: readonly string[], on: boolean) => {
    const next = new Set(selected)
    for (const key of changed) on ? next.add(key) : next.delete(key)
    onSelect(next)
  }

  return {
    nothingToSelect: keys.length === 0,
    all,
    some: keys.some((key) => selected.has(key)),
    has: (key) => selected.has(key),
    toggle: (key, range) => {
      const from = range && lastToggled.current !== undefined ? keys.indexOf(lastToggled.current) : -1
      const to = keys.indexOf(key)
      lastToggled.current = key
      change(from === -1 ? [key] : keys.slice(Math.min(from, to), Math.max(from, to) + 1), !selected.has(key))
    },
    toggleAll: () => change(keys, !all),
  }
}
