import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useLocation } from 'react-router'
import { revealRowAfterNavigation } from '../../../lib/page/scroll-position.ts'
import { useFilters } from '../list/use-filters.ts'
import type { Item } from './item.ts'
import { maxLoadedItems, type Page } from './items-query.ts'

/**
 * Shows the file that the URL names (`?file=…&name=…`) among the others: loads pages until it is in the list, then selects it, scrolls to it
 * and removes it from the URL. If it is too far down, or gone, searches for its name instead. Returns the id of the file that was found,
 * so that the list renders its row even if the row is outside the viewport.
 */
export function useRevealedItem(
  list: UseInfiniteQueryResult<InfiniteData<Page>>,
  items: readonly Item[],
  onFound: (id: string) => void,
): string | undefined {
  const { read, change } = useFilters()
  const { key } = useLocation()
  const [revealedId, setRevealedId] = useState<string>()
  /** The key of the location that was dealt with. Needed because the URL changes only some renders after `change`. */
  const finishedKey = useRef<string>(undefined)
  const id = read('file')
  const name = read('name') ?? ''

  useEffect(() => {
    if (id === undefined || finishedKey.current === key || list.isPending || list.isFetching) return
    const isFound = items.some((item) => item.id === id)
    if (!isFound && list.hasNextPage && !list.isError && items.length < maxLoadedItems) {
      void list.fetchNextPage()
      return
    }
    finishedKey.current = key
    change({ file: '', name: '', ...(!isFound && { search: name }) })
    if (!isFound) return
    setRevealedId(id)
    onFound(id)
    revealRowAfterNavigation(id)
  })
  return revealedId
}
