import { type RefObject, useLayoutEffect, useRef } from 'react'

/** Returns a ref with the latest value, for handlers that must stay stable. */
export function useLatest<T>(value: T): RefObject<T> {
  const latest = useRef(value)
  useLayoutEffect(() => {
    latest.current = value
  })
  return latest
}
