import type { ReactNode } from 'react'
import { classNames } from '../../components/class-names.ts'
import { AlertIcon } from '../../components/entry-icons.tsx'
import css from './sign-in-section.module.css'

const c = classNames(css)

interface SignInItemProps {
  name: string
  note: string
  isWarning?: boolean
  /** The buttons. */
  children: ReactNode
}

/** One of the ways in which the user proves who they are. */
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
