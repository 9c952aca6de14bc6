import { type RefObject, useEffect, useState } from 'react'

/** Pages within this distance of the visible area are drawn, in percent of its height. */
const nearPercent = 100

interface NearPages {
  nearPages: ReadonlySet<number>
  /** The page in the middle of the visible area. */
  page: number
}

/** Returns the pages of a list that are near the visible area of its parent, and the page in the middle. */
export function useNearPages(list: RefObject<HTMLElement | null>): NearPages {
  const [nearPages, setNearPages] = useState<ReadonlySet<number>>(new Set([1]))
  const [page, setPage] = useState(1)
  useEffect(() => {
    const root = list.current?.parentElement
    if (!root) return
    const near = new IntersectionObserver(
      (entries) =>
        setNearPages((before) => {
          const after = new Set(before)
          for (const entry of entries) after[entry.isIntersecting ? 'add' : 'delete'](readNumber(entry))
          return after
        }),
      { root, rootMargin: `${nearPercent}% 0px` },
    )
    const middle = new IntersectionObserver(
      (entries) => {
        // On a slow machine, one call can get entries from several moments of a scroll. The last entry is the newest.
        const crossing = entries.findLast(({ isIntersecting }) => isIntersecting)
        if (crossing) setPage(readNumber(crossing))
      },
      { root, rootMargin: '-50% 0px -49% 0px' },
    )
    for (const element of list.current?.querySelectorAll('[data-page]') ?? []) {
      near.observe(element)
      middle.observe(element)
    }
    return () => {
      near.disconnect()
      middle.disconnect()
    }
  }, [list])
  return { nearPages, page }
}

const readNumber = ({ target }: IntersectionObserverEntry) => Number(target.getAttribute('data-page'))
