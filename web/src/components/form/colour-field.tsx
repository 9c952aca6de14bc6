import type { ComponentProps } from 'react'
import { t } from '../../i18n/t.ts'
import { classNames } from '../class-names.ts'
import colourCss from './colour-field.module.css'
import css from './field.module.css'
import { FieldFrame, type FieldProps } from './field-frame.tsx'

const c = classNames({ ...css, ...colourCss })

interface ColourFieldProps extends FieldProps, Omit<ComponentProps<'input'>, 'className'> {
  /** The colour that the picker shows, as `#rrggbb`. */
  colour: string
  onPick: (colour: string) => void
}

/** A colour as `#rrggbb`, typed or chosen with the browser’s own picker. */
export function ColourField({ id, label, hideLabel, hint, error, colour, onPick, ...input }: ColourFieldProps) {
  return (
    <FieldFrame {...{ id, label, hideLabel, hint, error }}>
      {(controlProps) => (
        <div className={c('colour')}>
          <input
            type="color"
            aria-label={t('Choose a colour')}
            className={c('picker')}
            value={colour}
            disabled={input.disabled}
            onChange={({ target }) => onPick(target.value)}
          />
          <input
            type="text"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            maxLength={7}
            {...input}
            {...controlProps}
            className={c('input', 'hex')}
          />
        </div>
      )}
    </FieldFrame>
  )
}
