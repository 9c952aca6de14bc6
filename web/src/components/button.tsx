import { type ComponentProps, type MouseEvent, type ReactNode, useId } from 'react'
import { Link } from 'react-router'
import css from './button.module.css'
import { classNames } from './class-names.ts'
import { Tooltip } from './tooltip.tsx'

const c = classNames(css)

interface Look {
  variant?: 'primary' | 'quiet' | 'danger' | undefined
  icon?: ReactNode
  /** As wide as what holds it. */
  wide?: boolean | undefined
}

interface Holdable extends ComponentProps<'button'> {
  /** For buttons that start an action: of a double click, only the first click counts. */
  busy?: boolean | undefined
  disabledReason?: string | undefined
}

export function Button({ variant = 'quiet', icon, wide, children, className, ...rest }: Holdable & Look) {
  return (
    <HoldableButton {...rest} className={`${c('button', variant, wide && 'wide')} ${className ?? ''}`}>
      {icon}
      {children}
    </HoldableButton>
  )
}

/** A square with a picture; its label is its accessible name and shows on hover and focus. */
export function IconButton({ label, icon, className, ...rest }: Holdable & { label: string; icon: ReactNode }) {
  const button = (
    <HoldableButton {...rest} aria-label={label} className={`${c('button', 'icon')} ${className ?? ''}`}>
      {icon}
    </HoldableButton>
  )
  return rest.disabledReason ? button : <Tooltip text={label}>{button}</Tooltip>
}

export function ButtonLink({ variant = 'quiet', icon, wide, children, className, ...rest }: ComponentProps<typeof Link> & Look) {
  return (
    <Link {...rest} className={`${c('button', variant, wide && 'wide')} ${className ?? ''}`}>
      <span className={c('content')}>
        {icon}
        {children}
      </span>
    </Link>
  )
}

/** While held it stays in the tab order, so that its reason can be found, and lets no click through, not even Enter's. */
function HoldableButton({ busy, disabledReason, type = 'button', className, children, onClick, ...rest }: Holdable) {
  const reasonId = useId()
  const isHeld = busy || disabledReason !== undefined
  const press = (event: MouseEvent<HTMLButtonElement>) => {
    if (isHeld || (busy !== undefined && event.detail > 1)) swallow(event)
    else onClick?.(event)
  }
  const describedBy = [rest['aria-describedby'], disabledReason && reasonId].filter(Boolean).join(' ')
  const button = (
    <button
      {...rest}
      type={type}
      className={`${className} ${c(busy && 'busy', disabledReason !== undefined && 'held')}`}
      aria-busy={busy || undefined}
      aria-disabled={isHeld || undefined}
      aria-describedby={describedBy || undefined}
      onClick={press}
    >
      <span className={c('content')}>{children}</span>
      {busy && <span className={c('spinner')} />}
    </button>
  )
  if (disabledReason === undefined) return button
  return (
    <Tooltip text={disabledReason}>
      {button}
      <span id={reasonId} hidden>
        {disabledReason}
      </span>
    </Tooltip>
  )
}

function swallow(event: MouseEvent) {
  event.preventDefault()
  event.stopPropagation()
}
