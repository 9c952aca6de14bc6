import { useEffect, useState } from 'react'
import { classNames } from './class-names.ts'
import css from './skeleton.module.css'

const c = classNames(css)

interface SkeletonProps {
  width?: number | string | undefined
  height?: number | string | undefined
  /** What is loading, spoken once; leave it out on all but one of a group. */
  label?: string | undefined
}

/** Keeps the room of what is coming from the start, but shows itself only when the wait is worth mentioning. */
export function Skeleton({ width = '100%', height = 14, label }: SkeletonProps) {
  const late = useDelayed(150)
  return (
    <>
      <span aria-hidden="true" className={c('skeleton', !late && 'waiting')} style={{ width, height }} />
      {label && (
        <span role="status" className="sr-only">
          {late && label}
        </span>
      )}
    </>
  )
}

/** False at first, true once that many milliseconds have passed. */
export function useDelayed(ms: number) {
  const [passed, setPassed] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setPassed(true), ms)
    return () => clearTimeout(timer)
  }, [ms])
  return passed
}
