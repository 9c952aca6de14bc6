import { useEffect, useRef } from 'react'
import { formatNumber, t } from '../words/t.ts'
import { Button } from './button.tsx'
import { classNames } from './class-names.ts'
import css from './load-more.module.css'
import { useLatest } from './use-latest.ts'

const c = classNames(css)

interface LoadMoreProps {
  shown: number
  total?: number | undefined
  /** Where the next page begins; null when all is shown. */
  next: string | null
  loading: boolean
  /** The next page was asked for and did not come. */
  failed?: boolean | undefined
  /** By its button alone: where something else comes after the list. */
  manual?: boolean | undefined
  onMore: () => void
}

/**
 * Loads by itself when it comes near, and by its button for those who do not scroll. Its count is read out when it changes, also to
 * none: so it is there with every list, empty or not.
 */
export function LoadMore({ shown, total, next, loading, failed = false, manual = false, onMore }: LoadMoreProps) {
  const button = useRef<HTMLButtonElement>(null)
  const status = useRef<HTMLParagraphElement>(null)
  const hadFocus = useRef(false)
  const hasMore = next !== null
  useNear(button, hasMore && !loading && !failed && !manual, `${next} ${shown}`, onMore)

  // The button leaves with the last page; whoever stood on it stays here instead of falling to the top of the page.
  useEffect(() => {
    if (!hasMore && hadFocus.current) status.current?.focus()
  }, [hasMore])

  const all = shown > 0 ? t('All {shown} shown', { shown: formatNumber(shown) }) : loading ? '' : t('None shown')
  const count =
    total === undefined
      ? t('Showing {shown}', { shown: formatNumber(shown) })
      : t('Showing {shown} of {total}', { shown: formatNumber(shown), total: formatNumber(total) })
  return (
    <div className={hasMore ? c('more') : undefined}>
      <p ref={status} role="status" tabIndex={-1} className={hasMore ? c('count') : 'sr-only'}>
        {hasMore ? `${count}${failed ? `. ${t('Couldn’t load more.')}` : ''}` : all}
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
          {failed ? t('Try again') : t('Show more')}
        </Button>
      )}
    </div>
  )
}

/** Asks once for each page of each list: one that failed is asked for again by hand, not in a loop. */
function useNear(target: { current: Element | null }, active: boolean, page: string, onNear: () => void) {
  const latest = useLatest(onNear)
  const asked = useRef(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the page is not used, its change is what counts.
  useEffect(() => {
    asked.current = false
  }, [page])
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new page is looked for anew, even where the button stayed in sight.
  useEffect(() => {
    if (!active || !target.current) return
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (!entry?.isIntersecting || asked.current) return
        asked.current = true
        latest.current()
      },
      { rootMargin: '400px' },
    )
    observer.observe(target.current)
    return () => observer.disconnect()
  }, [target, active, page, latest])
}
