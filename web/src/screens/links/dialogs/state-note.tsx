import { classNames } from '../../../components/class-names.ts'
import { AlertIcon } from '../../../components/icons.tsx'
import { getStateName, getStopReason, type LinkStatus } from '../../../features/link/link-texts.ts'
import parts from '../../shared/dialogs/dialog-parts.module.css'

const c = classNames(parts)

/** Warns that a link does not work in its current state. */
export const StateNote = (link: LinkStatus) =>
  getStopReason(link) && (
    <p className={c('note')}>
      <AlertIcon />
      <span>
        {getStateName(link)}. {getStopReason(link)}
      </span>
    </p>
  )
