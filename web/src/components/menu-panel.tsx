import { type KeyboardEvent, type ReactNode, type RefObject, useEffect, useId, useLayoutEffect, useRef } from 'react'
import { classNames } from './class-names.ts'
import { CheckIcon } from './icons.tsx'
import { watchPresses } from './late-presses.ts'
import css from './menu.module.css'
import { type Anchor, place } from './place.ts'

const c = classNames(css)
const typingPause = 600

export interface MenuItem {
  label: string
  icon?: ReactNode
  onSelect: () => void
  danger?: boolean | undefined
  disabledReason?: string | undefined
  checked?: boolean | undefined
  /** Of the label, where it is not that of the page. */
  lang?: string | undefined
}

interface MenuPanelProps {
  label: string
  align: 'start' | 'end'
  header?: ReactNode
  items: readonly (MenuItem | 'separator')[]
  /** What it opens beside. */
  anchor: RefObject<Anchor | null>
  close: (how: { returnFocus: boolean }) => void
}

/** The open menu, in the top layer; it exists only while open, so a long table of menus costs nothing. */
export function MenuPanel({ label, align, header, items, anchor, close }: MenuPanelProps) {
  const panel = useRef<HTMLDivElement>(null)
  const typed = useRef({ text: '', at: 0 })

  useLayoutEffect(() => {
    const box = panel.current
    const beside = anchor.current
    if (!box || !beside) return
    const follow = () => place(beside, box, { align, side: 'below' })
    box.showPopover()
    follow()
    box.addEventListener('contextmenu', keepAway)
    window.addEventListener('resize', follow)
    document.addEventListener('scroll', follow, true)
    const discardLatePresses = watchPresses(box)
    return () => {
      discardLatePresses()
      window.removeEventListener('resize', follow)
      document.removeEventListener('scroll', follow, true)
      box.hidePopover()
    }
  }, [align, anchor])

  useEffect(() => itemsOf(panel.current)[0]?.focus(), [])

  useEffect(() => {
    const leave = ({ target }: PointerEvent) => {
      const around = [panel.current, anchor.current]
      const inside = target instanceof Node && around.some((part) => part instanceof Node && part.contains(target))
      if (!inside) close({ returnFocus: false })
    }
    document.addEventListener('pointerdown', leave, true)
    return () => document.removeEventListener('pointerdown', leave, true)
  }, [anchor, close])

  const onKeyDown = (event: KeyboardEvent) => {
    event.stopPropagation()
    if (event.key === 'Tab') return close({ returnFocus: true })
    if (event.key === 'Escape') {
      event.preventDefault()
      return close({ returnFocus: true })
    }
    const all = itemsOf(panel.current)
    const at = all.indexOf(document.activeElement as HTMLElement)
    const next = moved(event.key, at, all.length) ?? search(event, all, at, typed.current)
    if (next === undefined) return
    event.preventDefault()
    all[next]?.focus()
  }

  return (
    <div ref={panel} popover="manual" className={c('panel')}>
      {header && <div className={c('header')}>{header}</div>}
      <div role="menu" aria-label={label} tabIndex={-1} onKeyDown={onKeyDown}>
        {items.map((item, index) =>
          item === 'separator' ? (
            // biome-ignore lint/suspicious/noArrayIndexKey: a separator is nothing but its place
            <hr key={index} className={c('separator')} />
          ) : (
            <Item key={item.label} item={item} close={close} />
          ),
        )}
      </div>
    </div>
  )
}

function Item({ item, close }: { item: MenuItem; close: MenuPanelProps['close'] }) {
  const id = useId()
  const held = item.disabledReason !== undefined
  const choose = () => {
    if (held) return
    close({ returnFocus: true }) // first, so that a dialog it opens gives focus back to the menu's button
    item.onSelect()
  }
  const role = item.checked === undefined ? { role: 'menuitem' } : { role: 'menuitemradio', 'aria-checked': item.checked }
  return (
    <button
      {...role}
      type="button"
      tabIndex={-1}
      className={c('item', item.danger && 'danger', held && 'held')}
      aria-disabled={held || undefined}
      aria-labelledby={held ? `${id}-label` : undefined}
      aria-describedby={held ? `${id}-reason` : undefined}
      onClick={choose}
      onPointerMove={(event) => event.pointerType === 'mouse' && event.currentTarget.focus({ preventScroll: true })}
    >
      {item.icon}
      <span className={c('text')}>
        <span id={`${id}-label`} lang={item.lang}>
          {item.label}
        </span>
        {held && (
          <span id={`${id}-reason`} className={c('reason')}>
            {item.disabledReason}
          </span>
        )}
      </span>
      {item.checked !== undefined && <span className={c('tick')}>{item.checked && <CheckIcon size={18} />}</span>}
    </button>
  )
}

/** The key that opens a menu of ours asks for the browser's as well, on some systems once ours is there. */
const keepAway = (event: Event) => event.preventDefault()

const itemsOf = (panel: HTMLElement | null) => [...(panel?.querySelectorAll<HTMLElement>('[role^=menuitem]') ?? [])]

function moved(key: string, at: number, count: number): number | undefined {
  if (key === 'ArrowDown') return (at + 1) % count
  if (key === 'ArrowUp') return (at - 1 + count) % count
  if (key === 'Home') return 0
  if (key === 'End') return count - 1
  return undefined
}

/** Letters typed in one breath make a word; the same letter again goes on to the next item that begins with it. */
function search(event: KeyboardEvent, all: HTMLElement[], at: number, typed: { text: string; at: number }) {
  if (event.key.length !== 1 || event.key === ' ' || event.ctrlKey || event.metaKey || event.altKey) return undefined
  const fresh = event.timeStamp - typed.at > typingPause
  typed.text = (fresh ? '' : typed.text) + event.key.toLowerCase()
  typed.at = event.timeStamp
  const start = typed.text.length === 1 ? at + 1 : at
  const offset = all.findIndex((_, step) =>
    all[(start + step) % all.length]?.textContent?.trim().toLowerCase().startsWith(typed.text),
  )
  return offset === -1 ? undefined : (start + offset) % all.length
}
