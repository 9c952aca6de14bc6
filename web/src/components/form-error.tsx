import { type MouseEvent, useEffect, useId, useRef } from 'react'
import { classNames } from './class-names.ts'
import css from './form-error.module.css'
import { AlertIcon } from './icons.tsx'

const c = classNames(css)

interface BoxProps {
  title: string
  /** `field` is the id or the name of the field the message is about; without one it is about the whole form. */
  errors?: readonly { field?: string | undefined; message: string }[] | undefined
  /** `focus` moves there, which reads it out; `alert` reads it out and leaves the focus; `none` changes its words in silence. */
  announce?: 'focus' | 'alert' | 'none' | undefined
}

export interface FormErrorProps extends BoxProps {
  /** Another value for each try that failed. */
  attempt?: string | number | undefined
}

/** Why a form was not accepted. A new try is a new box, so that it is told again even in the same words. */
export const FormError = ({ attempt, ...box }: FormErrorProps) => <Box key={attempt} {...box} />

function Box({ title, errors = [], announce = 'focus' }: BoxProps) {
  const box = useRef<HTMLDivElement>(null)
  const id = useId()
  const takesFocus = announce === 'focus'
  useEffect(() => {
    if (takesFocus) box.current?.focus()
  }, [takesFocus])
  const role = takesFocus
    ? {
        role: 'group',
        tabIndex: -1,
        'aria-labelledby': `${id}-title`,
        'aria-describedby': errors.length > 0 ? `${id}-list` : undefined,
      }
    : { role: 'alert', 'aria-live': announce === 'none' ? ('off' as const) : undefined }
  return (
    <div ref={box} {...role} className={c('box')}>
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
