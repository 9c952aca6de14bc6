import { type RefObject, useEffect, useState } from 'react'

/** Fills whole lines, however many stand in one: 1, 2, 3, 4, 5, 6 or 8. */
export const blockSize = 120

/** So many are all in the page, to be found and read out, though the browser draws only what is in sight. More would be too many for it. */
const few = 2000

/** A list in blocks. Of a long one those that are out of sight may be left out. */
export const blocksOf = <Item>(items: readonly Item[]) =>
  Array.from({ length: Math.ceil(items.length / blockSize) }, (_, n) => ({
    start: n * blockSize,
    items: items.slice(n * blockSize, (n + 1) * blockSize),
    mayLeave: items.length > few,
  }))

/**
 * Whether a block is to be there: always; or while it is near what is seen, or somebody is in it. One that leaves keeps its height, so that
 * nothing moves, and a hundred thousand rows cost what a few screens of them do. `guess` is the height of one that was never there.
 */
export function usePresence(block: RefObject<HTMLElement | null>, mayLeave: boolean, guess: number) {
  const [height, setHeight] = useState(mayLeave ? guess : undefined)
  useEffect(() => {
    const element = block.current
    if (!element || !mayLeave) return
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (entry?.isIntersecting) setHeight(undefined)
        else if (!element.contains(document.activeElement)) setHeight((known) => known ?? element.offsetHeight)
      },
      { rootMargin: '1500px 0px' },
    )
    observer.observe(element)
    return () => observer.disconnect()
  }, [block, mayLeave])
  return height === undefined || !mayLeave ? { isThere: true } : { isThere: false, height }
}
