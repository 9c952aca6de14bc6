import type { ComponentProps } from 'react'
import { classNames } from '../class-names.ts'
import css from './field.module.css'
import { FieldFrame, type FieldProps } from './field-frame.tsx'
import areaCss from './text-area.module.css'

const c = classNames({ ...css, ...areaCss })

export function TextArea({
  id,
  label,
  hideLabel,
  hint,
  error,
  ...area
}: FieldProps & Omit<ComponentProps<'textarea'>, 'className'>) {
  return (
    <FieldFrame {...{ id, label, hideLabel, hint, error }}>
      {(controlProps) => <textarea {...area} {...controlProps} className={c('input', 'area')} />}
    </FieldFrame>
  )
}
