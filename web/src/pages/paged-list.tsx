import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ApiError } from '../api/api-error.ts'
import { ErrorState } from '../components/error-state.tsx'
import { LoadMore } from '../components/load-more.tsx'

interface PagedListProps<Row> {
  list: UseInfiniteQueryResult<InfiniteData<{ data: Row[]; next: string | null }>>
  /** What to say when nothing came. */
  failed: string
  children: (rows: Row[], loading: boolean) => ReactNode
}

/** What every list has around its table: the pages that follow, and what to say when none came. */
export function PagedList<Row>({ list, failed, children }: PagedListProps<Row>) {
  if (list.isError && !list.data) {
    const { message } = list.error
    const requestId = list.error instanceof ApiError ? list.error.requestId : undefined
    return <ErrorState title={failed} detail={message} requestId={requestId} onRetry={() => void list.refetch()} />
  }
  const pages = list.data?.pages ?? []
  const rows = pages.flatMap(({ data }) => data)
  const isLoading = list.isPending || list.isPlaceholderData
  return (
    <>
      {children(rows, isLoading)}
      <LoadMore
        shown={rows.length}
        next={pages.at(-1)?.next ?? null}
        loading={list.isFetchingNextPage || isLoading}
        failed={list.isFetchNextPageError}
        onMore={() => void list.fetchNextPage()}
      />
    </>
  )
}
