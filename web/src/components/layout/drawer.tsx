import { type ReactNode, useId, useRef } from 'react'
import { t } from '../../i18n/t.ts'
import { classNames } from '../class-names.ts'
import { DialogToasts } from '../feedback/toast.tsx'
import { IconButton } from '../form/button.tsx'
import { CloseIcon } from '../icons.tsx'
import css from './drawer.module.css'
import { useModal } from './use-modal.ts'

const c = classNames(css)

interface DrawerProps {
  /** A short label above the title, such as the kind of the item. */
  eyebrow?: ReactNode
  title: ReactNode
  /** Buttons below the title. */
  actions?: ReactNode
  onClose: () => void
  children: ReactNode
}

/** Shows details at the right edge of the window, or across the whole window on phones. Open while it is rendered. */
export function Drawer({ eyebrow, title, actions, onClose, children }: DrawerProps) {
  const dialog = useModal()
  const pointerDownTarget = useRef<EventTarget>(null)
  const id = useId()
  return (
    <dialog
      ref={dialog}
      className={c('drawer')}
      aria-labelledby={`${id}-title`}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.defaultPrevented) return
        event.preventDefault()
        onClose()
      }}
      onCancel={(event) => {
        if (event.target !== event.currentTarget) return
        event.preventDefault()
        onClose()
      }}
      onPointerDown={(event) => {
        pointerDownTarget.current = event.target
      }}
      onClick={(event) => event.target === dialog.current && pointerDownTarget.current === dialog.current && onClose()}
    >
      <div className={c('content')}>
        <header className={c('head')}>
          <div className={c('names')}>
            {eyebrow && <div className={c('eyebrow')}>{eyebrow}</div>}
            <h2 id={`${id}-title`} className={c('title')} tabIndex={-1} data-initial-focus>
              {title}
            </h2>
          </div>
          <IconButton label={t('Close')} icon={<CloseIcon />} onClick={onClose} />
        </header>
        {actions && <div className={c('actions')}>{actions}</div>}
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: long details scroll with the keyboard. */}
        <div className={c('body')} tabIndex={0}>
          {children}
        </div>
      </div>
      <DialogToasts />
    </dialog>
  )
}

/** A part of a drawer with its own heading. */
export const DrawerSection = ({ title, children }: { title: string; children: ReactNode }) => (
  <section className={c('section')}>
    <h3 className={c('heading')}>{title}</h3>
    {children}
  </section>
)

/** A list of names and values. */
export const Facts = ({ facts }: { facts: readonly { name: string; value: ReactNode }[] }) => (
  <dl className={c('facts')}>
    {facts.map(({ name, value }) => (
      <div key={name} className={c('fact')}>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
)
