import { useRef } from 'react'

export interface RowSelection {
  /** Whether there are no rows to select. */
  isEmptyList: boolean
  hasAll: boolean
  hasSome: boolean
  has: (key: string) => boolean
  toggle: (key: string, isRange: boolean) => void
  toggleAll: () => void
}

/**
 * Manages row selection by checkboxes. A click with Shift gives all rows from the last toggled one to the clicked one the new
 * state of the clicked row.
 */
export function useRowSelection(
  keys: readonly string[],
  selected: ReadonlySet<string> | undefined,
  onSelect: ((next: Set<string>) => void) | undefined,
): RowSelection | undefined {
  const lastToggled = useRef<string>(undefined)
  if (!selected || !onSelect) return undefined
  const hasAll = keys.length > 0 && keys.every((key) => selected.has(key))

  const change = (changed: readonly string[], isSelected: boolean) => {
    const next = new Set(selected)
    for (const key of changed) isSelected ? next.add(key) : next.delete(key)
    onSelect(next)
  }

  return {
    isEmptyList: keys.length === 0,
    hasAll,
    hasSome: keys.some((key) => selected.has(key)),
    has: (key) => selected.has(key),
    toggle: (key, isRange) => {
      const from = isRange && lastToggled.current !== undefined ? keys.indexOf(lastToggled.current) : -1
      const to = keys.indexOf(key)
      lastToggled.current = key
      change(from === -1 ? [key] : keys.slice(Math.min(from, to), Math.max(from, to) + 1), !selected.has(key))
    },
    toggleAll: () => change(keys, !hasAll),
  }
}
