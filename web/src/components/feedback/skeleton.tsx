import { useEffect, useState } from 'react'
import { classNames } from '../class-names.ts'
import css from './skeleton.module.css'

const c = classNames(css)
const visibleAfterMs = 150

interface SkeletonProps {
  width?: number | string | undefined
  height?: number | string | undefined
  /** Announced to screen readers. Set it on only one skeleton of a group. */
  label?: string | undefined
}

/** Reserves space for loading content. Becomes visible only after a delay, so that it does not flash when loading is quick. */
export function Skeleton({ width = '100%', height = 14, label }: SkeletonProps) {
  const isVisible = useDelayed(visibleAfterMs)
  return (
    <>
      <span aria-hidden="true" className={c('skeleton', !isVisible && 'waiting')} style={{ width, height }} />
      {label && (
        <span role="status" className="sr-only">
          {isVisible && label}
        </span>
      )}
    </>
  )
}

/** Returns true after `ms` milliseconds. */
export function useDelayed(ms: number) {
  const [hasPassed, setHasPassed] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setHasPassed(true), ms)
    return () => clearTimeout(timer)
  }, [ms])
  return hasPassed
}
