import { type RefObject, useLayoutEffect, useRef, useState } from 'react'

const step = 1.5
const most = step ** 6

export interface Zoom {
  /** How much larger than it fits. */
  level: number
  /** How wide it is when it fits, in pixels. */
  width: number
  in: () => void
  out: () => void
  fit: () => void
}

/** How large the picture on the stage is. Each begins as it fits. */
export function useZoom(file: string, stage: RefObject<HTMLElement | null>): Zoom {
  const [zoom, setZoom] = useState({ file, level: 1, width: 0 })
  const now = zoom.file === file ? zoom : { file, level: 1, width: 0 }
  const middle = useRef({ x: 0.5, y: 0.5 })
  const to = (level: number) => {
    if (stage.current) middle.current = middleOf(stage.current)
    const width = now.level === 1 ? (stage.current?.querySelector('img')?.offsetWidth ?? 0) : now.width
    setZoom({ file, level, width })
  }
  // What was in the middle stays there.
  useLayoutEffect(() => {
    const element = stage.current
    if (!element || now.level === 1) return
    const { x, y } = middle.current
    element.scrollTo(x * element.scrollWidth - element.clientWidth / 2, y * element.scrollHeight - element.clientHeight / 2)
  }, [now.level, stage])
  return {
    level: now.level,
    width: now.width,
    in: () => to(Math.min(most, now.level * step)),
    out: () => to(Math.max(1, now.level / step)),
    fit: () => to(1),
  }
}

const middleOf = ({ scrollLeft, scrollTop, scrollWidth, scrollHeight, clientWidth, clientHeight }: HTMLElement) => ({
  x: (scrollLeft + clientWidth / 2) / scrollWidth,
  y: (scrollTop + clientHeight / 2) / scrollHeight,
})
