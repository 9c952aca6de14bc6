import type { MailRow, MailState } from '@neptune/contract'
import { type ComponentProps, type ReactNode, useMemo } from 'react'
import { classNames } from '../../components/class-names.ts'
import { AlertIcon, CheckIcon } from '../../components/entry-icons.tsx'
import { Badge } from '../../components/feedback/badge.tsx'
import { useToast } from '../../components/feedback/toast.tsx'
import { Button } from '../../components/form/button.tsx'
import { Table } from '../../components/table/table.tsx'
import type { Column } from '../../components/table/table-columns.ts'
import { TruncatedText } from '../../components/truncated-text.tsx'
import { t } from '../../i18n/t.ts'
import { formatAge, formatDateTime, formatWait } from '../../lib/time/dates.ts'
import { useNow } from '../../lib/time/use-now.ts'
import css from './mail.module.css'
import { MailProblem } from './mail-problem.tsx'
import { useSendAgain } from './mail-queries.ts'
import { mailStateNames, messageNames } from './mail-texts.ts'

const c = classNames(css)

interface MailsTableProps {
  mails: readonly MailRow[]
  loading: boolean
  empty: ReactNode
  sort: string
  onSort: (sort: string) => void
}

export function MailsTable({ mails, loading, empty, sort, onSort }: MailsTableProps) {
  const now = useNow()
  const columns = useMemo(() => createColumns(now), [now])
  return (
    <Table
      caption={t('Emails')}
      columns={columns}
      rows={mails}
      rowKey={(mail) => mail.id}
      rowLabel={({ to }) => to || t('Unknown')}
      rowDetail={({ created_at }) => formatDateTime(created_at)}
      loading={loading}
      empty={empty}
      sort={sort}
      onSort={onSort}
    />
  )
}

const createColumns = (now: number): Column<MailRow>[] => [
  { key: 'to', header: t('To'), cell: (mail) => <TruncatedText text={mail.to} />, primary: true },
  { key: 'message', header: t('Message'), cell: (mail) => t(messageNames[mail.letter]), width: 232, ownLine: true },
  { key: 'state', header: t('State'), cell: (mail) => <State {...{ mail, now }} />, width: '30%', ownLine: true },
  {
    key: 'created',
    header: t('Created'),
    cell: (mail) => <span title={formatDateTime(mail.created_at)}>{formatAge(mail.created_at, now)}</span>,
    sort: 'created_at',
    width: 198,
  },
  {
    key: 'again',
    header: t('Send again'),
    cell: (mail, label) => <SendAgainButton {...{ mail, label }} />,
    action: true,
    align: 'end',
    width: 136,
  },
]

function State({ mail, now }: { mail: MailRow; now: number }) {
  const { state, problem, tries, next_at, can_repeat } = mail
  const style = state === 'waiting' && problem ? badgeStyles.unconfirmed : badgeStyles[state]
  return (
    <div className={c('state')}>
      <Badge {...style}>{t(mailStateNames[state])}</Badge>
      {problem && (
        <p className={c('secondary')}>
          <MailProblem problem={problem} />
        </p>
      )}
      {state === 'waiting' && tries > 0 && next_at && (
        <p className={c('secondary')} title={formatDateTime(next_at)}>
          {t('Next attempt {when}.', { when: formatWait(next_at, now) })}
        </p>
      )}
      {state === 'unconfirmed' && (
        <p className={c('secondary')}>
          {can_repeat ? t('It may have arrived. Send it again only if it didn’t.') : t('It may have arrived.')}
        </p>
      )}
    </div>
  )
}

const badgeStyles: Record<MailState, Pick<ComponentProps<typeof Badge>, 'tone' | 'icon'>> = {
  waiting: { tone: 'neutral' },
  sending: { tone: 'accent' },
  sent: { tone: 'success', icon: <CheckIcon /> },
  // It has reached no one, so it doesn’t look like a success.
  saved: { tone: 'neutral' },
  failed: { tone: 'danger', icon: <AlertIcon /> },
  unconfirmed: { tone: 'warning', icon: <AlertIcon /> },
}

function SendAgainButton({ mail: { id, to, can_repeat }, label }: { mail: MailRow; label: string }) {
  const sendAgain = useSendAgain()
  const toast = useToast()
  if (!can_repeat) return null
  const send = () =>
    sendAgain.run(id, {
      onSuccess: () => toast({ message: t('The email to {email} will be sent again.', { email: to }) }),
      onError: ({ message }) => toast({ message }),
    })
  return (
    <Button busy={sendAgain.isBusy} onClick={send} aria-label={t('Send again to {email}', { email: label })}>
      {t('Send again')}
    </Button>
  )
}
