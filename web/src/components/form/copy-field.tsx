import { useRef } from 'react'
import { t, toInlineLabel } from '../../i18n/t.ts'
import { classNames } from '../class-names.ts'
import { CheckIcon, CopyIcon } from '../icons.tsx'
import { IconButton } from './button.tsx'
import css from './copy-field.module.css'
import { FieldFrame, type FieldProps } from './field-frame.tsx'
import { useCopy } from './use-copy.ts'

const c = classNames(css)

interface CopyFieldProps extends FieldProps {
  /** Empty if there is nothing to copy yet. */
  value: string
  /** Shown while the value is empty. */
  placeholder?: string | undefined
  /** The field name that errors refer to. */
  name?: string | undefined
}

export function CopyField({ value, placeholder, name, ...frame }: CopyFieldProps) {
  const input = useRef<HTMLInputElement>(null)
  const { outcome, copy } = useCopy(value, input)
  return (
    <FieldFrame id={undefined} {...frame}>
      {(controlProps) => (
        <>
          <input
            {...controlProps}
            ref={input}
            name={name}
            readOnly
            value={value}
            placeholder={placeholder}
            spellCheck={false}
            className={c('input')}
            onFocus={(event) => event.currentTarget.select()}
          />
          {value !== '' && (
            <span className={c('button')}>
              <IconButton
                label={t('Copy {what}', { what: toInlineLabel(frame.label) })}
                icon={outcome === 'copied' ? <CheckIcon /> : <CopyIcon />}
                className={c(outcome)}
                onClick={() => void copy()}
              />
            </span>
          )}
          <span role="status" className="sr-only">
            {outcome && t(messages[outcome])}
          </span>
        </>
      )}
    </FieldFrame>
  )
}

const messages = { copied: 'Copied', failed: 'Not copied. The text is selected; copy it with your keyboard.' } as const
