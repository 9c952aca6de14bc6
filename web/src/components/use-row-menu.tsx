import { type KeyboardEvent, type MouseEvent, type PointerEvent, useCallback, useEffect, useRef, useState } from 'react'
import { classNames } from './class-names.ts'
import css from './menu.module.css'
import { type MenuItem, MenuPanel } from './menu-panel.tsx'
import type { Anchor } from './place.ts'

const c = classNames(css)

export interface RowMenu {
  label: string
  items: readonly (MenuItem | 'separator')[]
}

/** How long a finger rests on something that it means to ask about, and how far it may slip meanwhile. */
const press = { time: 500, slip: 10 }

interface Opened {
  row: string
  /** When: each time it is another menu, though of the same row. */
  at: number
  anchor: { current: Anchor }
}

/**
 * The menu of a row or a tile where it was asked for: by the right button, a long press, or the menu key. One for the whole list. With
 * Shift, and on text that is selected, the browser's own comes.
 */
export function useRowMenu(menuOf: ((row: string) => RowMenu | undefined) | undefined) {
  const [opened, setOpened] = useState<Opened>()
  const menu = opened && menuOf?.(opened.row)
  const show = useCallback((row: HTMLElement, anchor: Anchor) => {
    setOpened({ row: row.dataset['row'] ?? '', at: performance.now(), anchor: { current: anchor } })
  }, [])
  const longPress = useLongPress(show)
  const isForText = useRef(false)
  const close = useCallback(
    ({ returnFocus }: { returnFocus: boolean }) => {
      if (returnFocus && opened) openerOf(opened.row)?.focus({ preventScroll: true })
      setOpened(undefined)
    },
    [opened],
  )

  const handlers = {
    onContextMenu: (event: MouseEvent) => {
      const row = rowOf(event.target)
      if (!row || event.shiftKey || isForText.current) return
      event.preventDefault()
      // Some systems send this for a long press themselves.
      if ('pointerType' in event.nativeEvent && event.nativeEvent.pointerType === 'touch') swallowClick()
      show(row, pointAt(event))
    },
    onKeyDown: (event: KeyboardEvent) => {
      const row = rowOf(event.target)
      if (!row || !(event.key === 'ContextMenu' || (event.key === 'F10' && event.shiftKey))) return
      event.preventDefault()
      show(row, event.target as HTMLElement)
    },
    onPointerDown: (event: PointerEvent) => {
      // Some browsers select the word under the right button, so what counts is what was selected before.
      isForText.current = isOnSelection(event.target)
      longPress(event)
    },
  }
  return {
    className: menuOf ? c('rows') : '',
    handlers: menuOf && handlers,
    panel: menu && <MenuPanel key={opened.at} {...menu} align="start" anchor={opened.anchor} close={close} />,
  }
}

/** A finger that rests opens the menu, and what it lets go of then is not pressed. */
function useLongPress(show: (row: HTMLElement, anchor: Anchor) => void) {
  const end = useRef(() => {})
  useEffect(() => () => end.current(), [])
  return (event: PointerEvent) => {
    end.current()
    const row = rowOf(event.target)
    if (!row || event.pointerType !== 'touch' || !event.isPrimary) return
    const at = { x: event.clientX, y: event.clientY }
    const over = new AbortController()
    const { signal } = over
    const timer = setTimeout(() => {
      over.abort()
      swallowClick()
      show(row, pointAt(event))
    }, press.time)
    end.current = () => {
      clearTimeout(timer)
      over.abort()
    }
    const moved = ({ clientX, clientY }: globalThis.PointerEvent) => {
      if (Math.hypot(clientX - at.x, clientY - at.y) > press.slip) end.current()
    }
    window.addEventListener('pointermove', moved, { signal })
    for (const name of ['pointerup', 'pointercancel', 'scroll', 'contextmenu']) {
      window.addEventListener(name, () => end.current(), { signal, capture: true })
    }
  }
}

/** The one that follows when the finger is lifted, if any does. */
function swallowClick() {
  const over = new AbortController()
  const { signal } = over
  const swallow = (event: Event) => {
    event.preventDefault()
    event.stopPropagation()
    over.abort()
  }
  window.addEventListener('click', swallow, { signal, capture: true })
  window.addEventListener('pointerdown', () => over.abort(), { signal, capture: true })
}

/** What is in an open menu is not on the row any more. */
const rowOf = (target: EventTarget) =>
  target instanceof Element && !target.closest('[popover]') ? target.closest<HTMLElement>('[data-row]') : null

const openerOf = (row: string) => document.querySelector<HTMLElement>(`[data-row="${CSS.escape(row)}"] [data-opener]`)

/** Of what is selected people want the browser's menu, to copy it. */
function isOnSelection(target: EventTarget): boolean {
  const selection = getSelection()
  return selection?.type === 'Range' && target instanceof Node && selection.containsNode(target, true)
}

/** Where the pointer is, which is as large as a point. */
function pointAt({ clientX, clientY }: Pick<MouseEvent, 'clientX' | 'clientY'>): Anchor {
  const point = new DOMRect(clientX, clientY)
  return { getBoundingClientRect: () => point }
}
