import { useRef } from 'react'

export interface RowSelection {
  nothingToSelect: boolean
  all: boolean
  some: boolean
  has: (key: string) => boolean
  toggle: (key: string, range: boolean) => void
  toggleAll: () => void
}

/** What the checkboxes of a table mean. A range runs from the row touched last, and takes the state the row now gets. */
export function useRowSelection(
  keys: readonly string[],
  selected: ReadonlySet<string> | undefined,
  onSelect: ((next: Set<string>) => void) | undefined,
): RowSelection | undefined {
  const last = useRef<string>(undefined)
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
      const from = range && last.current !== undefined ? keys.indexOf(last.current) : -1
      const to = keys.indexOf(key)
      last.current = key
      change(from === -1 ? [key] : keys.slice(Math.min(from, to), Math.max(from, to) + 1), !selected.has(key))
    },
    toggleAll: () => change(keys, !all),
  }
}
