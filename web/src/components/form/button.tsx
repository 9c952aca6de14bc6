import { type ComponentProps, type MouseEvent, type ReactNode, useId } from 'react'
import { Link } from 'react-router'
import { classNames } from '../class-names.ts'
import { Tooltip } from '../menu/tooltip.tsx'
import css from './button.module.css'

const c = classNames(css)

interface AppearanceProps {
  variant?: 'primary' | 'quiet' | 'danger' | undefined
  icon?: ReactNode
  /** Fills the width of its container. */
  wide?: boolean | undefined
}

interface ActionButtonProps extends ComponentProps<'button'> {
  /**
   * Whether the action that the button starts is running. If set, even to false, the second click of a double click is ignored.
   */
  busy?: boolean | undefined
  /** Why the button is disabled. Pass it even while undefined, so that a change doesn’t replace the element and lose its focus. */
  disabledReason?: string | undefined
}

export function Button({ variant = 'quiet', icon, wide, children, className, ...rest }: ActionButtonProps & AppearanceProps) {
  return (
    <ActionButton {...rest} className={`${c('button', variant, wide && 'wide')} ${className ?? ''}`}>
      {icon}
      {children}
    </ActionButton>
  )
}

/** A square icon button. The label is its accessible name and tooltip. */
export function IconButton({ label, icon, className, ...rest }: ActionButtonProps & { label: string; icon: ReactNode }) {
  return (
    <ActionButton {...rest} tooltip={label} aria-label={label} className={`${c('button', 'icon')} ${className ?? ''}`}>
      {icon}
    </ActionButton>
  )
}

export function ButtonLink({
  variant = 'quiet',
  icon,
  wide,
  children,
  className,
  ...rest
}: ComponentProps<typeof Link> & AppearanceProps) {
  return (
    <Link {...rest} className={`${c('button', variant, wide && 'wide')} ${className ?? ''}`}>
      <span className={c('content')}>
        {icon}
        {children}
      </span>
    </Link>
  )
}

/**
 * A button that can be disabled with a reason. It then stays in the tab order, so that the reason can be read, and ignores all
 * clicks.
 */
function ActionButton({ tooltip, ...props }: ActionButtonProps & { tooltip?: string }) {
  const { busy, disabledReason, type = 'button', className, children, onClick, ...rest } = props
  const reasonId = useId()
  const isDisabled = busy || disabledReason !== undefined
  const handleClick = (event: MouseEvent<HTMLButtonElement>) => {
    if (isDisabled || (busy !== undefined && event.detail > 1)) discard(event)
    else onClick?.(event)
  }
  const describedBy = [rest['aria-describedby'], disabledReason && reasonId].filter(Boolean).join(' ')
  const button = (
    <button
      {...rest}
      type={type}
      className={`${className} ${c(busy && 'busy', disabledReason !== undefined && 'disabled')}`}
      aria-busy={busy || undefined}
      aria-disabled={isDisabled || undefined}
      aria-describedby={describedBy || undefined}
      onClick={handleClick}
    >
      <span className={c('content')}>{children}</span>
      {busy && <span className={c('spinner')} />}
    </button>
  )
  if (tooltip === undefined && !('disabledReason' in props)) return button
  return (
    <Tooltip text={disabledReason ?? tooltip}>
      {button}
      {disabledReason !== undefined && (
        <span id={reasonId} hidden>
          {disabledReason}
        </span>
      )}
    </Tooltip>
  )
}

function discard(event: MouseEvent) {
  event.preventDefault()
  event.stopPropagation()
}
