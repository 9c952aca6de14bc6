import type { TokenRow } from '@neptune/contract'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { Age } from '../../components/age.tsx'
import { classNames } from '../../components/class-names.ts'
import { KeyIcon } from '../../components/entry-icons.tsx'
import { EmptyState } from '../../components/feedback/empty-state.tsx'
import { ErrorState } from '../../components/feedback/error-state.tsx'
import { Button } from '../../components/form/button.tsx'
import { Table } from '../../components/table/table.tsx'
import type { Column } from '../../components/table/table-columns.ts'
import { TruncatedText } from '../../components/truncated-text.tsx'
import { t } from '../../i18n/t.ts'
import { formatDateTime, formatDaysLeft } from '../../lib/time/dates.ts'
import { useNow } from '../../lib/time/use-now.ts'
import css from './token.module.css'
import { tokensQuery } from './token-queries.ts'
import { ExpiredBadge, isExpired, scopeNames } from './token-texts.tsx'

const c = classNames(css)

type Revoke = (token: TokenRow) => void

interface TokensTableProps {
  /** The user who owns the tokens, if it isn’t the current one. */
  owner?: { id: string; name: string } | undefined
  onRevoke: Revoke
}

/** The user’s own API tokens or, for admins, those of `owner`. */
export function TokensTable({ owner, onRevoke }: TokensTableProps) {
  const tokens = useQuery(tokensQuery(owner?.id))
  const now = useNow()
  const columns = useMemo(() => createColumns(now, onRevoke), [now, onRevoke])
  if (tokens.isError && !tokens.data) {
    return (
      <ErrorState title={t('The API tokens did not load.')} detail={tokens.error.message} onRetry={() => void tokens.refetch()} />
    )
  }
  return (
    <div className={c('tokens')}>
      <Table
        caption={t('API tokens')}
        columns={columns}
        rows={tokens.data ?? []}
        rowKey={({ id }) => id}
        rowLabel={({ name }) => name || t('Unknown')}
        loading={tokens.isPending}
        empty={<EmptyState icon={<KeyIcon />} title={getEmptyText(owner)} />}
      />
    </div>
  )
}

const getEmptyText = (owner: TokensTableProps['owner']) =>
  owner
    ? t('{name} has no API tokens.', { name: owner.name })
    : t('No API tokens yet. Create one for each script that acts as you.')

/** The time is a parameter only so that the columns are created again when it changes, which updates relative times. */
const createColumns = (_now: number, onRevoke: Revoke): Column<TokenRow>[] => [
  { key: 'name', header: t('Name'), cell: ({ name }) => <TruncatedText text={name} at="end" />, primary: true },
  { key: 'scope', header: t('Scope'), cell: ({ scope }) => t(scopeNames[scope]), width: 176 },
  {
    key: 'created',
    header: t('Created'),
    cell: ({ created_at }) => <Age instant={created_at} short />,
    width: 124,
    ownLine: true,
    labelOnPhone: true,
  },
  {
    key: 'last-used',
    header: t('Last used'),
    cell: (token) => <LastUsed {...token} />,
    width: 198,
    ownLine: true,
    labelOnPhone: true,
  },
  {
    key: 'expires',
    header: t('Expires'),
    cell: (token) => <Expiry {...token} />,
    width: 198,
    ownLine: true,
    labelOnPhone: true,
  },
  {
    key: 'revoke',
    header: t('Revoke'),
    cell: (token, name) => (
      <Button aria-label={t('Revoke {name}', { name })} onClick={() => onRevoke(token)}>
        {t('Revoke')}
      </Button>
    ),
    action: true,
    align: 'end',
    width: 140,
  },
]

const LastUsed = ({ last_used_at }: TokenRow) => (last_used_at ? <Age instant={last_used_at} /> : t('Never'))

function Expiry(token: TokenRow) {
  if (isExpired(token)) return <ExpiredBadge />
  const { expires_at } = token
  return (
    <div className={c('expires')}>
      <span>{expires_at ? formatDateTime(expires_at) : t('Never')}</span>
      {expires_at && <span className={c('secondary')}>{formatDaysLeft(expires_at)}</span>}
    </div>
  )
}
