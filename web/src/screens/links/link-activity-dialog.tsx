import type { LinkRow } from '@neptune/contract'
import { Link } from 'react-router'
import { classNames } from '../../components/class-names.ts'
import { Button } from '../../components/form/button.tsx'
import { CopyField } from '../../components/form/copy-field.tsx'
import { FormError } from '../../components/form/form-error.tsx'
import { ClockIcon, ExternalIcon, KeyIcon, MailIcon, TrashIcon } from '../../components/icons.tsx'
import { DialogFrame } from '../../components/layout/dialog-frame.tsx'
import { getActivityPath } from '../../features/activity/activity-texts.ts'
import { LinkActivity, LinkCounts } from '../../features/link/link-activity.tsx'
import { useFreshLink } from '../../features/link/link-queries.ts'
import { getArchivedLinkReason, needsNewOwner, summarizeLink } from '../../features/link/link-texts.ts'
import { useHasMailServer } from '../../features/mail/mail-queries.ts'
import { MailServerLink } from '../../features/mail/mail-server-link.tsx'
import { LinkReceipts } from '../../features/receipt/link-receipts.tsx'
import { t } from '../../i18n/t.ts'
import { paths } from '../../paths.ts'
import { useDialog } from '../shared/dialogs/dialog.ts'
import { AccessCodeField } from './access-code-field.tsx'
import css from './link-dialogs.module.css'
import { StopReasons } from './stop-reasons.tsx'
import { useExtendButton } from './use-extend-button.tsx'

const c = classNames(css)

/** Shows a link's details and activity, and a preview as its recipient. */
export function LinkActivityDialog({ link: listedLink, onClose }: { link: LinkRow; onClose: () => void }) {
  const link = useFreshLink(listedLink)
  const { key, name, type, maker, email } = link
  const reasons = link.reasons ?? []
  return (
    <DialogFrame
      title={t('Link activity')}
      description={
        email
          ? t('“{name}”, shared by {maker}, for {email}.', { name, maker, email })
          : t('“{name}”, shared by {maker}.', { name, maker })
      }
      confirmLabel={t('Close')}
      onClose={onClose}
    >
      <StopReasons link={link} />
      <LinkCounts {...link} />
      <p className={c('pageLinks')}>
        {reasons.length === 0 && (
          <a href={`${paths.access(key)}?as=recipient`} target="_blank" rel="noopener" className={c('pageLink')}>
            {t('View as recipient')}
            <ExternalIcon size={16} />
            <span className="sr-only">{t('(opens in a new tab)')}</span>
          </a>
        )}
        {!reasons.includes('directory_deleted') && (
          <Link to={paths.directory(link.directory_id)} className={c('pageLink')}>
            {t('Open directory')}
          </Link>
        )}
        <Link to={getActivityPath('link', key)} state={{ name }} className={c('pageLink')}>
          {t('All activity')}
        </Link>
      </p>
      <p className={c('hint')}>{summarizeLink(link)}</p>
      <CopyField label={t('Link')} value={link.url} />
      <AccessCodeField link={link} />
      <Actions link={link} />
      {type === 'LINK_EDITABLE_DIRECTORY' && <LinkReceipts linkKey={key} />}
      <LinkActivity linkKey={key} />
    </DialogFrame>
  )
}

/** The actions that the list offers for a selected link, and one to extend it. */
function Actions({ link }: { link: LinkRow }) {
  const open = useDialog()
  const extend = useExtendButton(link)
  const hasMailServer = useHasMailServer()
  const archivedReason = getArchivedLinkReason(link)
  // A link that has expired is extended where its dialog says so.
  const isInNote = link.reasons?.includes('expired') && extend.reason === undefined
  return (
    <>
      {!isInNote && extend.error && <FormError title={extend.error.message} announce="alert" />}
      <div className={c('actions')}>
        {!isInNote && extend.button}
        {extend.dateReason === undefined && (
          <Button icon={<ClockIcon />} onClick={() => open({ kind: 'extend-link', link })}>
            {t('Extend until a date')}
          </Button>
        )}
        <Button icon={<MailIcon />} disabledReason={archivedReason} onClick={() => open({ kind: 'send-link', link })}>
          {t('Send link details')}
        </Button>
        <Button icon={<KeyIcon />} disabledReason={archivedReason} onClick={() => open({ kind: 'reset-link', link })}>
          {t('Reset access code')}
        </Button>
        <Button icon={<TrashIcon />} onClick={() => open({ kind: 'delete-links', links: [link] })}>
          {t('Delete link')}
        </Button>
      </div>
      {needsNewOwner(link) && archivedReason === undefined && (
        <p className={c('hint')}>{t('If you extend it or reset its code, you become its owner.')}</p>
      )}
      {link.email && extend.reason === undefined && (
        <p className={c('hint')}>
          {hasMailServer
            ? t('{email} gets an email when you extend the link.', { email: link.email })
            : t('No mail server is set up. If you extend the link, tell {email} yourself.', { email: link.email })}{' '}
          {!hasMailServer && <MailServerLink inDialog />}
        </p>
      )}
    </>
  )
}
