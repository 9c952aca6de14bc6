import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { ApiError } from '../../../api/api-error.ts'
import { ErrorState } from '../../../components/feedback/error-state.tsx'
import { LoadMore } from '../../../components/table/load-more.tsx'

interface PagedListProps<Row> {
  list: UseInfiniteQueryResult<InfiniteData<{ data: Row[]; next: string | null }>>
  /** Shown if the first page fails to load. */
  errorTitle: string
  /** The number of rows before “Show more” is pressed. For lists with content below them, which must not load more on scroll. */
  initialRows?: number
  children: (rows: Row[], loading: boolean) => ReactNode
}

/** Wraps a list: loads further pages and shows an error if the first one fails. */
export function PagedList<Row>({ list, errorTitle, initialRows, children }: PagedListProps<Row>) {
  const [isExpanded, setExpanded] = useState(false)
  if (list.isError && !list.data) {
    const { message } = list.error
    const requestId = list.error instanceof ApiError ? list.error.requestId : undefined
    return <ErrorState title={errorTitle} detail={message} requestId={requestId} onRetry={() => void list.refetch()} />
  }
  const pages = list.data?.pages ?? []
  const rows = pages.flatMap(({ data }) => data)
  const isTruncated = initialRows !== undefined && !isExpanded && rows.length > initialRows
  const visibleRows = isTruncated ? rows.slice(0, initialRows) : rows
  const next = isTruncated ? '' : (pages.at(-1)?.next ?? null)
  // The server searches a large list in parts, so a page without rows does not mean that there are none.
  const isSearching = rows.length === 0 && next !== null && !list.isFetchNextPageError
  const isLoading = list.isPending || list.isPlaceholderData || isSearching
  return (
    <>
      {children(visibleRows, isLoading)}
      <LoadMore
        manual={initialRows !== undefined && rows.length > 0}
        shown={visibleRows.length}
        next={next}
        loading={list.isFetchingNextPage || list.isPending || list.isPlaceholderData}
        failed={list.isFetchNextPageError}
        onMore={() => (isTruncated ? setExpanded(true) : void list.fetchNextPage())}
      />
    </>
  )
}
