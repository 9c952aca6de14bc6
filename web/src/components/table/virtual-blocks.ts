import { type RefObject, useEffect, useState } from 'react'

/** A multiple of every column count (1, 2, 3, 4, 5, 6 and 8), so that blocks fill whole rows. */
export const blockSize = 120

/** Lists up to this length stay in the DOM completely, so that browser search and screen readers find everything. */
const maxRenderedItems = 2000

/** Splits a list into blocks. In a long list, blocks out of view are not rendered. */
export const splitIntoBlocks = <Item>(items: readonly Item[]) =>
  Array.from({ length: Math.ceil(items.length / blockSize) }, (_, index) => ({
    start: index * blockSize,
    items: items.slice(index * blockSize, (index + 1) * blockSize),
    isVirtual: items.length > maxRenderedItems,
  }))

/**
 * Returns whether to render a block. A virtual block is rendered only while it is near the viewport or contains the focus;
 * otherwise it keeps its height, so that nothing moves. It has `estimatedHeight` until it is first rendered.
 */
export function useVirtualBlock(block: RefObject<HTMLElement | null>, isVirtual: boolean, estimatedHeight: number) {
  const [height, setHeight] = useState(isVirtual ? estimatedHeight : undefined)
  useEffect(() => {
    const element = block.current
    if (!element || !isVirtual) return
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (entry?.isIntersecting) setHeight(undefined)
        else if (!element.contains(document.activeElement)) setHeight((current) => current ?? element.offsetHeight)
      },
      { rootMargin: '1500px 0px' },
    )
    observer.observe(element)
    return () => observer.disconnect()
  }, [block, isVirtual])
  return height === undefined || !isVirtual ? { isRendered: true } : { isRendered: false, height }
}
