interface Placement {
  align: 'start' | 'center' | 'end'
  side: 'above' | 'below'
}

/** An element, or a point on the screen. */
export type Anchor = Pick<Element, 'getBoundingClientRect'>

const gap = 4
const edge = 8

/** Positions a fixed box next to its anchor. Flips to the other side if there is no room, and stays on the screen. */
export function place(anchor: Anchor, box: HTMLElement, { align, side }: Placement) {
  const rect = anchor.getBoundingClientRect()
  const { offsetWidth: width, offsetHeight: height } = box
  const { clientWidth, clientHeight } = document.documentElement
  const left = { start: rect.left, center: rect.left + (rect.width - width) / 2, end: rect.right - width }[align]
  const above = rect.top - gap - height
  const below = rect.bottom + gap
  const isBelow = side === 'below' ? below + height <= clientHeight - edge || above < edge : above < edge
  box.style.left = `${clamp(left, edge, clientWidth - width - edge)}px`
  box.style.top = `${clamp(isBelow ? below : above, edge, clientHeight - height - edge)}px`
}

const clamp = (value: number, low: number, high: number) => Math.max(low, Math.min(value, high))
