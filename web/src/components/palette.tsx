import { type KeyboardEvent, type ReactNode, useEffect, useId, useLayoutEffect, useRef, useState } from 'react'
import { isMac } from '../lib/keys.ts'
import { t } from '../words/t.ts'
import { IconButton } from './button.tsx'
import { classNames } from './class-names.ts'
import { CloseIcon, SearchIcon } from './icons.tsx'
import css from './palette.module.css'
import { type PaletteGroup, PaletteList, type PaletteOption } from './palette-list.tsx'
import { DialogToasts } from './toast.tsx'
import { useModal } from './use-modal.ts'

const c = classNames(css)

interface PaletteProps {
  /** What it is for: the name of the dialog and of its field. */
  label: string
  text: string
  onText: (text: string) => void
  groups: readonly PaletteGroup[]
  /** What is said below: that nothing was found, or why. */
  note?: ReactNode
  /** More may come. */
  busy: boolean
  onClose: () => void
}

/** A field, and below it what is found while one types: the focus stays in the field, the arrows go through the list. */
export function Palette({ label, text, onText, groups, note, busy, onClose }: PaletteProps) {
  const dialog = useModal()
  const id = useId()
  const options = groups.flatMap((group) => group.options)
  const choose = (option: PaletteOption) => {
    onClose() // first, so that what it opens gives the focus back to where it was before
    option.onSelect()
  }
  const { active, setActive, onKeyDown } = useActive(options, text, choose)
  const pressed = useRef<EventTarget>(null)
  return (
    <dialog
      ref={dialog}
      className={c('dialog')}
      aria-label={label}
      onKeyDown={(event) => {
        if (!isClosing(event)) return
        event.preventDefault()
        onClose()
      }}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      onPointerDown={(event) => {
        pressed.current = event.target
      }}
      onClick={(event) => event.target === dialog.current && pressed.current === dialog.current && onClose()}
    >
      <div className={c('content')}>
        <div className={c('head')} data-fields>
          <SearchIcon />
          <Field {...{ id, label, text, onText, active, onKeyDown }} />
          <IconButton label={t('Close')} icon={<CloseIcon />} onClick={onClose} />
        </div>
        {options.length > 0 && (
          <PaletteList {...{ id, label, groups, active, busy }} part={text} onActive={setActive} onChoose={choose} />
        )}
        <div className={c('note')}>{note}</div>
        <p role="status" className="sr-only">
          {!busy && text.trim() && options.length > 0 && t('{n} results', { n: options.length })}
        </p>
      </div>
      <DialogToasts />
    </dialog>
  )
}

interface FieldProps extends Pick<PaletteProps, 'label' | 'text' | 'onText'> {
  id: string
  /** The option that Enter means, if there is one. */
  active: string | undefined
  onKeyDown: (event: KeyboardEvent) => void
}

const Field = ({ id, label, text, onText, active, onKeyDown }: FieldProps) => (
  <input
    type="text"
    role="combobox"
    className={c('input')}
    aria-label={label}
    aria-autocomplete="list"
    aria-expanded={active !== undefined}
    aria-controls={active === undefined ? undefined : `${id}-list`}
    aria-activedescendant={active === undefined ? undefined : `${id}-${active}`}
    placeholder={label}
    autoComplete="off"
    autoCorrect="off"
    autoCapitalize="none"
    spellCheck={false}
    enterKeyHint="go"
    maxLength={100}
    value={text}
    onChange={({ target }) => onText(target.value)}
    onKeyDown={onKeyDown}
  />
)

/** Escape; and the keys that opened it, once more. */
const isClosing = ({ key, ctrlKey, metaKey, nativeEvent }: KeyboardEvent) =>
  !nativeEvent.isComposing && (key === 'Escape' || (key.toLowerCase() === 'k' && (isMac ? metaKey : ctrlKey)))

/** The option that Enter means. It is the first one, and stays the same when others come before it, until one types on. */
function useActive(options: readonly PaletteOption[], text: string, onChoose: (option: PaletteOption) => void) {
  const [chosen, setChosen] = useState<{ id: string; text: string }>()
  const isThere = chosen?.text === text && options.some(({ id }) => id === chosen.id)
  const active = isThere ? chosen.id : options[0]?.id
  const setActive = (id: string) => setChosen({ id, text })

  useEffect(() => {
    if (!isThere && active !== undefined) setChosen({ id: active, text })
  }, [isThere, active, text])
  useLayoutEffect(() => {
    if (active !== undefined) document.querySelector('[role=option][aria-selected=true]')?.scrollIntoView({ block: 'nearest' })
  }, [active])

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing || event.altKey || event.ctrlKey || event.metaKey) return
    const at = options.findIndex(({ id }) => id === active)
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step === undefined && event.key !== 'Enter') return
    event.preventDefault()
    const next = options[step === undefined ? at : (at + step + options.length) % options.length]
    if (!next) return
    if (step !== undefined) setActive(next.id)
    else if (next.disabledReason === undefined) onChoose(next)
  }
  return { active, setActive, onKeyDown }
}
