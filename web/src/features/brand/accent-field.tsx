import { deriveAccent, findPermittedAccent, isPermittedAccent } from '@neptune/contract'
import { classNames } from '../../components/class-names.ts'
import fieldCss from '../../components/form/field.module.css'
import { FieldFrame } from '../../components/form/field-frame.tsx'
import { t } from '../../i18n/t.ts'
import css from './accent-field.module.css'

const c = classNames({ ...fieldCss, ...css })

interface AccentFieldProps {
  name: string
  /** A colour such as `#006eb3`, or empty for the standard one. */
  value: string
  error: string | undefined
  disabled?: boolean | undefined
  hint: string
  onChange: (value: string) => void
}

/** Lets the user choose the accent colour with the browser’s picker or as a hexadecimal number, and shows a button in it. */
export function AccentField({ name, value, error, disabled, hint, onChange }: AccentFieldProps) {
  const isValid = findAccentError(value) === undefined && value !== ''
  return (
    <FieldFrame id={undefined} label={t('Accent colour')} hint={hint} error={error}>
      {(controlProps) => (
        <div className={c('row')}>
          <input
            type="color"
            aria-label={t('Choose the accent colour')}
            value={isHexColor(value) ? value : '#006eb3'}
            disabled={disabled}
            onChange={({ target }) => onChange(target.value)}
            className={c('picker')}
          />
          <input
            type="text"
            {...controlProps}
            name={name}
            value={value}
            disabled={disabled}
            maxLength={7}
            placeholder="#006eb3"
            autoComplete="off"
            spellCheck={false}
            onChange={({ target }) => onChange(target.value)}
            className={c('input', 'hex')}
          />
          {isValid && <AccentSample accent={value} />}
        </div>
      )}
    </FieldFrame>
  )
}

/** A picture of a button, on a light and on a dark page. */
function AccentSample({ accent }: { accent: string }) {
  const shades = deriveAccent(accent)
  return (
    <span aria-hidden="true" className={c('samples')}>
      {(['light', 'dark'] as const).map((theme) => (
        <span key={theme} className={c('page', theme)}>
          <span className={c('sample')} style={{ background: shades[theme].fill, color: shades[theme].onFill }}>
            {t('Continue')}
          </span>
        </span>
      ))}
    </span>
  )
}

const isHexColor = (value: string) => /^#[0-9a-f]{6}$/i.test(value)

/** Returns why a colour can’t be used. An empty value is the standard colour. */
export function findAccentError(value: string): string | undefined {
  if (value === '') return undefined
  if (!isHexColor(value)) return t('Enter a colour, such as #006eb3.')
  if (isPermittedAccent(value)) return undefined
  const color = findPermittedAccent(value)
  return t('Buttons in this colour can hardly be seen on a white page. Use {color}, or a darker colour.', { color })
}
