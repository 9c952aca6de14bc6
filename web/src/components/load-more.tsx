import { useEffect, useRef } from 'react'
import { Button } from './button.tsx'
import { classNames } from './class-names.ts'
import css from './load-more.module.css'

const c = classNames(css)

interface LoadMoreProps {
  shown: number
  total?: number | undefined
  hasMore: boolean
  loading: boolean
  onMore: () => void
}

/** Loads by itself when it comes near, and by its button for those who do not scroll. */
export function LoadMore({ shown, total, hasMore, loading, onMore }: LoadMoreProps) {
  const button = useRef<HTMLButtonElement>(null)
  const status = useRef<HTMLParagraphElement>(null)
  const hadFocus = useRef(false)
  useNear(button, hasMore && !loading, shown, onMore)

  // The button leaves with the last page; whoever stood on it stays here instead of falling to the top of the page.
  useEffect(() => {
    if (!hasMore && hadFocus.current) status.current?.focus()
  }, [hasMore])

  return (
    <div className={hasMore ? c('more') : undefined}>
      <p ref={status} role="status" tabIndex={-1} className={hasMore ? c('count') : 'sr-only'}>
        {hasMore ? `Showing ${shown}${total === undefined ? '' : ` of ${total}`}` : `All ${shown} shown`}
      </p>
      {hasMore && (
        <Button
          ref={button}
          busy={loading}
          onClick={onMore}
          onFocus={() => {
            hadFocus.current = true
          }}
          onBlur={() => {
            hadFocus.current = false
          }}
        >
          Show more
        </Button>
      )}
    </div>
  )
}

/** Asks once for each length of the list: a page that failed is asked for again by hand, not in a loop. */
function useNear(target: { current: Element | null }, active: boolean, shown: number, onNear: () => void) {
  const latest = useRef(onNear)
  const askedAt = useRef(-1)
  useEffect(() => {
    latest.current = onNear
  })
  useEffect(() => {
    if (!active || !target.current) return
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (!entry?.isIntersecting || askedAt.current === shown) return
        askedAt.current = shown
        latest.current()
      },
      { rootMargin: '400px' },
    )
    observer.observe(target.current)
    return () => observer.disconnect()
  }, [target, active, shown])
}
