import { type KeyboardEvent, type MouseEvent, type PointerEvent, useCallback, useEffect, useRef, useState } from 'react'
import { isRowShortcut } from '../../lib/keyboard/shortcuts.ts'
import { classNames } from '../class-names.ts'
import css from '../menu/menu.module.css'
import { type MenuItem, MenuPanel } from '../menu/menu-panel.tsx'
import type { Anchor } from '../menu/position-popover.ts'

const c = classNames(css)

export interface RowMenu {
  label: string
  items: readonly (MenuItem | 'separator')[]
}

/** The duration of a long press, and how far the finger may move meanwhile, in pixels. */
const longPressLimits = { durationMs: 500, maxMovePx: 10 }

interface OpenMenu {
  row: string
  /** The time of opening. Serves as the key of the panel, so that each menu mounts a new one. */
  openedAtMs: number
  anchor: { current: Anchor }
}

/**
 * Provides the context menu of rows or tiles, opened by right click, long press, the menu key or Shift+F10. Also runs the shortcuts of its
 * items. One instance serves the whole list. A right click with Shift or on selected text opens the browser's own menu instead.
 */
export function useRowMenu(getMenu: ((row: string) => RowMenu | undefined) | undefined) {
  const [openMenu, setOpenMenu] = useState<OpenMenu>()
  const menu = openMenu && getMenu?.(openMenu.row)
  const show = useCallback((row: HTMLElement, anchor: Anchor) => {
    setOpenMenu({ row: row.dataset['row'] ?? '', openedAtMs: performance.now(), anchor: { current: anchor } })
  }, [])
  const watchLongPress = useLongPress(show)
  const isOnSelectedText = useRef(false)
  const close = useCallback(
    ({ returnFocus }: { returnFocus: boolean }) => {
      if (returnFocus && openMenu) getOpener(openMenu.row)?.focus({ preventScroll: true })
      setOpenMenu(undefined)
    },
    [openMenu],
  )

  const handlers = {
    onContextMenu: (event: MouseEvent) => {
      const row = getRow(event.target)
      if (!row || event.shiftKey || isOnSelectedText.current) return
      event.preventDefault()
      // Some systems fire contextmenu for a long press.
      if ('pointerType' in event.nativeEvent && event.nativeEvent.pointerType === 'touch') discardNextClick()
      show(row, createPointAnchor(event))
    },
    onKeyDown: (event: KeyboardEvent) => {
      const row = getRow(event.target)
      if (!row || event.defaultPrevented) return
      if (event.key === 'ContextMenu' || (event.key === 'F10' && event.shiftKey)) {
        event.preventDefault()
        show(row, event.target as HTMLElement)
        return
      }
      const item = findByShortcut(getMenu?.(row.dataset['row'] ?? ''), event)
      if (!item) return
      event.preventDefault()
      item.onSelect()
    },
    onPointerDown: (event: PointerEvent) => {
      // Some browsers select the word under a right click, so this checks the selection before it.
      isOnSelectedText.current = isInSelection(event.target)
      watchLongPress(event)
    },
  }
  return {
    className: getMenu ? c('rows') : '',
    handlers: getMenu && handlers,
    panel: menu && <MenuPanel key={openMenu.openedAtMs} {...menu} align="start" anchor={openMenu.anchor} close={close} />,
  }
}

/** Returns a handler that opens the menu when the press becomes a long press, and discards the click that follows. */
function useLongPress(show: (row: HTMLElement, anchor: Anchor) => void) {
  const endPress = useRef(() => {})
  useEffect(() => () => endPress.current(), [])
  return (event: PointerEvent) => {
    endPress.current()
    const row = getRow(event.target)
    if (!row || event.pointerType !== 'touch' || !event.isPrimary) return
    const start = { x: event.clientX, y: event.clientY }
    const controller = new AbortController()
    const { signal } = controller
    const timer = setTimeout(() => {
      controller.abort()
      discardNextClick()
      show(row, createPointAnchor(event))
    }, longPressLimits.durationMs)
    endPress.current = () => {
      clearTimeout(timer)
      controller.abort()
    }
    const endIfMoved = ({ clientX, clientY }: globalThis.PointerEvent) => {
      if (Math.hypot(clientX - start.x, clientY - start.y) > longPressLimits.maxMovePx) endPress.current()
    }
    window.addEventListener('pointermove', endIfMoved, { signal })
    for (const name of ['pointerup', 'pointercancel', 'scroll', 'contextmenu']) {
      window.addEventListener(name, () => endPress.current(), { signal, capture: true })
    }
  }
}

/** Discards the click that may follow when the finger is lifted. */
function discardNextClick() {
  const controller = new AbortController()
  const { signal } = controller
  const discard = (event: Event) => {
    event.preventDefault()
    event.stopPropagation()
    controller.abort()
  }
  window.addEventListener('click', discard, { signal, capture: true })
  window.addEventListener('pointerdown', () => controller.abort(), { signal, capture: true })
}

/** Finds the menu item whose shortcut was pressed. */
function findByShortcut(menu: RowMenu | undefined, press: KeyboardEvent): MenuItem | undefined {
  return menu?.items
    .filter((item) => item !== 'separator')
    .find(({ shortcut, disabledReason }) => shortcut && disabledReason === undefined && isRowShortcut(press, shortcut))
}

/** Returns the row of an event target. Ignores targets in an open menu. */
const getRow = (target: EventTarget) =>
  target instanceof Element && !target.closest('[popover]') ? target.closest<HTMLElement>('[data-row]') : null

const getOpener = (row: string) => document.querySelector<HTMLElement>(`[data-row="${CSS.escape(row)}"] [data-opener]`)

/** Returns whether the target is in selected text. There, users want the browser's menu, to copy the text. */
function isInSelection(target: EventTarget): boolean {
  const selection = getSelection()
  return selection?.type === 'Range' && target instanceof Node && selection.containsNode(target, true)
}

/** Creates an anchor at the pointer. */
function createPointAnchor({ clientX, clientY }: Pick<MouseEvent, 'clientX' | 'clientY'>): Anchor {
  const point = new DOMRect(clientX, clientY)
  return { getBoundingClientRect: () => point }
}
