import type { AttentionRow, LinkAsk, LinkRow } from '@neptune/contract'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { Age } from '../../components/age.tsx'
import { classNames } from '../../components/class-names.ts'
import { useToast } from '../../components/feedback/toast.tsx'
import { UsageBadge } from '../../components/feedback/usage.tsx'
import { Button, ButtonLink } from '../../components/form/button.tsx'
import { AlertIcon, ClockIcon, EyeOffIcon, KeyIcon, MailIcon } from '../../components/icons.tsx'
import { useExtension } from '../../features/link/link-limits.ts'
import { useExtendLink } from '../../features/link/link-queries.ts'
import { getStopReason } from '../../features/link/link-texts.ts'
import { describeRequest, NewOwnerNote, RequestActions, RequestMessage } from '../../features/link/recipient-requests.tsx'
import { useHasMailServer } from '../../features/mail/mail-queries.ts'
import { t } from '../../i18n/t.ts'
import { defaultCompany } from '../../lib/default-company.ts'
import { shortenName } from '../../lib/shorten-name.ts'
import { formatSize } from '../../lib/sizes.ts'
import { formatDateTime, formatDaysLeft } from '../../lib/time/dates.ts'
import { paths } from '../../paths.ts'
import { useDialog } from '../shared/dialogs/dialog.ts'
import css from './attention.module.css'

const c = classNames(css)

interface ItemProps {
  row: AttentionRow
  /** The name of its subject, made distinct from the names of other rows. */
  label: string
  onFailure: (message: string | undefined) => void
}

/** Returns the name of the subject of a row. */
export const getSubject = ({ kind, request, link, company, emails }: AttentionRow): string =>
  kind === 'emails' ? t('{n} emails couldn’t be sent', { n: emails ?? 0 }) : (request?.name ?? link?.name ?? company?.name ?? '')

/** A row with what happened, which client it is about, since when, and what to do. */
export function AttentionItem({ row, label, onFailure }: ItemProps) {
  const { kind, request, link, company, since } = row
  if (request) return <RequestItem request={request} onFailure={onFailure} />
  if (link && kind === 'expiring') return <ExpiringItem link={link} label={label} onFailure={onFailure} />
  if (link) return <LinkItem link={link} label={label} isStopped={kind === 'stopped'} since={since} />
  if (company) return <CompanyItem company={company} label={label} />
  return (
    <Item
      icon={<MailIcon />}
      title={<Link to={failedMailPath}>{label}</Link>}
      details={since && <Age instant={since} short />}
      action={
        <ButtonLink to={failedMailPath} aria-label={t('Show: {name}', { name: label })}>
          {t('Show')}
        </ButtonLink>
      }
    />
  )
}

const failedMailPath = `${paths.mail}?state=failed`

interface ItemParts {
  icon: ReactNode
  title: ReactNode
  details: ReactNode
  client?: string | null
  action: ReactNode
}

const Item = ({ icon, title, details, client, action }: ItemParts) => (
  <li className={c('row')}>
    {icon}
    <div className={c('text')}>
      <p className={c('title')}>{title}</p>
      <p className={c('details')}>{details}</p>
      {client !== undefined && <p className={c('details')}>{client ?? defaultCompany}</p>}
    </div>
    <div className={c('action')}>{action}</div>
  </li>
)

function RequestItem({ request, onFailure }: { request: LinkAsk; onFailure: ItemProps['onFailure'] }) {
  const open = useDialog()
  const hasMailServer = useHasMailServer()
  const { client, wants, message, created_at } = request
  return (
    <li className={c('row', 'request')}>
      {wants === 'time' ? <ClockIcon /> : <KeyIcon />}
      <div className={c('text')}>
        <p className={c('title')}>{describeRequest(request)}</p>
        <RequestMessage message={message} className={c('message')} />
        <p className={c('details')}>
          {client ?? defaultCompany} · <Age instant={created_at} short />
          <NewOwnerNote request={request} />
        </p>
        <div className={c('actions')}>
          <RequestActions
            request={request}
            hasMailServer={hasMailServer}
            onNewCode={() => open({ kind: 'new-code', request })}
            onChooseDate={() => open({ kind: 'grant-time', request })}
            onFailure={onFailure}
          />
        </div>
      </div>
    </li>
  )
}

/** The name of a link, which leads to it in the list of links. */
const LinkName = ({ link: { key, name }, label }: { link: LinkRow; label: string }) => (
  <Link to={`${paths.links}?${new URLSearchParams({ search: key })}`} aria-label={label}>
    {name || t('Unknown')}
  </Link>
)

function ExpiringItem({ link, label, onFailure }: { link: LinkRow } & Omit<ItemProps, 'row'>) {
  const { key, name, client, expiry } = link
  const extending = useExtendLink()
  const extension = useExtension()(expiry)
  const toast = useToast()
  const extend = () => {
    onFailure(undefined)
    extending.run(
      { key },
      {
        onSuccess: (extended) =>
          toast({
            message: t('“{name}” now expires {when}.', { name: shortenName(name), when: formatDaysLeft(extended.expiry) }),
          }),
        onError: ({ message }) => onFailure(message),
      },
    )
  }
  return (
    <Item
      icon={<ClockIcon />}
      title={<LinkName link={link} label={label} />}
      details={
        <time dateTime={expiry} title={formatDateTime(expiry)}>
          {t('Expires {when}', { when: formatDaysLeft(expiry) })}
        </time>
      }
      client={client}
      action={
        <Button
          busy={extending.isBusy}
          disabledReason={extension.reason}
          aria-label={extension.label ? `${extension.label}: ${label}` : t('30 more days for {name}', { name: label })}
          onClick={extend}
        >
          {extension.label ?? t('30 more days')}
        </Button>
      }
    />
  )
}

/** A link that stopped working, or that nobody has opened. */
function LinkItem({ link, label, isStopped, since }: { link: LinkRow; label: string; isStopped: boolean; since: string | null }) {
  const open = useDialog()
  const actionLabel = isStopped ? t('Fix') : link.email ? t('Send again') : t('Send (a link)')
  return (
    <Item
      icon={isStopped ? <AlertIcon /> : <EyeOffIcon />}
      title={<LinkName link={link} label={label} />}
      details={
        isStopped ? (
          getStopReason(link)
        ) : (
          <>
            {t('Not opened yet')} · {since && <Age instant={since} short />}
          </>
        )
      }
      client={link.client}
      action={
        <Button
          aria-label={`${actionLabel}: ${label}`}
          onClick={() => open(isStopped ? { kind: 'link-details', link } : { kind: 'send-link', link })}
        >
          {actionLabel}
        </Button>
      }
    />
  )
}

function CompanyItem({ company, label }: { company: NonNullable<AttentionRow['company']>; label: string }) {
  const { id, name, bytes, quota } = company
  return (
    <Item
      icon={<AlertIcon />}
      title={
        <Link to={paths.company(id)} aria-label={label}>
          {name}
        </Link>
      }
      details={
        quota === null ? (
          formatSize(bytes)
        ) : (
          <span className={c('usage')}>
            {t('{part} of {whole}', { part: formatSize(bytes), whole: formatSize(quota) })}
            <UsageBadge percent={(bytes / quota) * 100} />
          </span>
        )
      }
      action={
        <ButtonLink to={paths.company(id)} aria-label={t('Show: {name}', { name: label })}>
          {t('Show')}
        </ButtonLink>
      }
    />
  )
}
