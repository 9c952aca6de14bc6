import { type TouchEvent, useRef } from 'react'
import { type Direction, detectSwipe, type Point } from './swipe.ts'

/** Detects swipes with one finger. Ignores two fingers, which zoom, and touches on a video, which seek. */
export function useSwipe(onSwipe: (direction: Direction) => void) {
  const start = useRef<Point>(undefined)
  return {
    onTouchStart: ({ touches, target }: TouchEvent) => {
      const finger = touches.item(0)
      const isSwipe = finger && touches.length === 1 && !(target instanceof HTMLMediaElement)
      start.current = isSwipe ? { x: finger.clientX, y: finger.clientY } : undefined
    },
    onTouchEnd: ({ changedTouches }: TouchEvent) => {
      const finger = changedTouches.item(0)
      const direction = finger && start.current && detectSwipe(start.current, { x: finger.clientX, y: finger.clientY })
      start.current = undefined
      if (direction) onSwipe(direction)
    },
  }
}
