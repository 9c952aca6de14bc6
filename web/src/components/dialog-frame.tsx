import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { t } from '../words/t.ts'
import { Button } from './button.tsx'
import { classNames } from './class-names.ts'
import css from './dialog-frame.module.css'
import { FormError, type FormErrorProps } from './form-error.tsx'
import { DialogToasts } from './toast.tsx'
import type { ActionStatus } from './use-action.ts'
import { focusWithin, useModal } from './use-modal.ts'

const c = classNames(css)

interface Frame {
  title: string
  description?: ReactNode
  confirmLabel: string
  cancelLabel?: string | undefined
  onClose: () => void
  dirty?: boolean | undefined
  /** Why the last attempt failed. Hidden while busy, so that the same error is announced again. */
  error?: string | Pick<FormErrorProps, 'title' | 'errors'> | undefined
  confirmDisabledReason?: string | undefined
  danger?: boolean | undefined
  /** What it shows is not shown again: a click beside it, which may be a slip, does not close it. */
  once?: boolean | undefined
  children?: ReactNode
}

/** The action that a confirming dialog starts. While it is locked, presses do nothing. */
interface Confirming {
  onConfirm: () => void
  action: ActionStatus
}

/** A dialog that only informs has one button, which closes it. */
interface Informing {
  onConfirm?: undefined
  action?: undefined
}

export type DialogFrameProps = Frame & (Confirming | Informing)

/** A modal dialog, open as long as it is rendered. The browser does not validate its fields: each shows its own error. */
export function DialogFrame(props: DialogFrameProps) {
  const { title, description, onConfirm, onClose, action, dirty = false, children } = props
  const busy = action?.isBusy ?? false
  const error = typeof props.error === 'string' ? { title: props.error } : props.error
  const dialog = useModal()
  const pressed = useRef<EventTarget>(null)
  const wasAt = useRef<Element>(null)
  const [asking, setAsking] = useState(false)
  const [attempt, setAttempt] = useState(0)
  const id = useId()

  const leave = () => {
    if (action?.isLocked() || asking) return
    if (!dirty) return onClose()
    wasAt.current = document.activeElement
    setAsking(true)
  }
  const stay = () => {
    setAsking(false)
    if (dialog.current) focusWithin(dialog.current, wasAt.current)
  }

  return (
    <dialog
      ref={dialog}
      className={c('dialog')}
      aria-labelledby={`${id}-title`}
      aria-describedby={description ? `${id}-description` : undefined}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.defaultPrevented) return
        event.preventDefault()
        if (asking) stay()
        else leave()
      }}
      onCancel={(event) => {
        if (event.target !== event.currentTarget) return // a file field's picker was cancelled, not the dialog
        event.preventDefault()
        leave()
      }}
      onPointerDown={(event) => {
        pressed.current = event.target
      }}
      onClick={(event) => {
        // A drag that began inside, to select text, is not a click outside.
        if (event.target === dialog.current && pressed.current === dialog.current && !props.once) leave()
      }}
    >
      <form
        noValidate
        className={c('form')}
        onSubmit={(event) => {
          event.preventDefault()
          if (action?.isLocked() || props.confirmDisabledReason !== undefined) return
          if (!onConfirm) return onClose()
          setAttempt(attempt + 1)
          onConfirm()
        }}
      >
        <header className={c('head')}>
          <h2 id={`${id}-title`} className={c('title')}>
            {title}
          </h2>
          {description && (
            <p id={`${id}-description`} className={c('description')}>
              {description}
            </p>
          )}
        </header>
        {(error || children) && (
          <div className={c('body')} data-fields>
            {error && !busy && <FormError {...error} attempt={attempt} />}
            {children}
          </div>
        )}
        <footer className={c('foot')}>
          {asking ? <DiscardQuestion onKeep={stay} onDiscard={onClose} /> : <Actions {...props} onCancel={leave} />}
        </footer>
      </form>
      <DialogToasts />
    </dialog>
  )
}

function Actions(props: DialogFrameProps & { onCancel: () => void }) {
  const { confirmLabel, cancelLabel = t('Cancel'), onConfirm, onCancel, action, danger, confirmDisabledReason } = props
  return (
    <>
      {onConfirm && <Button onClick={onCancel}>{cancelLabel}</Button>}
      <Button
        type="submit"
        variant={danger ? 'danger' : 'primary'}
        busy={action?.isBusy}
        disabledReason={confirmDisabledReason}
        data-first={!danger}
      >
        {confirmLabel}
      </Button>
    </>
  )
}

function DiscardQuestion({ onKeep, onDiscard }: { onKeep: () => void; onDiscard: () => void }) {
  const id = useId()
  const keep = useRef<HTMLButtonElement>(null)
  useEffect(() => keep.current?.focus(), [])
  return (
    <>
      <p id={id} className={c('question')}>
        {t('Discard your changes?')}
      </p>
      <Button ref={keep} aria-describedby={id} onClick={onKeep}>
        {t('Keep editing')}
      </Button>
      <Button variant="danger" onClick={onDiscard}>
        {t('Discard')}
      </Button>
    </>
  )
}
