import {
  createContext,
  type Dispatch,
  type FocusEvent,
  type ReactNode,
  type SetStateAction,
  use,
  useCallback,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react'
import { t } from '../words/t.ts'
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

interface Shown {
  toasts: readonly ShownToast[]
  remove: (id: number) => void
  /** The open dialogs, the topmost last. */
  dialogs: readonly string[]
  setDialogs: Dispatch<SetStateAction<readonly string[]>>
}

const ShownContext = createContext<Shown | undefined>(undefined)

export function ToastProvider({ children }: { children: ReactNode }) {
  const [toasts, setToasts] = useState<readonly ShownToast[]>([])
  const [dialogs, setDialogs] = useState<readonly string[]>([])
  const count = useRef(0)

  const show = useCallback((toast: Toast) => {
    const id = count.current++
    setToasts((now) => [...now, { ...toast, id }].slice(-most))
  }, [])
  const remove = useCallback((id: number) => setToasts((now) => now.filter((toast) => toast.id !== id)), [])

  return (
    <ToastContext value={show}>
      <ShownContext value={{ toasts, remove, dialogs, setDialogs }}>{children}</ShownContext>
      <Region toasts={dialogs.length === 0 ? toasts : []} remove={remove} />
    </ToastContext>
  )
}

/** A modal dialog makes all outside it inert, so while it is the topmost one, toasts appear inside it. */
export function DialogToasts() {
  const id = useId()
  const shown = use(ShownContext)
  const setDialogs = shown?.setDialogs
  useEffect(() => {
    setDialogs?.((now) => [...now, id])
    return () => setDialogs?.((now) => now.filter((other) => other !== id))
  }, [id, setDialogs])
  return shown && <Region toasts={shown.dialogs.at(-1) === id ? shown.toasts : []} remove={shown.remove} />
}

/** Always there and never hidden, so that what comes into it is announced. */
function Region({ toasts, remove }: Pick<Shown, 'toasts' | 'remove'>) {
  const region = useRef<HTMLElement>(null)
  const cameFrom = useRef<Element>(null)
  const [paused, setPaused] = useState(false)

  useEffect(() => region.current?.showPopover(), [])

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
    <section
      ref={region}
      popover="manual"
      aria-label={toasts.length > 0 ? t('Notifications') : undefined}
      className={c('region')}
      {...pausing}
    >
      <ol aria-live="polite" className={c('list')}>
        {toasts.map((toast) => (
          <ToastItem key={toast.id} toast={toast} paused={paused} remove={remove} dismiss={dismiss} />
        ))}
      </ol>
    </section>
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
      <IconButton label={t('Dismiss')} icon={<CloseIcon size={16} />} onClick={() => dismiss(id)} />
    </li>
  )
}
