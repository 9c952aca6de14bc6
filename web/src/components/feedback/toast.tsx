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
import { t } from '../../i18n/t.ts'
import { isMac, isUndo } from '../../lib/keyboard/shortcuts.ts'
import { usePageKey } from '../../lib/keyboard/use-page-key.ts'
import { classNames } from '../class-names.ts'
import { CloseIcon } from '../entry-icons.tsx'
import { IconButton } from '../form/button.tsx'
import css from './toast.module.css'

const c = classNames(css)
const durationMs = 6000
const maxToasts = 3

export interface Toast {
  message: string
  action?: { label: string; onSelect: () => void } | undefined
  /** Undoes what the message says, by a button or by Control+Z. */
  undo?: (() => void) | undefined
}

type ShownToast = Toast & { id: number }

const ToastContext = createContext<(toast: Toast) => void>(() => {})

/** Returns a function that shows a short message. Errors that need an action from the user are shown in the page instead. */
export const useToast = () => use(ToastContext)

interface ToastState {
  toasts: readonly ShownToast[]
  remove: (id: number) => void
  /** The open dialogs, the topmost last. */
  dialogs: readonly string[]
  setDialogs: Dispatch<SetStateAction<readonly string[]>>
}

const ToastStateContext = createContext<ToastState | undefined>(undefined)

export function ToastProvider({ children }: { children: ReactNode }) {
  const [toasts, setToasts] = useState<readonly ShownToast[]>([])
  const [dialogs, setDialogs] = useState<readonly string[]>([])
  const nextId = useRef(0)

  const show = useCallback((toast: Toast) => {
    const id = nextId.current++
    setToasts((current) => [...current, { ...toast, id }].slice(-maxToasts))
  }, [])
  const remove = useCallback((id: number) => setToasts((current) => current.filter((toast) => toast.id !== id)), [])

  return (
    <ToastContext value={show}>
      <ToastStateContext value={{ toasts, remove, dialogs, setDialogs }}>{children}</ToastStateContext>
      <ToastRegion toasts={dialogs.length === 0 ? toasts : []} remove={remove} />
    </ToastContext>
  )
}

/** Shows toasts inside the topmost dialog, because a modal dialog makes everything outside it inert. */
export function DialogToasts() {
  const id = useId()
  const state = use(ToastStateContext)
  const setDialogs = state?.setDialogs
  useEffect(() => {
    setDialogs?.((current) => [...current, id])
    return () => setDialogs?.((current) => current.filter((other) => other !== id))
  }, [id, setDialogs])
  return state && <ToastRegion toasts={state.dialogs.at(-1) === id ? state.toasts : []} remove={state.remove} />
}

/** A live region. It is always rendered, so that new toasts are announced. */
function ToastRegion({ toasts, remove }: Pick<ToastState, 'toasts' | 'remove'>) {
  const region = useRef<HTMLElement>(null)
  const previousFocus = useRef<Element>(null)
  const [paused, setPaused] = useState(false)

  useEffect(() => region.current?.showPopover(), [])
  const undoable = toasts.findLast(({ undo }) => undo)
  usePageKey(
    isUndo,
    undoable &&
      (() => {
        remove(undoable.id)
        undoable.undo?.()
      }),
  )

  /** Removes a toast and returns the focus to where it came from. */
  const dismiss = (id: number) => {
    remove(id)
    setPaused(false)
    if (previousFocus.current instanceof HTMLElement) previousFocus.current.focus()
  }

  const pauseHandlers = {
    onPointerEnter: () => setPaused(true),
    onPointerLeave: () => setPaused(false),
    onFocus: (event: FocusEvent) => {
      if (!event.currentTarget.contains(event.relatedTarget)) previousFocus.current = event.relatedTarget
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
      {...pauseHandlers}
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

function ToastItem({ toast: { id, message, undo, ...toast }, paused, remove, dismiss }: ToastItemProps) {
  const action = undo ? { label: t('Undo'), onSelect: undo } : toast.action
  useEffect(() => {
    if (paused) return
    const timer = setTimeout(() => remove(id), durationMs)
    return () => clearTimeout(timer)
  }, [id, paused, remove])
  return (
    <li className={c('toast')}>
      <span className={c('message')}>{message}</span>
      {action && (
        <button
          type="button"
          className={c('action')}
          aria-keyshortcuts={undo && (isMac ? 'Meta+Z' : 'Control+Z')}
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
