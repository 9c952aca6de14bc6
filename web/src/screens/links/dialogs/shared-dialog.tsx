import { classNames } from '../../../components/class-names.ts'
import { AlertIcon } from '../../../components/icons.tsx'
import { DialogFrame } from '../../../components/layout/dialog-frame.tsx'
import { LinkPicture, ReadyDetails } from '../../../features/link/link-ready.tsx'
import { getLinkTypeName } from '../../../features/link/link-texts.ts'
import type { Shared } from '../../../features/link/use-share.ts'
import { t } from '../../../i18n/t.ts'
import { formatDateTime } from '../../../lib/time/dates.ts'
import { useDialog } from '../../shared/dialogs/dialog.ts'
import parts from '../../shared/dialogs/dialog-parts.module.css'
import css from '../link-dialogs.module.css'

const c = classNames({ ...parts, ...css })

/** Shows a new link with its code, and to whom it was sent. */
export function SharedDialog({ ready, sentTo, unsent, onClose }: Shared & { onClose: () => void }) {
  const open = useDialog()
  const { link, accessCode } = ready
  return (
    <DialogFrame
      title={t('Link ready')}
      description={`${link.name} · ${getLinkTypeName(link)} · ${t('until {date}', { date: formatDateTime(link.expiry) })}`}
      confirmLabel={t('Close')}
      isShownOnce
      onClose={onClose}
    >
      {sentTo.length > 0 && <p>{t('The link details are on their way to {email}.', { email: sentTo.join(', ') })}</p>}
      {unsent.map(({ address, reason }) => (
        <p key={address} className={c('note')}>
          <AlertIcon />
          {t('Not sent to {email}: {reason}', { email: address, reason })}
        </p>
      ))}
      <div className={c('ready')}>
        <ReadyDetails isMain link={link} accessCode={accessCode} onSend={() => open({ kind: 'send-link', link, accessCode })} />
        <LinkPicture link={link} />
      </div>
    </DialogFrame>
  )
}
