import type { LinkEvent, LinkRow } from '@neptune/contract'
import { useInfiniteQuery } from '@tanstack/react-query'
import { ApiError } from '../../api/api-error.ts'
import { Age } from '../../components/age.tsx'
import { classNames } from '../../components/class-names.ts'
import { ErrorState } from '../../components/error-state.tsx'
import { LoadMore } from '../../components/load-more.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { formatSize } from '../../lib/sizes.ts'
import css from './link-activity.module.css'
import { activityQuery } from './link-queries.ts'
import { eventNames } from './link-words.ts'

const c = classNames(css)

/** How often, in short. */
export const LinkCounts = ({ opened, downloaded, uploaded }: LinkRow) => (
  <dl className={c('counts')}>
    {Object.entries({ Opened: opened, Downloaded: downloaded, Uploaded: uploaded }).map(([word, { times, last_at }]) => (
      <div key={word}>
        <dt>{word}</dt>
        <dd>
          <span className={c('times')}>{times.toLocaleString('en')}</span>
          <span className={c('muted')}>{last_at ? <Age instant={last_at} short /> : 'never'}</span>
        </dd>
      </div>
    ))}
  </dl>
)

/** All that happened with a link, the newest first. */
export function LinkActivity({ linkKey }: { linkKey: string }) {
  const list = useInfiniteQuery(activityQuery(linkKey))
  if (list.isError && !list.data) {
    const { message } = list.error
    const requestId = list.error instanceof ApiError ? list.error.requestId : undefined
    return (
      <ErrorState title="The activity did not load." detail={message} requestId={requestId} onRetry={() => void list.refetch()} />
    )
  }
  const pages = list.data?.pages ?? []
  const events = pages.flatMap(({ data }) => data)
  if (list.isPending) return <Coming />
  return (
    <div>
      {events.length > 0 ? (
        <ul aria-label="Activity" className={c('events')}>
          {events.map((event) => (
            <Event key={event.id} {...event} />
          ))}
        </ul>
      ) : (
        <p className={c('muted')}>Nothing has happened with this link yet.</p>
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

const Coming = () => (
  <div className={c('coming')} aria-busy="true">
    <Skeleton width="60%" label="Loading" />
    <Skeleton width="40%" />
    <Skeleton width="70%" />
  </div>
)

const Event = ({ kind, at, times, name, size, bytes, client, person }: LinkEvent) => (
  <li className={c('event')}>
    <span className={c('what')}>
      {eventNames[kind]}
      {wordsOf[kind]?.(name)}
      {times > 1 && ` · ${times.toLocaleString('en')} times`}
      {amountOf(size, bytes) && <span className={c('muted')}> · {amountOf(size, bytes)}</span>}
    </span>
    <span className={c('muted')}>
      <Age instant={at} /> {person ? `· by ${person}` : client && `· from ${client}`}
    </span>
  </li>
)

/** What the name of an event is, by its kind. */
const wordsOf: Partial<Record<LinkEvent['kind'], (name: string | null) => string>> = {
  downloaded: (name) => (name ? ` “${name}”` : ''),
  uploaded: (name) => (name ? ` “${name}”` : ''),
  code_sent: (name) => (name ? ` to ${name}` : ''),
  asked: (name) => (name === 'time' ? ' for more time' : ' for a new code'),
}

/** A download may be resumed, begun again or broken off: it counts as whole only when all of it went out. */
function amountOf(size: number | null, bytes: number | null): string {
  if (size === null || bytes === null) return ''
  return bytes >= size ? formatSize(size) : `${formatSize(bytes)} of ${formatSize(size)}`
}
