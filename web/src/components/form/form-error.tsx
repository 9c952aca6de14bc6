import { type MouseEvent, useEffect, useId, useRef } from 'react'
import { classNames } from '../class-names.ts'
import { AlertIcon } from '../entry-icons.tsx'
import css from './form-error.module.css'

const c = classNames(css)

interface ErrorBoxProps {
  title: string
  /** `field` is the id or name of the field. Without it, the message concerns the whole form. */
  errors?: readonly { field?: string | undefined; message: string }[] | undefined
  /** `focus` moves the focus to the box, which announces it. `alert` announces it without moving the focus. `none` is silent. */
  announce?: 'focus' | 'alert' | 'none' | undefined
}

export interface FormErrorProps extends ErrorBoxProps {
  /** Changes with each failed attempt. */
  attempt?: string | number | undefined
}

/** Shows why a form was rejected. Each attempt mounts a new box, so that the same error is announced again. */
export const FormError = ({ attempt, ...box }: FormErrorProps) => <ErrorBox key={attempt} {...box} />

function ErrorBox({ title, errors = [], announce = 'focus' }: ErrorBoxProps) {
  const box = useRef<HTMLDivElement>(null)
  const id = useId()
  const takesFocus = announce === 'focus'
  useEffect(() => {
    if (takesFocus) box.current?.focus()
  }, [takesFocus])
  const roleProps = takesFocus
    ? {
        role: 'group',
        tabIndex: -1,
        'aria-labelledby': `${id}-title`,
        'aria-describedby': errors.length > 0 ? `${id}-list` : undefined,
      }
    : { role: 'alert', 'aria-live': announce === 'none' ? ('off' as const) : undefined }
  return (
    <div ref={box} {...roleProps} className={c('box')}>
      <AlertIcon />
      <div>
        <p id={`${id}-title`} className={c('title')}>
          {title}
        </p>
        {errors.length > 0 && (
          <ul id={`${id}-list`} className={c('list')}>
            {errors.map(({ field, message }) => (
              <li key={`${field} ${message}`}>
                {field === undefined ? (
                  message
                ) : (
                  <a href={`#${field}`} onClick={(event) => focusField(event, field)}>
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

/** Focuses a field without changing the URL, which belongs to the router. If several have the same name, focuses the first enabled one. */
function focusField(event: MouseEvent, field: string) {
  event.preventDefault()
  const target =
    document.getElementById(field) ?? [...document.getElementsByName(field)].find((control) => !control.matches(':disabled'))
  target?.focus()
}
