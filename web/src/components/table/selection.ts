/** The selected rows of a list, and the row that a range starts from. */
export interface Selection {
  readonly selected: ReadonlySet<string>
  readonly anchor: string | undefined
}

/** How a row was pressed. `plain`: without a modifier. `toggle`: with Control or Command. `range`: with Shift. `add-range`: with both. */
export type Press = 'plain' | 'toggle' | 'range' | 'add-range'

export const emptySelection: Selection = { selected: new Set(), anchor: undefined }

/** Returns how a click or key press selects. */
export function getPress({ shiftKey, ctrlKey, metaKey }: Pick<MouseEvent, 'shiftKey' | 'ctrlKey' | 'metaKey'>): Press {
  if (shiftKey) return ctrlKey || metaKey ? 'add-range' : 'range'
  return ctrlKey || metaKey ? 'toggle' : 'plain'
}

/** Returns the selection after a press on a row, as in file managers. `keys` are all rows in their order. */
export function pressRow(selection: Selection, keys: readonly string[], key: string, press: Press): Selection {
  const { selected, anchor } = selection
  if (press === 'plain') return { selected: new Set([key]), anchor: key }
  if (press === 'toggle') return { selected: addOrRemove(selected, [key], !selected.has(key)), anchor: key }
  const range = getRange(keys, anchor, key)
  return { selected: press === 'range' ? new Set(range) : addOrRemove(selected, range, true), anchor: anchor ?? key }
}

/** Returns the selection after a press on a row’s checkbox. With Shift, all rows from the anchor get the new state of this one. */
export function checkRow(selection: Selection, keys: readonly string[], key: string, isRange: boolean): Selection {
  const { selected, anchor } = selection
  const changed = isRange ? getRange(keys, anchor, key) : [key]
  return { selected: addOrRemove(selected, changed, !selected.has(key)), anchor: key }
}

/** Selects all rows, or none if all are selected. Rows that are not in the list keep their state. */
export function toggleAll({ selected, anchor }: Selection, keys: readonly string[]): Selection {
  return { selected: addOrRemove(selected, keys, !keys.every((key) => selected.has(key))), anchor }
}

/** Returns the selection with these rows added or removed. */
function addOrRemove(selected: ReadonlySet<string>, keys: readonly string[], isSelected: boolean): Set<string> {
  const next = new Set(selected)
  for (const key of keys) isSelected ? next.add(key) : next.delete(key)
  return next
}

/** Returns the rows between two rows, both included. An anchor that is gone counts as the row itself. */
function getRange(keys: readonly string[], anchor: string | undefined, key: string): readonly string[] {
  const to = keys.indexOf(key)
  const from = anchor === undefined ? -1 : keys.indexOf(anchor)
  return from === -1 || to === -1 ? [key] : keys.slice(Math.min(from, to), Math.max(from, to) + 1)
}

/**
 * Finds the row that starts with the typed characters, after the current one. A single repeated character moves through the rows
 * that start with it.
 */
export function findByName(names: readonly string[], currentIndex: number, typed: string): number | undefined {
  const isRepeated = [...typed].every((character) => character === typed[0])
  const prefix = (isRepeated ? typed.slice(0, 1) : typed).toLocaleLowerCase()
  const start = isRepeated ? currentIndex + 1 : Math.max(currentIndex, 0)
  for (let step = 0; step < names.length; step++) {
    const index = (start + step) % names.length
    if (names[index]?.toLocaleLowerCase().startsWith(prefix)) return index
  }
  return undefined
}
