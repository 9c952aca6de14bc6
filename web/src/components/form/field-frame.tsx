import { type ReactNode, useId } from 'react'
import { classNames } from '../class-names.ts'
import { AlertIcon } from '../entry-icons.tsx'
import css from './field.module.css'

const c = classNames(css)

export interface FieldProps {
  label: string
  hideLabel?: boolean | undefined
  hint?: ReactNode
  error?: string | undefined
}

interface ControlProps {
  id: string
  'aria-describedby': string | undefined
  'aria-invalid': true | undefined
}

/** The label, hint and error around a form control, connected to it by ARIA attributes. */
export function FieldFrame({
  id,
  label,
  hideLabel,
  hint,
  error,
  children,
}: FieldProps & { id: string | undefined; children: (controlProps: ControlProps) => ReactNode }) {
  const generatedId = useId()
  const fieldId = id ?? generatedId
  const describedBy = [hint && `${fieldId}-hint`, error && `${fieldId}-error`].filter(Boolean).join(' ')
  return (
    <div className={c('field')}>
      <label htmlFor={fieldId} className={hideLabel ? 'sr-only' : c('label')}>
        {label}
      </label>
      <div className={c('control')}>
        {children({ id: fieldId, 'aria-describedby': describedBy || undefined, 'aria-invalid': error ? true : undefined })}
      </div>
      {hint && (
        <p id={`${fieldId}-hint`} className={c('hint')}>
          {hint}
        </p>
      )}
      {error && (
        <p id={`${fieldId}-error`} className={c('error')}>
          <AlertIcon size={16} />
          {error}
        </p>
      )}
    </div>
  )
}
