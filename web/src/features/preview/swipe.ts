export interface Point {
  x: number
  y: number
}

export type Way = 'previous' | 'next'

/** In pixels: less is a tap, or a hand that shakes. */
const least = 48

/** What a finger meant that went from here to there: sideways turns the page, all else is scrolling. */
export function swipeOf(from: Point, to: Point): Way | undefined {
  const [x, y] = [to.x - from.x, to.y - from.y]
  if (Math.abs(x) < least || Math.abs(x) < 2 * Math.abs(y)) return undefined
  return x < 0 ? 'next' : 'previous'
}
