import { type ReactNode, useId } from 'react'
import { classNames } from '../class-names.ts'
import { AlertIcon } from '../entry-icons.tsx'
import css from './choice-field.module.css'
import fieldCss from './field.module.css'

const c = classNames({ ...fieldCss, ...css })

interface Choice<Value extends string> {
  value: Value
  label: string
  hint?: string | undefined
  /** Why it can’t be chosen now. Shown in place of the hint. */
  disabledReason?: string | undefined
}

interface ChoiceFieldProps<Value extends string> {
  label: string
  hideLabel?: boolean | undefined
  name: string
  choices: readonly Choice<Value>[]
  /** The chosen value. If it isn’t one of the choices, none is selected. */
  value: Value | ''
  error?: string | undefined
  onChange: (value: Value) => void
  /** Shown between the label and the choices, such as a field that searches them. */
  children?: ReactNode
}

/** A few choices that exclude each other, all visible at once. */
export function ChoiceField<Value extends string>(props: ChoiceFieldProps<Value>) {
  const id = useId()
  return (
    <fieldset className={c('choices')} aria-describedby={props.error ? id : undefined}>
      <legend className={props.hideLabel ? 'sr-only' : c('legend')}>{props.label}</legend>
      {props.children}
      {props.choices.map(({ value, label, hint, disabledReason }) => (
        <label key={value} className={c('choice', disabledReason && 'disabled')}>
          <input
            type="radio"
            name={props.name}
            value={value}
            className={c('radio')}
            checked={props.value === value}
            disabled={disabledReason !== undefined}
            onChange={() => props.onChange(value)}
          />
          <span>
            {label}
            {(disabledReason ?? hint) && <span className={c('hint')}>{disabledReason ?? hint}</span>}
          </span>
        </label>
      ))}
      {props.error && (
        <p id={id} className={c('error')}>
          <AlertIcon size={16} />
          {props.error}
        </p>
      )}
    </fieldset>
  )
}
