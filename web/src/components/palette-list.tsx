import type { ReactNode } from 'react'
import { splitAtMatch } from '../lib/parts.ts'
import { classNames } from './class-names.ts'
import { CheckIcon } from './icons.tsx'
import css from './palette.module.css'

const c = classNames(css)

export interface PaletteOption {
  id: string
  label: string
  /** Of the label, where it is not that of the page. */
  lang?: string | undefined
  /** Where it is, or whose. */
  detail?: string | undefined
  icon?: ReactNode
  checked?: boolean | undefined
  disabledReason?: string | undefined
  onSelect: () => void
}

export interface PaletteGroup {
  label: string
  options: readonly PaletteOption[]
}

interface PaletteListProps {
  id: string
  label: string
  groups: readonly PaletteGroup[]
  active: string | undefined
  /** What was typed: made plain where it is found. */
  part: string
  busy: boolean
  onActive: (id: string) => void
  onChoose: (option: PaletteOption) => void
}

export const PaletteList = ({ id, label, groups, active, part, busy, onActive, onChoose }: PaletteListProps) => (
  <div id={`${id}-list`} role="listbox" aria-label={label} aria-busy={busy || undefined} tabIndex={-1} className={c('list')}>
    {groups
      .filter(({ options }) => options.length > 0)
      .map((group, index) => (
        <fieldset key={group.label} aria-labelledby={`${id}-group-${index}`} className={c('group')}>
          <div id={`${id}-group-${index}`} role="presentation" className={c('heading')}>
            {group.label}
          </div>
          {group.options.map((option) => (
            <Option
              key={option.id}
              id={`${id}-${option.id}`}
              {...{ option, part }}
              isActive={option.id === active}
              onActive={() => onActive(option.id)}
              onChoose={() => onChoose(option)}
            />
          ))}
        </fieldset>
      ))}
  </div>
)

interface OptionProps {
  id: string
  option: PaletteOption
  part: string
  isActive: boolean
  onActive: () => void
  onChoose: () => void
}

function Option({ id, option, part, isActive, onActive, onChoose }: OptionProps) {
  const { label, lang, detail, icon, checked, disabledReason } = option
  const isHeld = disabledReason !== undefined
  const isByLabel = splitAtMatch(label, part)[1] !== ''
  return (
    <button
      id={id}
      type="button"
      role="option"
      tabIndex={-1}
      aria-selected={isActive}
      aria-disabled={isHeld || undefined}
      className={c('option', isHeld && 'held')}
      onPointerMove={() => isActive || onActive()}
      onMouseDown={(event) => event.preventDefault()} // the focus stays in the field
      onClick={() => isHeld || onChoose()}
    >
      {icon}
      <span className={c('label')} lang={lang}>
        <Marked text={label} part={part} />
      </span>{' '}
      <span className={c('detail')}>
        {isHeld ? disabledReason : detail && <Marked text={detail} part={isByLabel ? '' : part} />}
      </span>
      {checked && <CheckIcon size={18} />}
    </button>
  )
}

/** A text with what was looked for in it made plain. */
function Marked({ text, part }: { text: string; part: string }) {
  const [before, found, after] = splitAtMatch(text, part)
  if (!found) return text
  return (
    <>
      {before}
      <mark className={c('mark')}>{found}</mark>
      {after}
    </>
  )
}
