import { type TouchEvent, useRef } from 'react'
import { type Point, swipeOf, type Way } from './swipe.ts'

/** One finger turns the page; two of them mean the browser's own zoom, and on a film they mean its time. */
export function useSwipe(onSwipe: (way: Way) => void) {
  const start = useRef<Point>(undefined)
  return {
    onTouchStart: ({ touches, target }: TouchEvent) => {
      const finger = touches.item(0)
      const isOne = finger && touches.length === 1 && !(target instanceof HTMLMediaElement)
      start.current = isOne ? { x: finger.clientX, y: finger.clientY } : undefined
    },
    onTouchEnd: ({ changedTouches }: TouchEvent) => {
      const finger = changedTouches.item(0)
      const way = finger && start.current && swipeOf(start.current, { x: finger.clientX, y: finger.clientY })
      start.current = undefined
      if (way) onSwipe(way)
    },
  }
}
