import type { ReactNode } from 'react'
import { classNames } from '../../components/class-names.ts'
import { AlertIcon } from '../../components/entry-icons.tsx'
import css from './sign-in-section.module.css'

const c = classNames(css)

interface SignInItemProps {
  name: string
  note: string
  isWarning?: boolean
  /** The buttons of the method. */
  children: ReactNode
}

/** A sign-in method in a list: its name, its state and its buttons. */
export const SignInItem = ({ name, note, isWarning = false, children }: SignInItemProps) => (
  <li className={c('item')}>
    <div>
      <h3 className={c('name')}>{name}</h3>
      <p className={c('note', isWarning && 'warning')}>
        {isWarning && <AlertIcon size={16} />}
        <span>{note}</span>
      </p>
    </div>
    {children}
  </li>
)
