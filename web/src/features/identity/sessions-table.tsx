import type { SessionRow } from '@neptune/contract'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { classNames } from '../../components/class-names.ts'
import { Badge } from '../../components/feedback/badge.tsx'
import { EmptyState } from '../../components/feedback/empty-state.tsx'
import { ErrorState } from '../../components/feedback/error-state.tsx'
import { useToast } from '../../components/feedback/toast.tsx'
import { Button } from '../../components/form/button.tsx'
import { PersonIcon } from '../../components/icons.tsx'
import { Table } from '../../components/table/table.tsx'
import type { Column } from '../../components/table/table-columns.ts'
import { t } from '../../i18n/t.ts'
import { formatSignIn } from '../../lib/sign-in-names.ts'
import { formatAge, formatDateTime } from '../../lib/time/dates.ts'
import { formatUserAgent } from '../../lib/user-agent.ts'
import { sessionsQuery, useEndSession } from './session-queries.ts'
import css from './sessions-table.module.css'

const c = classNames(css)

/** Lists the user’s own sessions or, for admins, those of `owner`, each with a button to end it. */
export function SessionsTable({ owner }: { owner?: string }) {
  const sessions = useQuery(sessionsQuery(owner))
  const columns = useMemo(() => createColumns(owner), [owner])
  if (sessions.isError) {
    return (
      <ErrorState
        title={t('The sessions did not load.')}
        detail={sessions.error.message}
        onRetry={() => void sessions.refetch()}
      />
    )
  }
  return (
    <Table
      caption={t('Sessions')}
      columns={columns}
      rows={sessions.data?.data ?? []}
      rowKey={(session) => session.id}
      rowLabel={(session) => formatUserAgent(session.agent)}
      rowDetail={({ client }) => client}
      loading={sessions.isPending}
      empty={<EmptyState icon={<PersonIcon />} title={t('Not signed in anywhere.')} />}
    />
  )
}

const createColumns = (owner: string | undefined): Column<SessionRow>[] => [
  {
    key: 'agent',
    header: t('Browser'),
    cell: (session) => (
      <span className={c('browser')} title={session.agent}>
        {formatUserAgent(session.agent)} {session.is_new_browser && <Badge tone="warning">{t('New browser')}</Badge>}
      </span>
    ),
    primary: true,
  },
  {
    key: 'method',
    header: t('Signed in with'),
    cell: ({ method, second_factor }) => (method === null ? t('Unknown') : formatSignIn(method, second_factor)),
    width: '24%',
  },
  { key: 'client', header: t('Address'), cell: (session) => session.client, width: '16%' },
  {
    key: 'last-seen',
    header: t('Last seen'),
    cell: (session) => (
      <span title={t('Signed in {date}', { date: formatDateTime(session.created_at) })}>{formatAge(session.last_seen_at)}</span>
    ),
    width: '16%',
  },
  {
    key: 'end',
    header: t('End session'),
    cell: (session, label) => <EndButton {...{ session, label, owner }} />,
    action: true,
    align: 'end',
    width: 140,
  },
]

interface EndButtonProps {
  session: SessionRow
  label: string
  owner: string | undefined
}

function EndButton({ session, label, owner }: EndButtonProps) {
  const ending = useEndSession(owner)
  const toast = useToast()
  if (session.current) return <Badge tone="accent">{t('This browser')}</Badge>
  const name = formatUserAgent(session.agent)
  const endSession = () =>
    ending.run(session.id, {
      onSuccess: () => toast({ message: t('Ended the session in {name}.', { name }) }),
      onError: ({ message }) => toast({ message }),
    })
  return (
    <Button busy={ending.isBusy} onClick={endSession} aria-label={t('End the session in {name}', { name: label })}>
      {t('End')}
    </Button>
  )
}
