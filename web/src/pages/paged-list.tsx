import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { ApiError } from '../api/api-error.ts'
import { ErrorState } from '../components/error-state.tsx'
import { LoadMore } from '../components/load-more.tsx'

interface PagedListProps<Row> {
  list: UseInfiniteQueryResult<InfiniteData<{ data: Row[]; next: string | null }>>
  /** What to say when nothing came. */
  failed: string
  /** No more than so many until more are asked for, by hand: where something else comes after the list. */
  atFirst?: number
  children: (rows: Row[], loading: boolean) => ReactNode
}

/** What every list has around its table: the pages that follow, and what to say when none came. */
export function PagedList<Row>({ list, failed, atFirst, children }: PagedListProps<Row>) {
  const [isWhole, setWhole] = useState(false)
  if (list.isError && !list.data) {
    const { message } = list.error
    const requestId = list.error instanceof ApiError ? list.error.requestId : undefined
    return <ErrorState title={failed} detail={message} requestId={requestId} onRetry={() => void list.refetch()} />
  }
  const pages = list.data?.pages ?? []
  const rows = pages.flatMap(({ data }) => data)
  const isCut = atFirst !== undefined && !isWhole && rows.length > atFirst
  const shown = isCut ? rows.slice(0, atFirst) : rows
  const next = isCut ? '' : (pages.at(-1)?.next ?? null)
  // A large list is searched in parts: having found nothing so far does not mean that there is nothing.
  const isSearching = rows.length === 0 && next !== null && !list.isFetchNextPageError
  const isLoading = list.isPending || list.isPlaceholderData || isSearching
  return (
    <>
      {children(shown, isLoading)}
      <LoadMore
        byHand={atFirst !== undefined && rows.length > 0}
        shown={shown.length}
        next={next}
        loading={list.isFetchingNextPage || list.isPending || list.isPlaceholderData}
        failed={list.isFetchNextPageError}
        onMore={() => (isCut ? setWhole(true) : void list.fetchNextPage())}
      />
    </>
  )
}
