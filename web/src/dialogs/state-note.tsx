import type { LinkRow } from '@neptune/contract'
import { classNames } from '../components/class-names.ts'
import { AlertIcon } from '../components/icons.tsx'
import { stateNames, stateReason } from '../features/link/link-words.ts'
import { t } from '../words/t.ts'
import parts from './parts.module.css'

const c = classNames(parts)

/** Said before somebody passes on a link that opens nothing. */
export const StateNote = ({ state }: Pick<LinkRow, 'state'>) =>
  stateReason(state) && (
    <p className={c('note')}>
      <AlertIcon />
      <span>
        {t(stateNames[state])}. {stateReason(state)}
      </span>
    </p>
  )
