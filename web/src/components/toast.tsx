import { createContext, type FocusEvent, type ReactNode, use, useCallback, useEffect, useRef, useState } from 'react'
import { IconButton } from './button.tsx'
import { classNames } from './class-names.ts'
import { CloseIcon } from './icons.tsx'
import css from './toast.module.css'

const c = classNames(css)
const stay = 6000
const most = 3

export interface Toast {
  message: string
  action?: { label: string; onSelect: () => void } | undefined
}

type ShownToast = Toast & { id: number }

const ToastContext = createContext<(toast: Toast) => void>(() => {})

/** Says that something happened, when nothing needs to be done about it; errors that need an answer stand in the page. */
export const useToast = () => use(ToastContext)

export function ToastProvider({ children }: { children: ReactNode }) {
  const [toasts, setToasts] = useState<readonly ShownToast[]>([])
  const [paused, setPaused] = useState(false)
  const count = useRef(0)
  const cameFrom = useRef<Element>(null)

  const show = useCallback((toast: Toast) => {
    const id = count.current++
    setToasts((now) => [...now, { ...toast, id }].slice(-most))
  }, [])
  const remove = useCallback((id: number) => setToasts((now) => now.filter((toast) => toast.id !== id)), [])

  /** A toast that is dismissed by key gives focus back to where the person came from. */
  const dismiss = (id: number) => {
    remove(id)
    setPaused(false)
    if (cameFrom.current instanceof HTMLElement) cameFrom.current.focus()
  }

  const pausing = {
    onPointerEnter: () => setPaused(true),
    onPointerLeave: () => setPaused(false),
    onFocus: (event: FocusEvent) => {
      if (!event.currentTarget.contains(event.relatedTarget)) cameFrom.current = event.relatedTarget
      setPaused(true)
    },
    onBlur: () => setPaused(false),
  }

  return (
    <ToastContext value={show}>
      {children}
      <section aria-label="Notifications" className={c('region')} {...pausing}>
        <ol aria-live="polite" className={c('list')}>
          {toasts.map((toast) => (
            <ToastItem key={toast.id} toast={toast} paused={paused} remove={remove} dismiss={dismiss} />
          ))}
        </ol>
      </section>
    </ToastContext>
  )
}

interface ToastItemProps {
  toast: ShownToast
  paused: boolean
  remove: (id: number) => void
  dismiss: (id: number) => void
}

function ToastItem({ toast: { id, message, action }, paused, remove, dismiss }: ToastItemProps) {
  useEffect(() => {
    if (paused) return
    const timer = setTimeout(() => remove(id), stay)
    return () => clearTimeout(timer)
  }, [id, paused, remove])
  return (
    <li className={c('toast')}>
      <span className={c('message')}>{message}</span>
      {action && (
        <button
          type="button"
          className={c('action')}
          onClick={() => {
            dismiss(id)
            action.onSelect()
          }}
        >
          {action.label}
        </button>
      )}
      <IconButton label="Dismiss" icon={<CloseIcon size={16} />} onClick={() => dismiss(id)} />
    </li>
  )
}
