import { type ComponentProps, useEffect, useRef } from 'react'
import { classNames } from '../class-names.ts'
import css from './checkbox.module.css'

const c = classNames(css)

type CheckboxProps = Omit<ComponentProps<'input'>, 'type' | 'className' | 'ref'> & { label: string }

export function Checkbox({ label, ...input }: CheckboxProps) {
  return (
    <label className={c('label')}>
      <input {...input} type="checkbox" className={c('input')} />
      {label}
    </label>
  )
}

/** A checkbox for tables, without a visible label. It fills its cell, so that a shift-click works anywhere in it. */
export function BareCheckbox({ label, indeterminate = false, ...input }: CheckboxProps & { indeterminate?: boolean }) {
  const box = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (box.current) box.current.indeterminate = indeterminate
  }, [indeterminate])
  return <input {...input} ref={box} type="checkbox" aria-label={label} className={c('input', 'bare')} />
}
