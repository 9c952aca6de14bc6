import { type KeyboardEvent, type ReactNode, type RefObject, useEffect, useId, useLayoutEffect, useRef, useState } from 'react'
import { formatShortcut, type RowShortcut } from '../../lib/keyboard/shortcuts.ts'
import { classNames } from '../class-names.ts'
import { CheckIcon } from '../entry-icons.tsx'
import { watchPresses } from '../form/watch-presses.ts'
import css from './menu.module.css'
import { type Anchor, positionPopover } from './position-popover.ts'

const c = classNames(css)
const typeAheadMs = 600

export interface MenuItem {
  label: string
  icon?: ReactNode
  onSelect: () => void
  danger?: boolean | undefined
  disabledReason?: string | undefined
  checked?: boolean | undefined
  /** The label's language, if it differs from the page's. */
  lang?: string | undefined
  /** The key that does the same while the row that the menu belongs to has the focus. */
  shortcut?: RowShortcut | undefined
}

interface MenuPanelProps {
  label: string
  align: 'start' | 'end'
  header?: ReactNode
  items: readonly (MenuItem | 'separator')[]
  /** The element or point the menu opens next to. */
  anchor: RefObject<Anchor | null>
  close: (options: { returnFocus: boolean }) => void
}

/** An open menu in the top layer. It is mounted only while open, so that a long table with menus stays cheap. */
export function MenuPanel({ label, align, header, items, anchor, close }: MenuPanelProps) {
  const panel = useRef<HTMLDivElement>(null)
  const typed = useRef({ text: '', lastTypedAtMs: 0 })
  const shownItems = useItemsAtOpening(items)

  useLayoutEffect(() => {
    const box = panel.current
    const anchorElement = anchor.current
    if (!box || !anchorElement) return
    const reposition = () => positionPopover(anchorElement, box, { align, side: 'below' })
    box.showPopover()
    reposition()
    box.addEventListener('contextmenu', preventContextMenu)
    window.addEventListener('resize', reposition)
    document.addEventListener('scroll', reposition, true)
    const discardLatePresses = watchPresses(box)
    return () => {
      discardLatePresses()
      window.removeEventListener('resize', reposition)
      document.removeEventListener('scroll', reposition, true)
      box.hidePopover()
    }
  }, [align, anchor])

  useEffect(() => getItems(panel.current)[0]?.focus(), [])

  useEffect(() => {
    const closeOnOutsidePress = ({ target }: PointerEvent) => {
      const parts = [panel.current, anchor.current]
      const isInside = target instanceof Node && parts.some((part) => part instanceof Node && part.contains(target))
      if (!isInside) close({ returnFocus: false })
    }
    document.addEventListener('pointerdown', closeOnOutsidePress, true)
    return () => document.removeEventListener('pointerdown', closeOnOutsidePress, true)
  }, [anchor, close])

  const onKeyDown = (event: KeyboardEvent) => {
    event.stopPropagation()
    if (event.key === 'Tab') return close({ returnFocus: true })
    if (event.key === 'Escape') {
      event.preventDefault()
      return close({ returnFocus: true })
    }
    const items = getItems(panel.current)
    const currentIndex = items.indexOf(document.activeElement as HTMLElement)
    const next = getNextIndex(event.key, currentIndex, items.length) ?? findByTypeAhead(event, items, currentIndex, typed.current)
    if (next === undefined) return
    event.preventDefault()
    items[next]?.focus()
  }

  return (
    <div ref={panel} popover="manual" className={c('panel')}>
      {header && <div className={c('header')}>{header}</div>}
      <div role="menu" aria-label={label} tabIndex={-1} onKeyDown={onKeyDown}>
        {shownItems.map((item, index) =>
          item === 'separator' ? (
            // biome-ignore lint/suspicious/noArrayIndexKey: separators have no identity but their position
            <hr key={index} className={c('separator')} />
          ) : (
            <MenuPanelItem key={item.label} item={item} close={close} />
          ),
        )}
      </div>
    </div>
  )
}

/** Returns the items that a menu had when it opened, in their current state. An item added since would move the others under the pointer. */
export function useItemsAtOpening(items: MenuPanelProps['items']): MenuPanelProps['items'] {
  const [itemsAtOpening] = useState(items)
  const findCurrent = ({ label }: MenuItem) => items.find((item) => item !== 'separator' && item.label === label)
  return itemsAtOpening.map((item) => (item === 'separator' ? item : (findCurrent(item) ?? item)))
}

function MenuPanelItem({ item, close }: { item: MenuItem; close: MenuPanelProps['close'] }) {
  const id = useId()
  const isDisabled = item.disabledReason !== undefined
  const choose = () => {
    if (isDisabled) return
    close({ returnFocus: true }) // before onSelect, so that a dialog it opens returns the focus to the menu's button
    item.onSelect()
  }
  const role = item.checked === undefined ? { role: 'menuitem' } : { role: 'menuitemradio', 'aria-checked': item.checked }
  return (
    <button
      {...role}
      type="button"
      tabIndex={-1}
      className={c('item', item.danger && 'danger', isDisabled && 'disabled')}
      aria-disabled={isDisabled || undefined}
      aria-keyshortcuts={item.shortcut}
      aria-labelledby={isDisabled ? `${id}-label` : undefined}
      aria-describedby={isDisabled ? `${id}-reason` : undefined}
      onClick={choose}
      onPointerMove={(event) => event.pointerType === 'mouse' && event.currentTarget.focus({ preventScroll: true })}
    >
      {item.icon}
      <span className={c('text')}>
        <span id={`${id}-label`} lang={item.lang}>
          {item.label}
        </span>
        {isDisabled && (
          <span id={`${id}-reason`} className={c('reason')}>
            {item.disabledReason}
          </span>
        )}
      </span>
      {item.shortcut && (
        <kbd aria-hidden className={c('shortcut')}>
          {formatShortcut(item.shortcut)}
        </kbd>
      )}
      {item.checked !== undefined && <span className={c('tick')}>{item.checked && <CheckIcon size={18} />}</span>}
    </button>
  )
}

/** Prevents the browser's context menu, which some systems open after ours for the same key. */
const preventContextMenu = (event: Event) => event.preventDefault()

const getItems = (panel: HTMLElement | null) => [...(panel?.querySelectorAll<HTMLElement>('[role^=menuitem]') ?? [])]

function getNextIndex(key: string, currentIndex: number, count: number): number | undefined {
  if (key === 'ArrowDown') return (currentIndex + 1) % count
  if (key === 'ArrowUp') return (currentIndex - 1 + count) % count
  if (key === 'Home') return 0
  if (key === 'End') return count - 1
  return undefined
}

/**
 * Finds the item that starts with the typed characters. Characters typed quickly form a prefix; a single one finds the next
 * match.
 */
function findByTypeAhead(
  event: KeyboardEvent,
  items: HTMLElement[],
  currentIndex: number,
  typed: { text: string; lastTypedAtMs: number },
) {
  if (event.key.length !== 1 || event.key === ' ' || event.ctrlKey || event.metaKey || event.altKey) return undefined
  const isNewPrefix = event.timeStamp - typed.lastTypedAtMs > typeAheadMs
  typed.text = (isNewPrefix ? '' : typed.text) + event.key.toLowerCase()
  typed.lastTypedAtMs = event.timeStamp
  const start = typed.text.length === 1 ? currentIndex + 1 : currentIndex
  const offset = items.findIndex((_, step) =>
    items[(start + step) % items.length]?.textContent?.trim().toLowerCase().startsWith(typed.text),
  )
  return offset === -1 ? undefined : (start + offset) % items.length
}
