interface Placement {
  align: 'start' | 'center' | 'end'
  side: 'above' | 'below'
}

/** What a box is put beside: an element, or a point of the screen. */
export type Anchor = Pick<Element, 'getBoundingClientRect'>

const gap = 4
const edge = 8

/** Puts a fixed box beside its anchor, on the other side when there is no room, and never off the screen. */
export function place(anchor: Anchor, box: HTMLElement, { align, side }: Placement) {
  const at = anchor.getBoundingClientRect()
  const { offsetWidth: width, offsetHeight: height } = box
  const { clientWidth, clientHeight } = document.documentElement
  const left = { start: at.left, center: at.left + (at.width - width) / 2, end: at.right - width }[align]
  const above = at.top - gap - height
  const below = at.bottom + gap
  const isBelow = side === 'below' ? below + height <= clientHeight - edge || above < edge : above < edge
  box.style.left = `${clamp(left, edge, clientWidth - width - edge)}px`
  box.style.top = `${clamp(isBelow ? below : above, edge, clientHeight - height - edge)}px`
}

const clamp = (value: number, low: number, high: number) => Math.max(low, Math.min(value, high))
