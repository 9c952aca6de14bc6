import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { t } from '../../i18n/t.ts'
import { classNames } from '../class-names.ts'
import { DialogToasts } from '../feedback/toast.tsx'
import { Button } from '../form/button.tsx'
import { FormError, type FormErrorProps } from '../form/form-error.tsx'
import type { ActionStatus } from '../form/use-action.ts'
import css from './dialog-frame.module.css'
import { focusWithin, useModal } from './use-modal.ts'

const c = classNames(css)

interface FrameProps {
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
  /** The content cannot be shown again, so an accidental click outside does not close the dialog. */
  isShownOnce?: boolean | undefined
  children?: ReactNode
}

/** The action that confirming starts. While it is locked, further presses are ignored. */
interface ConfirmProps {
  onConfirm: () => void
  action: ActionStatus
}

/** A dialog that only shows information has a single button, which closes it. */
interface InfoProps {
  onConfirm?: undefined
  action?: undefined
}

export type DialogFrameProps = FrameProps & (ConfirmProps | InfoProps)

/** A modal dialog, open while it is rendered. Browser validation is off: the fields show their own errors. */
export function DialogFrame(props: DialogFrameProps) {
  const { title, description, onConfirm, onClose, action, dirty = false, children } = props
  const busy = action?.isBusy ?? false
  const error = typeof props.error === 'string' ? { title: props.error } : props.error
  const dialog = useModal()
  const pointerDownTarget = useRef<EventTarget>(null)
  const lastFocus = useRef<Element>(null)
  const [isAskingToDiscard, setAskingToDiscard] = useState(false)
  const [attempt, setAttempt] = useState(0)
  const id = useId()

  const requestClose = () => {
    if (action?.isLocked() || isAskingToDiscard) return
    if (!dirty) return onClose()
    lastFocus.current = document.activeElement
    setAskingToDiscard(true)
  }
  const keepEditing = () => {
    setAskingToDiscard(false)
    if (dialog.current) focusWithin(dialog.current, lastFocus.current)
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
        if (isAskingToDiscard) keepEditing()
        else requestClose()
      }}
      onCancel={(event) => {
        if (event.target !== event.currentTarget) return // a file picker was canceled, not the dialog
        event.preventDefault()
        requestClose()
      }}
      onPointerDown={(event) => {
        pointerDownTarget.current = event.target
      }}
      onClick={(event) => {
        // A text selection that started inside is not a click outside.
        if (event.target === dialog.current && pointerDownTarget.current === dialog.current && !props.isShownOnce) requestClose()
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
          {isAskingToDiscard ? (
            <DiscardQuestion onKeep={keepEditing} onDiscard={onClose} />
          ) : (
            <DialogActions {...props} onCancel={requestClose} />
          )}
        </footer>
      </form>
      <DialogToasts />
    </dialog>
  )
}

function DialogActions(props: DialogFrameProps & { onCancel: () => void }) {
  const { confirmLabel, cancelLabel = t('Cancel'), onConfirm, onCancel, action, danger, confirmDisabledReason } = props
  return (
    <>
      {onConfirm && <Button onClick={onCancel}>{cancelLabel}</Button>}
      <Button
        type="submit"
        variant={danger ? 'danger' : onConfirm ? 'primary' : 'quiet'}
        busy={action?.isBusy}
        disabledReason={confirmDisabledReason}
        data-initial-focus={!danger}
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
