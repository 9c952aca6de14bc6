import type { ReactNode } from 'react'
import { splitAtMatch } from '../../lib/split-at-match.ts'
import { classNames } from '../class-names.ts'
import { CheckIcon } from '../entry-icons.tsx'
import css from './palette.module.css'

const c = classNames(css)

export interface PaletteOption {
  id: string
  label: string
  /** The label's language, if it differs from the page's. */
  lang?: string | undefined
  /** Its location or owner. */
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
  /** The typed text, highlighted in the options. */
  typedText: string
  busy: boolean
  onActive: (id: string) => void
  onChoose: (option: PaletteOption) => void
}

export const PaletteList = ({ id, label, groups, active, typedText, busy, onActive, onChoose }: PaletteListProps) => (
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
              {...{ option, typedText }}
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
  typedText: string
  isActive: boolean
  onActive: () => void
  onChoose: () => void
}

function Option({ id, option, typedText, isActive, onActive, onChoose }: OptionProps) {
  const { label, lang, detail, icon, checked, disabledReason } = option
  const isDisabled = disabledReason !== undefined
  const matchesLabel = splitAtMatch(label, typedText)[1] !== ''
  return (
    <button
      id={id}
      type="button"
      role="option"
      tabIndex={-1}
      aria-selected={isActive}
      aria-disabled={isDisabled || undefined}
      className={c('option', isDisabled && 'disabled')}
      onPointerMove={() => isActive || onActive()}
      onMouseDown={(event) => event.preventDefault()} // keeps the focus in the field
      onClick={() => isDisabled || onChoose()}
    >
      {icon}
      <span className={c('label')} lang={lang}>
        <Highlighted text={label} typedText={typedText} />
      </span>{' '}
      <span className={c('detail')}>
        {isDisabled ? disabledReason : detail && <Highlighted text={detail} typedText={matchesLabel ? '' : typedText} />}
      </span>
      {checked && <CheckIcon size={18} />}
    </button>
  )
}

/** Highlights the match in a text. */
function Highlighted({ text, typedText }: { text: string; typedText: string }) {
  const [before, found, after] = splitAtMatch(text, typedText)
  if (!found) return text
  return (
    <>
      {before}
      <mark className={c('mark')}>{found}</mark>
      {after}
    </>
  )
}
