export interface Point {
  x: number
  y: number
}

export type Direction = 'previous' | 'next'

/** A shorter movement counts as a tap. */
const minDistancePx = 48

/** Returns the direction of a horizontal swipe. Undefined for a tap or a vertical movement. */
export function detectSwipe(from: Point, to: Point): Direction | undefined {
  const [x, y] = [to.x - from.x, to.y - from.y]
  if (Math.abs(x) < minDistancePx || Math.abs(x) < 2 * Math.abs(y)) return undefined
  return x < 0 ? 'next' : 'previous'
}
