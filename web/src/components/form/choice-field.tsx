import { classNames } from '../class-names.ts'
import css from './choice-field.module.css'

const c = classNames(css)

interface Choice<Value extends string> {
  value: Value
  label: string
  hint?: string | undefined
}

interface ChoiceFieldProps<Value extends string> {
  label: string
  hideLabel?: boolean | undefined
  name: string
  choices: readonly Choice<Value>[]
  value: Value
  onChange: (value: Value) => void
}

/** A few choices that exclude each other, all visible at once. */
export const ChoiceField = <Value extends string>(props: ChoiceFieldProps<Value>) => (
  <fieldset className={c('choices')}>
    <legend className={props.hideLabel ? 'sr-only' : c('legend')}>{props.label}</legend>
    {props.choices.map(({ value, label, hint }) => (
      <label key={value} className={c('choice')}>
        <input
          type="radio"
          name={props.name}
          value={value}
          className={c('radio')}
          checked={props.value === value}
          onChange={() => props.onChange(value)}
        />
        <span>
          {label}
          {hint && <span className={c('hint')}>{hint}</span>}
        </span>
      </label>
    ))}
  </fieldset>
)
