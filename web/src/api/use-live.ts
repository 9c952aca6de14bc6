import type { ChangeTopic } from '@neptune/contract'
import { type Query, type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useCaller } from './caller.ts'
import type { LiveMessage } from './live.ts'
import { setLive } from './live-state.ts'

/** The first parts of the keys of the queries that depend on a topic. */
const queriesOfTopic: Record<ChangeTopic, readonly string[]> = {
  access: ['access'],
  file: ['access', 'files', 'directories', 'stats', 'links', 'activity'],
  directory: ['access', 'directories', 'files', 'stats', 'links', 'activity'],
  link: ['links', 'stats', 'activity'],
  company: ['companies', 'links', 'stats', 'activity'],
  user: ['users', 'links', 'stats', 'activity'],
  other: ['activity'],
}
/** The queries that can be out of date after a time in which no changes were reported. */
const liveQueries = [...new Set(Object.values(queriesOfTopic).flat())]

/** A page refetches at most this often. */
const minIntervalMs = 2_000
/** The maximum random delay, so that not all pages refetch at the same moment when a server restarts. */
const spreadMs = 2_000
/** If the connection opens this soon after the page, nothing is refetched: the page has just loaded. */
const freshMs = 2_000
/** A list with more loaded pages isn't refetched, because that takes a request for each of them. */
const maxPages = 4

/** Refetches what the page shows when it changes. `reader` is the same in all tabs of one person. */
export function useLive(reader: string): void {
  const client = useQueryClient()
  const caller = useCaller()
  useEffect(() => {
    const mountedAt = performance.now()
    const stopped = new AbortController()
    const refetcher = createRefetcher(client)
    stopped.signal.addEventListener('abort', () => {
      refetcher.stop()
      setLive('off')
    })
    const handleMessage = (message: LiveMessage) => {
      if (message.kind === 'change') return refetcher.add(message.topics.flatMap((topic) => queriesOfTopic[topic] ?? []))
      if (message.kind !== 'missed') setLive(message.kind === 'off' ? 'off' : message.isOwn ? 'own' : 'shared')
      // After `off`, refetching also starts polling again.
      const isFresh = message.kind === 'on' && performance.now() - mountedAt < freshMs
      if (!isFresh) refetcher.add(liveQueries, Math.random() * spreadMs)
    }
    import('./live.ts').then(
      ({ listen }) => {
        if (!stopped.signal.aborted) stopped.signal.addEventListener('abort', listen(reader, caller, handleMessage))
      },
      () => undefined, // the page polls
    )
    return () => stopped.abort()
  }, [reader, caller, client])
}

/** Collects the names of queries, and refetches them at most every two seconds. */
function createRefetcher(client: QueryClient) {
  const names = new Set<string>()
  /** The queries that were being fetched when they changed. The response may be older than the change, so they are refetched once more. */
  let fetching = new Set<Query>()
  let timer: ReturnType<typeof setTimeout> | undefined
  const flush = () => {
    timer = undefined
    // A hidden page refetches when it becomes visible. Only whether a link still works has to be known during uploads, too.
    const wanted = new Set([...names].filter((name) => name === 'access' || !document.hidden))
    const missed = fetching
    names.clear()
    fetching = new Set()
    if (wanted.size + missed.size === 0) return
    const predicate = (query: Query) => (wanted.has(String(query.queryKey[0])) || missed.has(query)) && isRefetchable(query)
    fetching = new Set(client.getQueryCache().findAll({ predicate, fetchStatus: 'fetching' }))
    void client.invalidateQueries({ predicate }, { cancelRefetch: false })
    timer = setTimeout(flush, minIntervalMs)
  }
  return {
    add: (more: readonly string[], delayMs = 0) => {
      for (const name of more) names.add(name)
      timer ??= setTimeout(flush, delayMs)
    },
    stop: () => clearTimeout(timer),
  }
}

/** Returns whether a query may be refetched at any time. Those that never become stale are drafts, or can't change. */
function isRefetchable({ state, observers }: Query): boolean {
  const pages = (state.data as { pages?: unknown[] } | undefined)?.pages
  return (pages?.length ?? 0) <= maxPages && observers.every(({ options }) => options.staleTime !== Number.POSITIVE_INFINITY)
}
