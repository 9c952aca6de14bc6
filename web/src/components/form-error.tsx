import { type MouseEvent, useEffect, useRef } from 'react'
import { classNames } from './class-names.ts'
import css from './form-error.module.css'
import { AlertIcon } from './icons.tsx'

const c = classNames(css)

interface FormErrorProps {
  title: string
  /** `field` is the id or the name of the field the message is about; without one it is about the whole form. */
  errors: readonly { field?: string | undefined; message: string }[]
}

/** Takes focus each time it has something new to say, so that it is read out and seen wherever the person was. */
export function FormError({ title, errors }: FormErrorProps) {
  const box = useRef<HTMLDivElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new list of errors is a new try, even in the same words
  useEffect(() => box.current?.focus(), [errors])
  return (
    <div ref={box} role="alert" tabIndex={-1} className={c('summary')}>
      <AlertIcon />
      <div>
        <p className={c('title')}>{title}</p>
        {errors.length > 0 && (
          <ul className={c('list')}>
            {errors.map(({ field, message }) => (
              <li key={`${field} ${message}`}>
                {field === undefined ? (
                  message
                ) : (
                  <a href={`#${field}`} onClick={(event) => goTo(event, field)}>
                    {message}
                  </a>
                )}
              </li>
            ))}
          </ul>
        )}
      </div>
    </div>
  )
}

/** Focus without following the address, which belongs to the router. */
function goTo(event: MouseEvent, field: string) {
  event.preventDefault()
  const target = document.getElementById(field) ?? document.getElementsByName(field)[0]
  target?.focus()
}
