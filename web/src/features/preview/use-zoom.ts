import { type RefObject, useLayoutEffect, useRef, useState } from 'react'

const zoomStep = 1.5
const maxLevel = zoomStep ** 6

export interface Zoom {
  /** The scale relative to the fitted size. */
  level: number
  /** The width of the image at level 1, in pixels. */
  width: number
  in: () => void
  out: () => void
  fit: () => void
}

/** Zooms the image or the pages on the stage. Each file starts fitted, at level 1. */
export function useZoom(file: string, stage: RefObject<HTMLElement | null>): Zoom {
  const [zoom, setZoom] = useState({ file, level: 1, width: 0 })
  const current = zoom.file === file ? zoom : { file, level: 1, width: 0 }
  /** The point at the center before zooming, relative to the whole content. */
  const center = useRef({ x: 0.5, y: 0.5 })
  const zoomTo = (level: number) => {
    if (stage.current) center.current = getCenter(stage.current)
    const width = current.level === 1 ? (stage.current?.querySelector('img')?.offsetWidth ?? 0) : current.width
    setZoom({ file, level, width })
  }
  // Keeps the point at the center in place.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new level triggers the effect.
  useLayoutEffect(() => {
    const element = stage.current
    if (!element) return
    const { x, y } = center.current
    element.scrollTo(x * element.scrollWidth - element.clientWidth / 2, y * element.scrollHeight - element.clientHeight / 2)
  }, [current.level, stage])
  return {
    level: current.level,
    width: current.width,
    in: () => zoomTo(Math.min(maxLevel, current.level * zoomStep)),
    out: () => zoomTo(Math.max(1, current.level / zoomStep)),
    fit: () => zoomTo(1),
  }
}

const getCenter = ({ scrollLeft, scrollTop, scrollWidth, scrollHeight, clientWidth, clientHeight }: HTMLElement) => ({
  x: (scrollLeft + clientWidth / 2) / scrollWidth,
  y: (scrollTop + clientHeight / 2) / scrollHeight,
})
