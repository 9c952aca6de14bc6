import type { LinkRow } from '@neptune/contract'
import { classNames } from '../components/class-names.ts'
import { AlertIcon } from '../components/icons.tsx'
import { stateNames, stateReasons } from '../features/link/link-words.ts'
import css from './link-dialogs.module.css'

const c = classNames(css)

/** Said before somebody passes on a link that opens nothing. */
export const StateNote = ({ state }: Pick<LinkRow, 'state'>) =>
  stateReasons[state] && (
    <p className={c('note')}>
      <AlertIcon />
      <span>
        {stateNames[state]}. {stateReasons[state]}
      </span>
    </p>
  )
