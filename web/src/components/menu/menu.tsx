import { type ReactNode, useRef, useState } from 'react'
import { classNames } from '../class-names.ts'
import css from './menu.module.css'
import { type MenuItem, MenuPanel } from './menu-panel.tsx'

const c = classNames(css)

export interface MenuProps {
  /** The accessible name of the button and of the menu. */
  label: string
  trigger: ReactNode
  /** Whether the menu contains the current page. */
  current?: boolean | undefined
  triggerClassName?: string | undefined
  align?: 'start' | 'end' | undefined
  header?: ReactNode
  items: readonly (MenuItem | 'separator')[]
}

export function Menu({ label, trigger, current, triggerClassName, align = 'start', header, items }: MenuProps) {
  const button = useRef<HTMLButtonElement>(null)
  const [open, setOpen] = useState(false)

  const close = ({ returnFocus }: { returnFocus: boolean }) => {
    if (returnFocus) button.current?.focus()
    setOpen(false)
  }

  return (
    <>
      <button
        ref={button}
        type="button"
        className={triggerClassName ?? c('trigger')}
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={open}
        aria-current={current ? 'page' : undefined}
        onClick={() => setOpen(!open)}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown') return
          event.preventDefault()
          setOpen(true)
        }}
      >
        {trigger}
      </button>
      {open && <MenuPanel {...{ label, align, header, items, close }} anchor={button} />}
    </>
  )
}
