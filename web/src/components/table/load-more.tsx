import { useEffect, useRef } from 'react'
import { formatNumber, t } from '../../i18n/t.ts'
import { classNames } from '../class-names.ts'
import { Button } from '../form/button.tsx'
import { useLatest } from '../use-latest.ts'
import css from './load-more.module.css'

const c = classNames(css)

interface LoadMoreProps {
  shown: number
  total?: number | undefined
  /** The cursor of the next page; null if all rows are shown. */
  next: string | null
  loading: boolean
  /** Whether loading the next page failed. */
  failed?: boolean | undefined
  /** Whether to load by button only, because other content follows the list. */
  manual?: boolean | undefined
  onMore: () => void
}

/**
 * Loads the next page on scroll or by button. Announces the number of rows when it changes, so it is rendered for empty lists,
 * too.
 */
export function LoadMore({ shown, total, next, loading, failed = false, manual = false, onMore }: LoadMoreProps) {
  const button = useRef<HTMLButtonElement>(null)
  const status = useRef<HTMLParagraphElement>(null)
  const hadFocus = useRef(false)
  const hasMore = next !== null
  useCallWhenNear(button, hasMore && !loading && !failed && !manual, `${next} ${shown}`, onMore)

  // The button disappears with the last page. Moves its focus to the status, so that it is not lost.
  useEffect(() => {
    if (!hasMore && hadFocus.current) status.current?.focus()
  }, [hasMore])

  const allText = shown > 0 ? t('All {shown} shown', { shown: formatNumber(shown) }) : loading ? '' : t('None shown')
  const countText =
    total === undefined
      ? t('Showing {shown}', { shown: formatNumber(shown) })
      : t('Showing {shown} of {total}', { shown: formatNumber(shown), total: formatNumber(total) })
  return (
    <div className={hasMore ? c('more') : undefined}>
      <p ref={status} role="status" tabIndex={-1} className={hasMore ? c('count') : 'sr-only'}>
        {hasMore ? `${countText}${failed ? `. ${t('Couldn’t load more.')}` : ''}` : allText}
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

/** Calls `onNear` once per page when the target comes into view. After a failure, only the button retries. */
function useCallWhenNear(target: { current: Element | null }, isActive: boolean, page: string, onNear: () => void) {
  const latest = useLatest(onNear)
  const hasFired = useRef(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the effect runs when the page changes.
  useEffect(() => {
    hasFired.current = false
  }, [page])
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new page needs a new observer, even if the button stayed in view.
  useEffect(() => {
    if (!isActive || !target.current) return
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (!entry?.isIntersecting || hasFired.current) return
        hasFired.current = true
        latest.current()
      },
      { rootMargin: '400px' },
    )
    observer.observe(target.current)
    return () => observer.disconnect()
  }, [target, isActive, page, latest])
}
