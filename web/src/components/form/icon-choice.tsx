import type { ReactNode } from 'react'
import { classNames } from '../class-names.ts'
import { Tooltip } from '../menu/tooltip.tsx'
import css from './icon-choice.module.css'

const c = classNames(css)

interface IconChoiceProps<Value extends string> {
  label: string
  choices: readonly { value: Value; label: string; icon: ReactNode }[]
  value: Value
  onChange: (value: Value) => void
}

/** A row of icons to choose one from, such as list or tiles. */
export const IconChoice = <Value extends string>({ label, choices, value, onChange }: IconChoiceProps<Value>) => (
  <fieldset aria-label={label} className={c('group')}>
    {choices.map((choice) => (
      <Tooltip key={choice.value} text={choice.label}>
        <button
          type="button"
          aria-label={choice.label}
          aria-pressed={choice.value === value}
          className={c('choice')}
          onClick={() => onChange(choice.value)}
        >
          {choice.icon}
        </button>
      </Tooltip>
    ))}
  </fieldset>
)
