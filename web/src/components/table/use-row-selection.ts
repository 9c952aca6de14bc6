import { type FocusEvent, type KeyboardEvent, type MouseEvent, type RefObject, useEffect, useLayoutEffect, useRef } from 'react'
import { isForPage } from '../../lib/keyboard/shortcuts.ts'
import { useLatest } from '../use-latest.ts'
import { checkRow, emptySelection, findByName, getPress, pressRow, type Selection, toggleAll } from './selection.ts'

export interface RowSelection {
  /** Whether there are no rows to select. */
  isEmptyList: boolean
  hasAll: boolean
  hasSome: boolean
  has: (key: string) => boolean
  toggle: (key: string, isRange: boolean) => void
  toggleAll: () => void
}

interface Options {
  /** The keys of all rows, in their order. */
  keys: readonly string[]
  /** The name of each row, for finding rows by typing. */
  names: readonly string[]
  selected: ReadonlySet<string> | undefined
  onSelect: ((next: Set<string>) => void) | undefined
  /** Selects all rows, including those not loaded yet. By default, selects those in the list. */
  onSelectAll?: (() => void) | undefined
  /** Whether a click on a row, outside its controls, selects the row. False if it opens the row. */
  selectsOnClick: boolean
  /** Moves the focus to a row, even if it is not rendered yet. */
  focusRow: (key: string) => void
}

/**
 * Manages the selection of rows or tiles, as file managers do: by checkbox, with Control- and Shift-click, with Shift and the arrow keys,
 * Control+Space and Control+A. Escape clears it, and typing a name finds its row. On touch screens, a tap selects while something is
 * selected. Spread `handlers` on an element around the rows, which carry `data-row`.
 */
export function useRowSelection(options: Options) {
  const { keys, selected, onSelect } = options
  // Up to date even between a key press and the next render, because the focus moves immediately.
  const state = useRef<Selection>(emptySelection)
  useLayoutEffect(() => {
    if (!selected || state.current.selected === selected) return
    // Clearing the selection also ends the range.
    state.current = { selected, anchor: selected.size > 0 ? state.current.anchor : undefined }
  }, [selected])
  const latest = useLatest(options)
  const apply = (next: Selection) => {
    const changed = new Set(next.selected)
    state.current = { selected: changed, anchor: next.anchor }
    onSelect?.(changed)
  }
  useSelectionKeys(latest)
  const handlers = useSelectionHandlers(latest, () => state.current, apply)
  const typeAhead = useTypeAhead(latest)
  if (!selected || !onSelect) return { selection: undefined, handlers: { onKeyDown: typeAhead } }

  const selection: RowSelection = {
    isEmptyList: keys.length === 0,
    hasAll: keys.length > 0 && keys.every((key) => selected.has(key)),
    hasSome: keys.some((key) => selected.has(key)),
    has: (key) => selected.has(key),
    toggle: (key, isRange) => apply(checkRow(state.current, keys, key, isRange)),
    toggleAll: () => {
      const isAll = keys.every((key) => selected.has(key))
      if (!isAll && options.onSelectAll) options.onSelectAll()
      else apply(toggleAll(state.current, keys))
    },
  }
  return {
    selection,
    handlers: {
      ...handlers,
      onKeyDown: (event: KeyboardEvent) => {
        handlers.onKeyDown(event)
        if (!event.defaultPrevented) typeAhead(event)
      },
    },
  }
}

type Latest = RefObject<Options>

