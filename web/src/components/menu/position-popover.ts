interface Placement {
  align: 'start' | 'center' | 'end'
  side: 'above' | 'below'
}

/** An element, or a point on the screen. */
export type Anchor = Pick<Element, 'getBoundingClientRect'>

/** Distances in pixels: from the anchor, and from the edges of the screen. */
const gap = 4
const margin = 8

/** Positions a fixed box next to its anchor. Flips to the other side if there is no room, and stays on the screen. */
export function positionPopover(anchor: Anchor, box: HTMLElement, { align, side }: Placement) {
  const rect = anchor.getBoundingClientRect()
  const { offsetWidth: width, offsetHeight: height } = box
  const { clientWidth, clientHeight } = document.documentElement
  const left = { start: rect.left, center: rect.left + (rect.width - width) / 2, end: rect.right - width }[align]
  const above = rect.top - gap - height
  const below = rect.bottom + gap
  const isBelow = side === 'below' ? below + height <= clientHeight - margin || above < margin : above < margin
  box.style.left = `${clamp(left, margin, clientWidth - width - margin)}px`
  box.style.top = `${clamp(isBelow ? below : above, margin, clientHeight - height - margin)}px`
}

const clamp = (value: number, low: number, high: number) => Math.max(low, Math.min(value, high))
