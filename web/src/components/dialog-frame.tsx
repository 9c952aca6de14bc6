import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { t } from '../words/t.ts'
import { Button } from './button.tsx'
import { classNames } from './class-names.ts'
import css from './dialog-frame.module.css'
import { FormError, type FormErrorProps } from './form-error.tsx'
import { DialogToasts } from './toast.tsx'
import { focusWithin, useModal } from './use-modal.ts'

const c = classNames(css)

export interface DialogFrameProps {
  title: string
  description?: ReactNode
  confirmLabel: string
  cancelLabel?: string | undefined
  /** Without it the dialog only tells something: one button, which closes. */
  onConfirm?: (() => void) | undefined
  onClose: () => void
  busy?: boolean | undefined
  dirty?: boolean | undefined
  /** Why the last try failed. Not shown while busy, so that it comes anew, and is told, even in the same words. */
  error?: string | Pick<FormErrorProps, 'title' | 'errors'> | undefined
  confirmDisabledReason?: string | undefined
  danger?: boolean | undefined
  /** What it shows is not shown again: a click beside it, which may be a slip, does not close it. */
  once?: boolean | undefined
  children?: ReactNode
}

/** A modal dialog, open as long as it is rendered. Fields are not checked by the browser: errors are told by their fields. */
export function DialogFrame(props: DialogFrameProps) {
  const { title, description, onConfirm, onClose, busy = false, dirty = false, children } = props
  const error = typeof props.error === 'string' ? { title: props.error } : props.error
  const dialog = useModal()
  const pressed = useRef<EventTarget>(null)
  const wasAt = useRef<Element>(null)
  const [asking, setAsking] = useState(false)
  const [attempt, setAttempt] = useState(0)
  const id = useId()

  const leave = () => {
    if (busy || asking) return
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
          if (busy || props.confirmDisabledReason !== undefined) return
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
  const { confirmLabel, cancelLabel = t('Cancel'), onConfirm, onCancel, busy, danger, confirmDisabledReason } = props
  return (
    <>
      {onConfirm && <Button onClick={onCancel}>{cancelLabel}</Button>}
      <Button
        type="submit"
        variant={danger ? 'danger' : 'primary'}
        busy={busy}
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
        {t('Discard what you typed?')}
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
