import { type ComponentProps, useState } from 'react'
import { t, toInlineLabel } from '../../i18n/t.ts'
import { classNames } from '../class-names.ts'
import { ChevronDownIcon, EyeIcon, EyeOffIcon } from '../entry-icons.tsx'
import { IconButton } from './button.tsx'
import css from './field.module.css'
import { FieldFrame, type FieldProps } from './field-frame.tsx'

const c = classNames(css)

type InputProps = FieldProps & Omit<ComponentProps<'input'>, 'className'>

export function TextField({ id, label, hideLabel, hint, error, ...input }: InputProps) {
  return (
    <FieldFrame {...{ id, label, hideLabel, hint, error }}>
      {(controlProps) => <input type="text" {...input} {...controlProps} className={c('input')} />}
    </FieldFrame>
  )
}

export function DateField(props: Omit<InputProps, 'type'>) {
  return <TextField {...props} type="date" />
}

/** A password field with a toggle button that shows the characters. */
export function PasswordField({ id, label, hideLabel, hint, error, ...input }: Omit<InputProps, 'type'>) {
  const [isShown, setShown] = useState(false)
  return (
    <FieldFrame {...{ id, label, hideLabel, hint, error }}>
      {(controlProps) => (
        <>
          <input
            autoCapitalize="none"
            autoCorrect="off"
            spellCheck={false}
            {...input}
            {...controlProps}
            type={isShown ? 'text' : 'password'}
            className={c('input', 'withButton')}
          />
          {!input.disabled && (
            <span className={c('innerButton')}>
              <IconButton
                label={t('Show {what}', { what: toInlineLabel(label) })}
                aria-pressed={isShown}
                icon={isShown ? <EyeOffIcon /> : <EyeIcon />}
                onClick={() => setShown(!isShown)}
              />
            </span>
          )}
        </>
      )}
    </FieldFrame>
  )
}

interface Option {
  value: string
  label: string
  disabled?: boolean | undefined
}

interface SelectProps extends FieldProps, Omit<ComponentProps<'select'>, 'className' | 'children'> {
  /** Options, optionally grouped under headings. */
  options: readonly (Option | { label: string; options: readonly Option[] })[]
  placeholder?: string | undefined
}

export function SelectField({ id, label, hideLabel, hint, error, options, placeholder, ...select }: SelectProps) {
  // Without an explicit value, browsers skip a disabled placeholder and select the first option.
  const initialValue = placeholder !== undefined && select.value === undefined ? { defaultValue: select.defaultValue ?? '' } : {}
  return (
    <FieldFrame {...{ id, label, hideLabel, hint, error }}>
      {(controlProps) => (
        <>
          <select {...select} {...initialValue} {...controlProps} className={c('input', 'select')}>
            {placeholder !== undefined && (
              <option value="" disabled={select.required}>
                {placeholder}
              </option>
            )}
            {options.map((option) =>
              'options' in option ? (
                <optgroup key={option.label} label={option.label}>
                  {option.options.map(renderOption)}
                </optgroup>
              ) : (
                renderOption(option)
              ),
            )}
          </select>
          <span className={c('chevron')}>
            <ChevronDownIcon size={16} />
          </span>
        </>
      )}
    </FieldFrame>
  )
}

const renderOption = ({ value, label, disabled }: Option) => (
  <option key={value} value={value} disabled={disabled}>
    {label}
  </option>
)
