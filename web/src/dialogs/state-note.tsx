import type { LinkRow } from '@neptune/contract'
import { classNames } from '../components/class-names.ts'
import { AlertIcon } from '../components/icons.tsx'
import { stateName, stateReason } from '../features/link/link-words.ts'
import parts from './parts.module.css'

const c = classNames(parts)

/** Said before somebody passes on a link that opens nothing. */
export const StateNote = (link: Pick<LinkRow, 'state' | 'replaced'>) =>
  stateReason(link) && (
    <p className={c('note')}>
      <AlertIcon />
      <span>
        {stateName(link)}. {stateReason(link)}
      </span>
    </p>
  )
