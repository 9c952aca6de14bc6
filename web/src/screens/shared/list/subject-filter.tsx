import type { ReactNode } from 'react'
import { classNames } from '../../../components/class-names.ts'
import { IconButton } from '../../../components/form/button.tsx'
import { CloseIcon } from '../../../components/icons.tsx'
import css from './subject-filter.module.css'

const c = classNames(css)

interface Props {
  icon: ReactNode
  text: string
  clearLabel: string
  onClear: () => void
}

/** Shows the file, directory, link or person that the URL filters a list by, with a button that removes the filter. */
export function SubjectFilter({ icon, text, clearLabel, onClear }: Props) {
  const clear = () => {
    onClear()
    document.getElementById('main')?.focus({ preventScroll: true })
  }
  return (
    <p className={c('filter')}>
      {icon}
      <span>{text}</span>
      <IconButton label={clearLabel} icon={<CloseIcon />} onClick={clear} />
    </p>
  )
}
