import type { LinkRow } from '@neptune/contract'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { classNames } from '../../components/class-names.ts'
import { Skeleton } from '../../components/feedback/skeleton.tsx'
import { Button } from '../../components/form/button.tsx'
import { CopyButton } from '../../components/form/copy-button.tsx'
import { FormError } from '../../components/form/form-error.tsx'
import { ClockIcon, ExternalIcon, KeyIcon, MailIcon, MoreIcon, TrashIcon } from '../../components/icons.tsx'
import { Drawer, DrawerSection, Facts } from '../../components/layout/drawer.tsx'
import { Menu } from '../../components/menu/menu.tsx'
import { getActivityPath } from '../../features/activity/activity-texts.ts'
import { LinkActivity, LinkCounts } from '../../features/link/link-activity.tsx'
import { sharedFilesQuery, useFreshLink } from '../../features/link/link-queries.ts'
import { LinkStateBadge } from '../../features/link/link-state-badge.tsx'
import { getArchivedLinkReason, getLinkTypeName, getUnsendableReason, needsNewOwner } from '../../features/link/link-texts.ts'
import { useHasMailServer } from '../../features/mail/mail-queries.ts'
import { MailServerLink } from '../../features/mail/mail-server-link.tsx'
import { LinkReceipts } from '../../features/receipt/link-receipts.tsx'
import { formatNumber, t } from '../../i18n/t.ts'
import { formatDateTime } from '../../lib/time/dates.ts'
import { getFilePath, paths } from '../../paths.ts'
import { useDialog } from '../shared/dialogs/dialog.ts'
import { AccessCodeField } from './access-code-field.tsx'
import css from './link-dialogs.module.css'
import { StopReasons } from './stop-reasons.tsx'
import { useExtendButton } from './use-extend-button.tsx'

const c = classNames(css)

/** Shows the state, activity, people and settings of a link, with everything that staff can do with it. */
export function LinkDetails({ link: listedLink, onClose }: { link: LinkRow; onClose: () => void }) {
  const link = useFreshLink(listedLink)
  const extend = useExtendButton(link)
  // For an expired link, the button is in the note about its expiry instead of among the actions.
  const isButtonInNote = (link.reasons?.includes('expired') ?? false) && extend.reason === undefined
  return (
    <Drawer
      eyebrow={
        <span className={c('state')}>
          {t('Link')} <LinkStateBadge link={link} />
        </span>
      }
      title={typeof link.files === 'number' ? `${getLinkTypeName(link)} · ${link.name}` : link.name}
      actions={
        <Actions link={link} extendButton={!isButtonInNote && extend.button} canChooseDate={extend.dateReason === undefined} />
      }
      onClose={onClose}
    >
      <div className={c('overview')}>
        {!isButtonInNote && extend.error && <FormError title={extend.error.message} announce="alert" />}
        <StopReasons link={link} />
        <Consequences link={link} canExtend={extend.reason === undefined} />
        <LinkCounts {...link} />
      </div>
      <DrawerSection title={t('Activity')}>
        <LinkActivity linkKey={link.key} />
        <p className={c('after')}>
          <Link to={getActivityPath('link', link.key)} state={{ name: link.name }} className={c('pageLink')}>
            {t('All activity')}
          </Link>
        </p>
      </DrawerSection>
      {typeof link.files === 'number' && <SharedFiles linkKey={link.key} count={link.files} />}
      {link.type === 'LINK_EDITABLE_DIRECTORY' && <LinkReceipts linkKey={link.key} />}
      <Settings link={link} />
    </Drawer>
  )
}

interface ActionsProps {
  link: LinkRow
  extendButton: ReturnType<typeof useExtendButton>['button']
  /** Whether the link can be extended until a date that the user chooses. */
  canChooseDate: boolean
}

function Actions({ link, extendButton, canChooseDate }: ActionsProps) {
  const open = useDialog()
  const chooseDate = {
    label: t('Extend until a date'),
    icon: <ClockIcon />,
    onSelect: () => open({ kind: 'extend-link', link }),
  }
  return (
    <>
      <CopyButton label={t('Copy link')} text={link.url} />
      <Button icon={<MailIcon />} disabledReason={getUnsendableReason(link)} onClick={() => open({ kind: 'send-link', link })}>
        {t('Send link details')}
      </Button>
      {extendButton}
      <Menu
        label={t('Actions for {name}', { name: link.name })}
        align="end"
        trigger={<MoreIcon />}
        items={[
          ...(canChooseDate ? [chooseDate] : []),
          {
            label: t('Reset access code'),
            icon: <KeyIcon />,
            disabledReason: getArchivedLinkReason(link),
            onSelect: () => open({ kind: 'reset-link', link }),
          },
          'separator',
          {
            label: t('Delete link'),
            icon: <TrashIcon />,
            danger: true,
            onSelect: () => open({ kind: 'delete-links', links: [link] }),
          },
        ]}
      />
    </>
  )
}

/** Says what else happens when the user extends the link or resets its code. */
function Consequences({ link, canExtend }: { link: LinkRow; canExtend: boolean }) {
  const hasMailServer = useHasMailServer()
  return (
    <>
      {needsNewOwner(link) && getArchivedLinkReason(link) === undefined && (
        <p className={c('hint')}>{t('If you extend it or reset its code, you become its owner.')}</p>
      )}
      {link.email && canExtend && (
        <p className={c('hint')}>
          {hasMailServer
            ? t('{email} gets an email when you extend the link.', { email: link.email })
            : t('No mail server is set up. If you extend the link, tell {email} yourself.', { email: link.email })}{' '}
          {!hasMailServer && <MailServerLink isInDialog />}
        </p>
      )}
    </>
  )
}

const maxFiles = 20

/** The files of a link to several files that recipients see now. */
function SharedFiles({ linkKey, count }: { linkKey: string; count: number }) {
  const { data: files, isError } = useQuery(sharedFilesQuery(linkKey, maxFiles))
  return (
    <DrawerSection title={t('Files')}>
      {!files && (isError ? <p className={c('hint')}>{t('The files did not load.')}</p> : <Skeleton label={t('Loading')} />)}
      <ul aria-label={t('Files')}>
        {files?.map(({ id, file_name, directory_id }) => (
          <li key={id} className={c('file')}>
            <Link to={getFilePath(directory_id, { id, name: file_name })} className={c('pageLink')}>
              {file_name}
            </Link>
          </li>
        ))}
      </ul>
      {count > maxFiles && (
        <p className={c('hint')}>
          {t('Only the first {shown} of {count} files are listed.', {
            shown: formatNumber(maxFiles),
            count: formatNumber(count),
          })}
        </p>
      )}
    </DrawerSection>
  )
}

/** What the link opens, for whom and until when, with its address and code. */
function Settings({ link }: { link: LinkRow }) {
  const { key, url, maker, email, expiry } = link
  const reasons = link.reasons ?? []
  return (
    <DrawerSection title={t('People and settings')}>
      <Facts
        facts={[
          { name: t('Owner'), value: maker },
          ...(email ? [{ name: t('Sent to'), value: email }] : []),
          { name: t('Type'), value: getLinkTypeName(link) },
          { name: t('Expires'), value: formatDateTime(expiry) },
          { name: t('Link'), value: url },
        ]}
      />
      <div className={c('access')}>
        <AccessCodeField link={link} />
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
        </p>
      </div>
    </DrawerSection>
  )
}
