import { type KeyboardEvent, type ReactNode, useEffect, useId, useLayoutEffect, useRef, useState } from 'react'
import { t } from '../../i18n/t.ts'
import { isMac } from '../../lib/keyboard/shortcuts.ts'
import { classNames } from '../class-names.ts'
import { DialogToasts } from '../feedback/toast.tsx'
import { IconButton } from '../form/button.tsx'
import { CloseIcon, SearchIcon } from '../icons.tsx'
import { useModal } from '../layout/use-modal.ts'
import css from './palette.module.css'
import { type PaletteGroup, PaletteList, type PaletteOption } from './palette-list.tsx'

const c = classNames(css)

interface PaletteProps {
  /** The accessible name of the dialog and of its field. */
  label: string
  text: string
  onTextChange: (text: string) => void
  groups: readonly PaletteGroup[]
  /** Shown below the list, for example that nothing was found. */
  note?: ReactNode
  /** Whether more results may follow. */
  busy: boolean
  onClose: () => void
}

/** A command palette: a combobox with results. The focus stays in the field, the arrow keys move through the list. */
export function Palette({ label, text, onTextChange, groups, note, busy, onClose }: PaletteProps) {
  const dialog = useModal()
  const id = useId()
  const options = groups.flatMap((group) => group.options)
  const choose = (option: PaletteOption) => {
    onClose() // before onSelect, so that a dialog it opens returns the focus to where it was before the palette
    option.onSelect()
  }
  const { active, setActive, onKeyDown } = useActiveOption(options, text, choose)
  const pointerDownTarget = useRef<EventTarget>(null)
  return (
    <dialog
      ref={dialog}
      className={c('dialog')}
      aria-label={label}
      onKeyDown={(event) => {
        if (!closesPalette(event)) return
        event.preventDefault()
        onClose()
      }}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      onPointerDown={(event) => {
        pointerDownTarget.current = event.target
      }}
      onClick={(event) => event.target === dialog.current && pointerDownTarget.current === dialog.current && onClose()}
    >
      <div className={c('content')}>
        <div className={c('head')} data-fields>
          <SearchIcon />
          <PaletteInput {...{ id, label, text, onTextChange, active, onKeyDown }} />
          <IconButton label={t('Close')} icon={<CloseIcon />} onClick={onClose} />
        </div>
        {options.length > 0 && (
          <PaletteList {...{ id, label, groups, active, busy }} typedText={text} onActive={setActive} onChoose={choose} />
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

interface PaletteInputProps extends Pick<PaletteProps, 'label' | 'text' | 'onTextChange'> {
  id: string
  /** The option that Enter selects, if any. */
  active: string | undefined
  onKeyDown: (event: KeyboardEvent) => void
}

const PaletteInput = ({ id, label, text, onTextChange, active, onKeyDown }: PaletteInputProps) => (
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
    onChange={({ target }) => onTextChange(target.value)}
    onKeyDown={onKeyDown}
  />
)

/** Returns whether a key closes the palette: Escape, or the shortcut that opened it. */
const closesPalette = ({ key, ctrlKey, metaKey, nativeEvent }: KeyboardEvent) =>
  !nativeEvent.isComposing && (key === 'Escape' || (key.toLowerCase() === 'k' && (isMac ? metaKey : ctrlKey)))

/**
 * Tracks the option that Enter selects, which is the first one until the user moves. It stays the same when results are inserted
 * before it, until the text changes.
 */
function useActiveOption(options: readonly PaletteOption[], text: string, onChoose: (option: PaletteOption) => void) {
  const [lastActive, setLastActive] = useState<{ id: string; text: string }>()
  const isAvailable = lastActive?.text === text && options.some(({ id }) => id === lastActive.id)
  const active = isAvailable ? lastActive.id : options[0]?.id
  const setActive = (id: string) => setLastActive({ id, text })

  useEffect(() => {
    if (!isAvailable && active !== undefined) setLastActive({ id: active, text })
  }, [isAvailable, active, text])
  useLayoutEffect(() => {
    if (active !== undefined) document.querySelector('[role=option][aria-selected=true]')?.scrollIntoView({ block: 'nearest' })
  }, [active])

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing || event.altKey || event.ctrlKey || event.metaKey) return
    const activeIndex = options.findIndex(({ id }) => id === active)
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step === undefined && event.key !== 'Enter') return
    event.preventDefault()
    const next = options[step === undefined ? activeIndex : (activeIndex + step + options.length) % options.length]
    if (!next) return
    if (step !== undefined) setActive(next.id)
    else if (next.disabledReason === undefined) onChoose(next)
  }
  return { active, setActive, onKeyDown }
}
