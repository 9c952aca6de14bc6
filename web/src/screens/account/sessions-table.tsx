import type { api, Reply } from '@neptune/contract'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { Badge } from '../../components/feedback/badge.tsx'
import { ErrorState } from '../../components/feedback/error-state.tsx'
import { useToast } from '../../components/feedback/toast.tsx'
import { Button } from '../../components/form/button.tsx'
import { Table } from '../../components/table/table.tsx'
import type { Column } from '../../components/table/table-columns.ts'
import { sessionsQuery, useEndSession } from '../../features/identity/session-queries.ts'
import { t } from '../../i18n/t.ts'
import { formatAge, formatDateTime } from '../../lib/time/dates.ts'
import { formatUserAgent } from '../../lib/user-agent.ts'

type SessionRow = Reply<typeof api.identity.sessions>['data'][number]

/** Lists the user’s sessions, each with a button to end it. */
export function SessionsTable() {
  const sessions = useQuery(sessionsQuery())
  const columns = useMemo(createColumns, [])
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
    />
  )
}

const createColumns = (): Column<SessionRow>[] => [
  {
    key: 'agent',
    header: t('Browser'),
    cell: (session) => <span title={session.agent}>{formatUserAgent(session.agent)}</span>,
    primary: true,
  },
  { key: 'client', header: t('Address'), cell: (session) => session.client, width: '22%' },
  {
    key: 'last-seen',
    header: t('Last seen'),
    cell: (session) => (
      <span title={t('Signed in {date}', { date: formatDateTime(session.created_at) })}>{formatAge(session.last_seen_at)}</span>
    ),
    width: '20%',
  },
  {
    key: 'end',
    header: t('End session'),
    cell: (session, label) => <EndButton {...{ session, label }} />,
    action: true,
    align: 'end',
    width: 140,
  },
]

function EndButton({ session, label }: { session: SessionRow; label: string }) {
  const ending = useEndSession()
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