/** Selects all rows with Control+A, and none with Escape, unless a dialog, a menu or a field has the focus. */
function useSelectionKeys(latest: Latest) {
  useEffect(() => {
    const onKey = (event: globalThis.KeyboardEvent) => {
      const { keys, selected, onSelect, onSelectAll } = latest.current
      if (!selected || !onSelect || !isForPage(event)) return
      if (event.key === 'Escape' && selected.size > 0) {
        event.preventDefault()
        onSelect(new Set())
      }
      if (event.key.toLowerCase() === 'a' && (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey) {
        event.preventDefault()
        if (onSelectAll) onSelectAll()
        else onSelect(new Set(keys))
      }
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [latest])
}

/** Selects by clicks, and extends the selection to the row that gets the focus by Shift and an arrow key. */
function useSelectionHandlers(latest: Latest, read: () => Selection, apply: (next: Selection) => void) {
  const isExtending = useRef(false)
  return {
    onClickCapture: (event: MouseEvent) => {
      const { keys, selectsOnClick } = latest.current
      const key = getRowKey(event.target)
      if (key === undefined || !keys.includes(key)) return
      const press = getPress(event)
      const isOnOpener = (event.target as Element).closest('[data-opener]') !== null
      if (!isOnOpener && isOnControl(event.target)) return
      const isTap = isTouch(event) && press === 'plain'
      if (isTap ? read().selected.size === 0 : press === 'plain' && (isOnOpener || !selectsOnClick)) return
      if (press === 'plain' && getSelection()?.type === 'Range') return // text was selected
      event.preventDefault()
      event.stopPropagation()
      apply(pressRow(read(), keys, key, isTap ? 'toggle' : press))
    },
    /** Shift-click would select the text between the rows. */
    onMouseDown: (event: MouseEvent) => {
      if (event.shiftKey && getRowKey(event.target) !== undefined && !isOnControl(event.target, 'input')) event.preventDefault()
    },
    onKeyDown: (event: KeyboardEvent) => {
      const { keys } = latest.current
      const key = getRowKey(event.target)
      if (key === undefined || !(event.target as Element).matches('[data-opener]')) return
      isExtending.current = event.shiftKey && /^(Arrow(Up|Down|Left|Right)|Home|End)$/.test(event.key)
      if (isExtending.current && read().anchor === undefined) apply({ selected: new Set([key]), anchor: key })
      if (event.key !== ' ' || !(event.shiftKey || event.ctrlKey || event.metaKey)) return
      event.preventDefault()
      apply(pressRow(read(), keys, key, 'toggle'))
    },
    onFocus: ({ target }: FocusEvent) => {
      const key = getRowKey(target)
      if (!isExtending.current || key === undefined) return
      isExtending.current = false
      apply(pressRow(read(), latest.current.keys, key, 'range'))
    },
  }
}

/** How long a typed character waits for the next one. */
const typeAheadMs = 700

/** Returns a key handler that moves the focus to the row whose name starts with the typed characters. */
function useTypeAhead(latest: Latest) {
  const typed = useRef({ text: '', atMs: 0 })
  return (event: KeyboardEvent) => {
    const key = getRowKey(event.target)
    const isCharacter = [...event.key].length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey
    if (key === undefined || !isCharacter || event.nativeEvent.isComposing || !(event.target as Element).matches('[data-opener]'))
      return
    const isNew = event.timeStamp - typed.current.atMs > typeAheadMs
    // Space previews, and / and ? are shortcuts.
    if (isNew && /[\s/?]/.test(event.key)) return
    typed.current = { text: (isNew ? '' : typed.current.text) + event.key, atMs: event.timeStamp }
    event.preventDefault()
    const { keys, names, focusRow } = latest.current
    const next = keys[findByName(names, keys.indexOf(key), typed.current.text) ?? -1]
    if (next !== undefined) focusRow(next)
  }
}

const getRowKey = (target: EventTarget) =>
  target instanceof Element && !target.closest('[popover], dialog')
    ? target.closest<HTMLElement>('[data-row]')?.dataset['row']
    : undefined

const isOnControl = (target: EventTarget, selector = 'a, button, input, select, textarea, label') =>
  target instanceof Element && target.closest(selector) !== null

const isTouch = ({ nativeEvent }: MouseEvent) =>
  'pointerType' in nativeEvent && nativeEvent.pointerType !== ''
    ? nativeEvent.pointerType === 'touch'
    : matchMedia('(pointer: coarse)').matches
