import type { ComponentProps } from 'react'
import { t } from '../../i18n/t.ts'
import { classNames } from '../class-names.ts'
import { ChevronDownIcon } from '../entry-icons.tsx'
import css from './field.module.css'
import { FieldFrame, type FieldProps } from './field-frame.tsx'
import quantityCss from './quantity-field.module.css'

const c = classNames({ ...css, ...quantityCss })

interface QuantityFieldProps extends FieldProps, Omit<ComponentProps<'input'>, 'className'> {
  /** The units to choose from. A single one is shown as text. */
  units: readonly { value: string; label: string }[]
  unit?: string | undefined
  onUnitChange?: ((unit: string) => void) | undefined
}

/** A number and its unit. */
export function QuantityField(props: QuantityFieldProps) {
  const { id, label, hideLabel, hint, error, units, unit, onUnitChange, ...input } = props
  return (
    <FieldFrame {...{ id, label, hideLabel, hint, error }}>
      {(controlProps) => (
        <div className={c('quantity')}>
          <input
            type="text"
            inputMode="decimal"
            autoComplete="off"
            maxLength={24}
            {...input}
            {...controlProps}
            className={c('input', 'number')}
          />
          {onUnitChange ? (
            <span className={c('control')}>
              <select
                aria-label={t('{label}: unit', { label })}
                className={c('input', 'select')}
                value={unit}
                disabled={input.disabled}
                onChange={({ target }) => onUnitChange(target.value)}
              >
                {units.map(({ value, label }) => (
                  <option key={value} value={value}>
                    {label}
                  </option>
                ))}
              </select>
              <span className={c('chevron')}>
                <ChevronDownIcon size={16} />
              </span>
            </span>
          ) : (
            <span className={c('unit')}>{units[0]?.label}</span>
          )}
        </div>
      )}
    </FieldFrame>
  )
}
