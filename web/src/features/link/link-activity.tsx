import type { LinkEvent, LinkRow } from '@neptune/contract'
import { useInfiniteQuery } from '@tanstack/react-query'
import { ApiError } from '../../api/api-error.ts'
import { Age } from '../../components/age.tsx'
import { classNames } from '../../components/class-names.ts'
import { ErrorState } from '../../components/feedback/error-state.tsx'
import { Skeleton } from '../../components/feedback/skeleton.tsx'
import { LoadMore } from '../../components/table/load-more.tsx'
import { formatNumber, type Text, t } from '../../i18n/t.ts'
import { formatPersonName } from '../../lib/person-name.ts'
import { formatSize } from '../../lib/sizes.ts'
import css from './link-activity.module.css'
import { linkActivityQuery } from './link-queries.ts'
import { describeEvent } from './link-texts.ts'

const c = classNames(css)

/** Shows how often the link was opened, downloaded from and uploaded to. */
export const LinkCounts = (link: LinkRow) => (
  <dl className={c('counts')}>
    {countNames.map(([name, text]) => (
      <div key={name}>
        <dt>{t(text)}</dt>
        <dd>
          <span className={c('times')}>{formatNumber(link[name].times)}</span>
          <span className={c('muted')}>{link[name].last_at ? <Age instant={link[name].last_at} short /> : t('never')}</span>
        </dd>
      </div>
    ))}
  </dl>
)

const countNames = [
  ['opened', 'Opened'],
  ['downloaded', 'Downloaded'],
  ['uploaded', 'Uploaded'],
] as const satisfies [keyof LinkRow, Text][]

/** The activity of a link, newest first. */
export function LinkActivity({ linkKey }: { linkKey: string }) {
  const list = useInfiniteQuery(linkActivityQuery(linkKey))
  if (list.isError && !list.data) {
    const { message } = list.error
    const requestId = list.error instanceof ApiError ? list.error.requestId : undefined
    return (
      <ErrorState
        title={t('The activity did not load.')}
        detail={message}
        requestId={requestId}
        onRetry={() => void list.refetch()}
      />
    )
  }
  const pages = list.data?.pages ?? []
  const events = pages.flatMap(({ data }) => data)
  if (list.isPending) return <LoadingEvents />
  return (
    <div>
      {events.length > 0 ? (
        <ul aria-label={t('Activity')} className={c('events')}>
          {events.map((event) => (
            <Event key={event.id} {...event} />
          ))}
        </ul>
      ) : (
        <p className={c('muted')}>{t('Nothing has happened with this link yet.')}</p>
      )}
      <LoadMore
        shown={events.length}
        next={pages.at(-1)?.next ?? null}
        loading={list.isFetchingNextPage}
        failed={list.isFetchNextPageError}
        onMore={() => void list.fetchNextPage()}
      />
    </div>
  )
}

const LoadingEvents = () => (
  <div className={c('loading')} aria-busy="true">
    <Skeleton width="60%" label={t('Loading')} />
    <Skeleton width="40%" />
    <Skeleton width="70%" />
  </div>
)

function Event(event: LinkEvent) {
  const { at, times, size, bytes, client, person } = event
  const what = describeEvent(event)
  const transferred = formatTransferred(size, bytes)
  return (
    <li className={c('event')}>
      <span>
        {times > 1 ? t('{what} · {n} times', { what, n: times }) : what}
        {transferred && <span className={c('muted')}> · {transferred}</span>}
      </span>
      <span className={c('muted')}>
        <Age instant={at} />{' '}
        {person ? `· ${t('by {person}', { person: formatPersonName(person) })}` : client && `· ${t('from {client}', { client })}`}
      </span>
    </li>
  )
}

/** Formats the transferred size: `1 MB of 5 MB` for an incomplete download. */
function formatTransferred(size: number | null, bytes: number | null): string {
  if (size === null || bytes === null) return ''
  return bytes >= size ? formatSize(size) : t('{part} of {whole}', { part: formatSize(bytes), whole: formatSize(size) })
}
