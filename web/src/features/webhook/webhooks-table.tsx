import type { WebhookRow } from '@neptune/contract'
import { type ReactNode, useMemo } from 'react'
import { classNames } from '../../components/class-names.ts'
import { Badge } from '../../components/feedback/badge.tsx'
import { AlertIcon, CheckIcon, PauseIcon } from '../../components/icons.tsx'
import { Table } from '../../components/table/table.tsx'
import type { Column } from '../../components/table/table-columns.ts'
import { TruncatedText } from '../../components/truncated-text.tsx'
import { t } from '../../i18n/t.ts'
import { formatPersonName } from '../../lib/person-name.ts'
import { formatDateTime } from '../../lib/time/dates.ts'
import css from './webhook.module.css'
import { createWebhookMenu, type WebhookActions, WebhookMenu } from './webhook-menu.tsx'
import { formatEvents, getWebhookName, splitAddress, translateDeliveryProblem } from './webhook-texts.ts'

const c = classNames(css)

interface WebhooksTableProps {
  webhooks: readonly WebhookRow[]
  loading: boolean
  empty: ReactNode
  /** Whether to show the company. Not needed for people who see only their own. */
  withCompany: boolean
  actions: WebhookActions
}

/** A click on a row opens its deliveries. */
export function WebhooksTable({ webhooks, loading, empty, withCompany, actions }: WebhooksTableProps) {
  const columns = useMemo(() => createColumns(withCompany, actions), [withCompany, actions])
  return (
    <div className={c('webhooks')}>
      <Table
        caption={t('Webhooks')}
        columns={columns}
        rows={webhooks}
        rowKey={({ id }) => id}
        rowLabel={getWebhookName}
        onOpen={actions.showDeliveries}
        getMenu={(webhook) => createWebhookMenu(webhook, actions)}
        loading={loading}
        empty={empty}
      />
    </div>
  )
}

const createColumns = (withCompany: boolean, actions: WebhookActions): Column<WebhookRow>[] => [
  { key: 'address', header: t('Address'), cell: (webhook) => <Address {...webhook} />, primary: true },
  ...(withCompany ? [createCompanyColumn()] : []),
  {
    key: 'events',
    header: t('Events'),
    cell: (webhook) => <span className={c('events')}>{formatEvents(webhook)}</span>,
    width: '18%',
    ownLine: true,
  },
  { key: 'state', header: t('State'), cell: (webhook) => <State {...webhook} />, width: '24%', ownLine: true },
  {
    key: 'owner',
    header: t('Owner'),
    cell: ({ maker }) => <TruncatedText text={formatPersonName(maker)} at="end" />,
    width: '14%',
  },
  {
    key: 'actions',
    header: t('Actions'),
    cell: (webhook, label) => <WebhookMenu {...{ webhook, label, actions }} />,
    action: true,
    align: 'end',
    width: 68,
  },
]

const createCompanyColumn = (): Column<WebhookRow> => ({
  key: 'company',
  header: t('Company'),
  cell: ({ client }) => <TruncatedText text={client} at="end" />,
  width: '14%',
})

function Address(webhook: WebhookRow) {
  const { host, path } = splitAddress(webhook)
  return (
    <span className={c('address')}>
      <TruncatedText text={host} />
      {path && (
        <span className={c('secondary')}>
          <TruncatedText text={path} />
        </span>
      )}
    </span>
  )
}

/** Shows the state and, below it, the error or the number of failed attempts. */
function State({ paused, problem, failures, failing_since }: WebhookRow) {
  const isFailing = failures > 0 && failing_since !== null
  return (
    <div className={c('state')}>
      {paused ? (
        <Badge tone={problem ? 'danger' : 'neutral'} icon={<PauseIcon />}>
          {t('Paused')}
        </Badge>
      ) : isFailing ? (
        <Badge tone="warning" icon={<AlertIcon />}>
          {t('Failing')}
        </Badge>
      ) : (
        <Badge tone="success" icon={<CheckIcon />}>
          {t('On')}
        </Badge>
      )}
      {problem && <p className={c('secondary')}>{translateDeliveryProblem(problem)}</p>}
      {!problem && isFailing && (
        <p className={c('secondary')}>
          {t('{n} failed attempts since {date}', { n: failures, date: formatDateTime(failing_since) })}
        </p>
      )}
    </div>
  )
}
