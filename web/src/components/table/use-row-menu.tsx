import { type KeyboardEvent, type MouseEvent, type PointerEvent, useCallback, useEffect, useRef, useState } from 'react'
import { classNames } from '../class-names.ts'
import css from '../menu/menu.module.css'
import { type MenuItem, MenuPanel } from '../menu/menu-panel.tsx'
import type { Anchor } from '../menu/place.ts'

const c = classNames(css)

export interface RowMenu {
  label: string
  items: readonly (MenuItem | 'separator')[]
}

/** The duration of a long press, and how far the finger may move meanwhile, in pixels. */
const longPressLimits = { durationMs: 500, maxMovePx: 10 }

interface Opened {
  row: string
  /** The time of opening, which makes each menu distinct. */
  at: number
  anchor: { current: Anchor }
}

/**
 * Provides the context menu of rows or tiles, opened by right click, long press or menu key. One instance serves the whole list. With Shift,
 * and on selected text, the browser's own menu opens instead.
 */
export function useRowMenu(menuOf: ((row: string) => RowMenu | undefined) | undefined) {
  const [opened, setOpened] = useState<Opened>()
  const menu = opened && menuOf?.(opened.row)
  const show = useCallback((row: HTMLElement, anchor: Anchor) => {
    setOpened({ row: row.dataset['row'] ?? '', at: performance.now(), anchor: { current: anchor } })
  }, [])
  const longPress = useLongPress(show)
  const isOnText = useRef(false)
  const close = useCallback(
    ({ returnFocus }: { returnFocus: boolean }) => {
      if (returnFocus && opened) getOpener(opened.row)?.focus({ preventScroll: true })
      setOpened(undefined)
    },
    [opened],
  )

  const handlers = {
    onContextMenu: (event: MouseEvent) => {
      const row = getRow(event.target)
      if (!row || event.shiftKey || isOnText.current) return
      event.preventDefault()
      // Some systems fire contextmenu for a long press.
      if ('pointerType' in event.nativeEvent && event.nativeEvent.pointerType === 'touch') discardNextClick()
      show(row, pointAt(event))
    },
    onKeyDown: (event: KeyboardEvent) => {
      const row = getRow(event.target)
      if (!row || !(event.key === 'ContextMenu' || (event.key === 'F10' && event.shiftKey))) return
      event.preventDefault()
      show(row, event.target as HTMLElement)
    },
    onPointerDown: (event: PointerEvent) => {
      // Some browsers select the word under a right click, so this checks the selection before it.
      isOnText.current = isOnSelection(event.target)
      longPress(event)
    },
  }
  return {
    className: menuOf ? c('rows') : '',
    handlers: menuOf && handlers,
    panel: menu && <MenuPanel key={opened.at} {...menu} align="start" anchor={opened.anchor} close={close} />,
  }
}

/** Opens the menu on a long press, and discards the click that follows. */
function useLongPress(show: (row: HTMLElement, anchor: Anchor) => void) {
  const end = useRef(() => {})
  useEffect(() => () => end.current(), [])
  return (event: PointerEvent) => {
    end.current()
    const row = getRow(event.target)
    if (!row || event.pointerType !== 'touch' || !event.isPrimary) return
    const at = { x: event.clientX, y: event.clientY }
    const controller = new AbortController()
    const { signal } = controller
    const timer = setTimeout(() => {
      controller.abort()
      discardNextClick()
      show(row, pointAt(event))
    }, longPressLimits.durationMs)
    end.current = () => {
      clearTimeout(timer)
      controller.abort()
    }
    const moved = ({ clientX, clientY }: globalThis.PointerEvent) => {
      if (Math.hypot(clientX - at.x, clientY - at.y) > longPressLimits.maxMovePx) end.current()
    }
    window.addEventListener('pointermove', moved, { signal })
    for (const name of ['pointerup', 'pointercancel', 'scroll', 'contextmenu']) {
      window.addEventListener(name, () => end.current(), { signal, capture: true })
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

/** Returns the row of an event target. Ignores targets in an open menu. */
const getRow = (target: EventTarget) =>
  target instanceof Element && !target.closest('[popover]') ? target.closest<HTMLElement>('[data-row]') : null

const getOpener = (row: string) => document.querySelector<HTMLElement>(`[data-row="${CSS.escape(row)}"] [data-opener]`)

/** Whether the target is in selected text, for which users want the browser's menu, to copy it. */
function isOnSelection(target: EventTarget): boolean {
  const selection = getSelection()
  return selection?.type === 'Range' && target instanceof Node && selection.containsNode(target, true)
}

/** Creates an anchor at the pointer. */
function pointAt({ clientX, clientY }: Pick<MouseEvent, 'clientX' | 'clientY'>): Anchor {
  const point = new DOMRect(clientX, clientY)
  return { getBoundingClientRect: () => point }
}
