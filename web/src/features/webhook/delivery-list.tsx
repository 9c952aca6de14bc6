import type { Delivery, DeliveryState, WebhookRow } from '@neptune/contract'
import { useInfiniteQuery } from '@tanstack/react-query'
import { type ComponentProps, useState } from 'react'
import { Age } from '../../components/age.tsx'
import { classNames } from '../../components/class-names.ts'
import { AlertIcon, CheckIcon, RefreshIcon } from '../../components/entry-icons.tsx'
import { Badge } from '../../components/feedback/badge.tsx'
import { IconButton } from '../../components/form/button.tsx'
import { SelectField } from '../../components/form/field.tsx'
import { PanelFailed, PanelLines } from '../../components/layout/panel.tsx'
import { LoadMore } from '../../components/table/load-more.tsx'
import { t } from '../../i18n/t.ts'
import { formatDateTime, formatWait } from '../../lib/time/dates.ts'
import { useNow } from '../../lib/time/use-now.ts'
import css from './webhook.module.css'
import { deliveriesQuery } from './webhook-queries.ts'
import { deliveryNames, deliveryStateNames, getDeliveryStateOptions, translateDeliveryProblem } from './webhook-texts.ts'

const c = classNames(css)

interface DeliveryListProps {
  webhook: WebhookRow
  /** Filters the list. */
  state: DeliveryState | undefined
  onStateChange: (state: DeliveryState | undefined) => void
}

/** The deliveries of a webhook, newest first. */
export function DeliveryList({ webhook, state, onStateChange }: DeliveryListProps) {
  const list = useInfiniteQuery(deliveriesQuery(webhook.id, state))
  const pages = list.data?.pages ?? []
  const deliveries = pages.flatMap(({ data }) => data)
  // Set only for manual refreshes: the list also refetches by itself.
  const [isRefreshing, setRefreshing] = useState(false)
  const refresh = () => {
    setRefreshing(true)
    void list.refetch().finally(() => setRefreshing(false))
  }
  return (
    <div>
      <div className={c('bar')}>
        <SelectField
          label={t('State')}
          hideLabel
          placeholder={t('All states')}
          options={getDeliveryStateOptions()}
          value={state ?? ''}
          onChange={({ target }) => onStateChange((target.value || undefined) as DeliveryState | undefined)}
        />
        <IconButton label={t('Refresh')} icon={<RefreshIcon />} busy={isRefreshing} onClick={refresh} />
      </div>
      {list.isError && !list.data ? (
        <PanelFailed title={t('The deliveries did not load.')} onRetry={() => void list.refetch()} />
      ) : list.isPending ? (
        <PanelLines lines={3} />
      ) : (
        <>
          <Rows
            deliveries={deliveries}
            isPaused={webhook.paused}
            emptyText={state ? t('No deliveries with this state.') : t('Nothing has been sent yet.')}
          />
          <LoadMore
            shown={deliveries.length}
            next={pages.at(-1)?.next ?? null}
            loading={list.isFetchingNextPage}
            failed={list.isFetchNextPageError}
            onMore={() => void list.fetchNextPage()}
          />
        </>
      )}
    </div>
  )
}

function Rows({ deliveries, isPaused, emptyText }: { deliveries: readonly Delivery[]; isPaused: boolean; emptyText: string }) {
  const now = useNow()
  const [newest] = deliveries
  if (!newest) return <p className={c('secondary')}>{emptyText}</p>
  return (
    <>
      {/* Announces the state of the newest delivery to screen readers. */}
      <p role="status" className="sr-only">
        {t(deliveryNames[newest.event])} · {t(deliveryStateNames[newest.state])}
      </p>
      <ul aria-label={t('Deliveries')} className={c('deliveries')}>
        {deliveries.map((delivery) => (
          <Row key={delivery.id} {...{ delivery, isPaused, now }} />
        ))}
      </ul>
    </>
  )
}

function Row({ delivery, isPaused, now }: { delivery: Delivery; isPaused: boolean; now: number }) {
  const { event, state, created_at, tries, problem, next_at } = delivery
  const style = state === 'waiting' && problem ? badgeStyles.retrying : badgeStyles[state]
  return (
    <li className={c('delivery')}>
      <span className={c('heading')}>
        <span className={c('event')}>{t(deliveryNames[event])}</span>
        <Badge {...style}>{t(deliveryStateNames[state])}</Badge>
      </span>
      <span className={c('secondary')}>
        <Age instant={created_at} />
        {tries > 0 && ` · ${t('{n} attempts', { n: tries })}`}
        {delivery.status !== null && !problem && ` · ${t('Response {status}', { status: String(delivery.status) })}`}
      </span>
      {problem && <span className={c('secondary')}>{translateDeliveryProblem(problem)}</span>}
      {state === 'waiting' && isPaused && <span className={c('secondary')}>{t('Waiting until the webhook is resumed.')}</span>}
      {state === 'waiting' && !isPaused && tries > 0 && next_at && (
        <span className={c('secondary')} title={formatDateTime(next_at)}>
          {t('Next attempt {when}.', { when: formatWait(next_at, now) })}
        </span>
      )}
    </li>
  )
}

const badgeStyles: Record<DeliveryState | 'retrying', Pick<ComponentProps<typeof Badge>, 'tone' | 'icon'>> = {
  waiting: { tone: 'neutral' },
  retrying: { tone: 'warning', icon: <AlertIcon /> },
  sent: { tone: 'success', icon: <CheckIcon /> },
  failed: { tone: 'danger', icon: <AlertIcon /> },
}
