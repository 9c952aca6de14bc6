import { useEffect, useId, useRef, useState } from 'react'
import { Link } from 'react-router'
import { t } from '../../i18n/t.ts'
import { classNames } from '../class-names.ts'
import { OpenCount } from '../feedback/open-count.tsx'
import { IconButton } from '../form/button.tsx'
import { CheckIcon, CloseIcon, MenuIcon } from '../icons.tsx'
import { type MenuItem, useItemsAtOpening } from '../menu/menu-panel.tsx'
import css from './phone-menu.module.css'
import type { NavItem, TopBarProps } from './top-bar.tsx'

const c = classNames(css)

type MenuContent = Pick<TopBarProps, 'items' | 'more' | 'person' | 'menuItems'>

/** The menu of the top bar on phones: the navigation and the user menu in one panel, mounted only while open. */
export function PhoneMenu(content: MenuContent) {
  const root = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const [open, setOpen] = useState(false)
  const id = useId()

  const close = () => {
    button.current?.focus()
    setOpen(false)
  }

  useEffect(() => {
    if (!open) return
    const listeners = new AbortController()
    const { signal } = listeners
    const closeOnOutsideEvent = (event: Event) => {
      // A page that is shown late focuses the main element, after the user has opened the menu.
      if (event.type === 'focusin' && event.target === document.querySelector('main')) return
      if (event.target instanceof Node && !root.current?.contains(event.target)) setOpen(false)
    }
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return
      setOpen(false)
      button.current?.focus()
    }
    document.addEventListener('pointerdown', closeOnOutsideEvent, { capture: true, signal })
    document.addEventListener('focusin', closeOnOutsideEvent, { signal })
    document.addEventListener('keydown', onKey, { signal })
    window.addEventListener('popstate', () => setOpen(false), { signal })
    return () => listeners.abort()
  }, [open])

  return (
    <div ref={root}>
      <IconButton
        ref={button}
        label={open ? t('Close menu') : t('Open menu')}
        icon={open ? <CloseIcon /> : <MenuIcon />}
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        onClick={() => setOpen(!open)}
      />
      {open && <PhonePanel {...content} id={id} onLeave={() => setOpen(false)} onChosen={close} />}
    </div>
  )
}

interface PhonePanelProps extends MenuContent {
  id: string
  /** Called when a link is followed. */
  onLeave: () => void
  /** Called before a menu item's action. */
  onChosen: () => void
}

function PhonePanel({ id, items, more, person, menuItems, onLeave, onChosen }: PhonePanelProps) {
  const shownItems = useItemsAtOpening(menuItems)
  return (
    <div id={id} className={c('panel')}>
      <div className={c('person')}>
        <p className={c('name')}>{person.name}</p>
        <p className={c('email')}>{person.email}</p>
      </div>
      <nav aria-label={t('Main')}>
        {[items, more].map((group) => (
          <ul key={group[0]?.to} className={c('group')}>
            {group.map((item) => (
              <li key={item.to}>
                <PhoneLink item={item} onChosen={onLeave} />
              </li>
            ))}
          </ul>
        ))}
      </nav>
      {splitAtSeparators(shownItems).map((group) => (
        <ul key={group[0]?.label} className={c('group')}>
          {group.map((item) => (
            <li key={item.label}>
              <PhoneItem item={item} onChosen={onChosen} />
            </li>
          ))}
        </ul>
      ))}
    </div>
  )
}

function PhoneLink({ item: { label, to, current, openItems }, onChosen }: { item: NavItem; onChosen: () => void }) {
  return (
    <Link to={to} className={c('item')} aria-current={current ? 'page' : undefined} onClick={onChosen}>
      <span>
        {label}
        <OpenCount openItems={openItems} />
      </span>
    </Link>
  )
}

function PhoneItem({ item, onChosen }: { item: MenuItem; onChosen: () => void }) {
  const { label, lang, icon, onSelect, danger, disabledReason, checked } = item
  const reasonId = useId()
  const isDisabled = disabledReason !== undefined
  const choose = () => {
    if (isDisabled) return
    onChosen()
    onSelect()
  }
  return (
    <button
      type="button"
      className={c('item', danger && 'danger', isDisabled && 'disabled')}
      aria-pressed={checked}
      aria-disabled={isDisabled || undefined}
      aria-describedby={isDisabled ? reasonId : undefined}
      onClick={choose}
    >
      {icon}
      <span lang={lang}>{label}</span>
      {isDisabled && (
        <span id={reasonId} className={c('reason')}>
          {disabledReason}
        </span>
      )}
      {checked && <CheckIcon />}
    </button>
  )
}

/** Splits the menu's items at its separators. */
function splitAtSeparators(entries: TopBarProps['menuItems']) {
  const groups: MenuItem[][] = [[]]
  for (const entry of entries) {
    if (entry === 'separator') groups.push([])
    else groups.at(-1)?.push(entry)
  }
  return groups.filter((group) => group.length > 0)
}
