import { useEffect, useState } from 'react'
import { classNames } from '../class-names.ts'
import css from './skeleton.module.css'

const c = classNames(css)

interface SkeletonProps {
  width?: number | string | undefined
  height?: number | string | undefined
  /** Announced to screen readers. Set it on only one skeleton of a group. */
  label?: string | undefined
}

/** Reserves space for loading content. Becomes visible only after a delay. */
export function Skeleton({ width = '100%', height = 14, label }: SkeletonProps) {
  const isLate = useDelayed(150)
  return (
    <>
      <span aria-hidden="true" className={c('skeleton', !isLate && 'waiting')} style={{ width, height }} />
      {label && (
        <span role="status" className="sr-only">
          {isLate && label}
        </span>
      )}
    </>
  )
}

/** Returns true after `ms` milliseconds. */
export function useDelayed(ms: number) {
  const [passed, setPassed] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setPassed(true), ms)
    return () => clearTimeout(timer)
  }, [ms])
  return passed
}
