import type { LinkRow, LinkStopReason } from '@neptune/contract'
import { useIsAdmin } from '../../api/session.ts'
import { classNames } from '../../components/class-names.ts'
import { Button } from '../../components/form/button.tsx'
import { FormError } from '../../components/form/form-error.tsx'
import { AlertIcon } from '../../components/icons.tsx'
import { describeStopReason, getStateName, isOwnerReason, needsNewOwner } from '../../features/link/link-texts.ts'
import { useFixLink } from '../../features/link/use-fix-link.ts'
import { type Text, t } from '../../i18n/t.ts'
import { useDialog } from '../shared/dialogs/dialog.ts'
import parts from '../shared/dialogs/dialog-parts.module.css'
import css from './link-dialogs.module.css'
import { useExtendButton } from './use-extend-button.tsx'

const c = classNames({ ...parts, ...css })

/** Lists why a link doesn’t work, in the order to fix it, with what the user may do about each reason. */
export function StopReasons({ link }: { link: LinkRow }) {
  const fix = useFixLink()
  const reasons = link.reasons ?? []
  const firstOwnerReason = reasons.find(isOwnerReason)
  if (reasons.length === 0) return null
  return (
    <>
      {fix.error && <FormError title={fix.error.message} announce="alert" />}
      <div className={c('note')}>
        <AlertIcon />
        <div className={c('reasons')}>
          <p>{getStateName(link)}.</p>
          <ul className={c('reasonList')} aria-label={t('Why it doesn’t work')}>
            {reasons.map((reason) => (
              <li key={reason} className={c('reason')}>
                <span>{describeStopReason(reason, link)}</span>
                <ReasonActions
                  link={link}
                  reason={reason}
                  offersNewOwner={reason === firstOwnerReason}
                  busy={fix.isBusy && fix.input?.reason === reason}
                  onFix={() => fix.run({ link, reason })}
                />
              </li>
            ))}
          </ul>
        </div>
      </div>
    </>
  )
}

interface ReasonActionsProps {
  link: LinkRow
  reason: LinkStopReason
  /** Whether to offer another owner, which removes all reasons that are about the owner. */
  offersNewOwner: boolean
  busy: boolean
  onFix: () => void
}

/** Shows what the user may do about a reason: buttons, or whom to ask. */
function ReasonActions({ link, reason, offersNewOwner, busy, onFix }: ReasonActionsProps) {
  const isAdmin = useIsAdmin()
  const open = useDialog()
  if (reason === 'expired') return <ExpiredActions link={link} />
  const canFix = isAdmin || reason === 'file_deleted' || reason === 'directory_deleted'
  const label = getFixLabel(link, reason)
  const fixButton = label !== undefined && canFix && (
    <Button busy={busy} onClick={onFix}>
      {label}
    </Button>
  )
  if (!isOwnerReason(reason)) return fixButton || (reason === 'company_archived' && t(askAdmin))
  if (!isAdmin) return null
  return (
    <span className={c('actions')}>
      {fixButton}
      {offersNewOwner && <Button onClick={() => open({ kind: 'hand-over-link', link })}>{t('Hand over')}</Button>}
    </span>
  )
}

/** Extends a link that has expired, and says who owns it then. */
function ExpiredActions({ link }: { link: LinkRow }) {
  const { button, reason, error } = useExtendButton(link)
  if (reason !== undefined) return null
  return (
    <>
      {error && <FormError title={error.message} announce="alert" />}
      <span className={c('actions')}>
        {button} {needsNewOwner(link) && t('You become its owner.')}
      </span>
    </>
  )
}

const askAdmin = 'Ask an administrator to restore the company.' satisfies Text

function getFixLabel(link: LinkRow, reason: LinkStopReason): string | undefined {
  if (reason === 'file_deleted') return link.file_id === null ? undefined : t('Restore file')
  if (reason === 'directory_deleted') return t('Restore directory')
  if (reason === 'company_archived') return t('Restore company')
  return reason === 'owner_suspended' ? t('Restore {name} (a user)', { name: link.maker }) : undefined
}
