import { useEffect, useRef } from 'react'
import { Link } from 'react-router'
import { classNames } from '../class-names.ts'
import css from './section-links.module.css'

const c = classNames(css)

interface SectionLinksProps {
  label: string
  links: readonly { label: string; to: string; current: boolean }[]
}

/** Links to the pages of one area: a column beside the content, or a row above it that scrolls horizontally on narrow screens. */
export function SectionLinks({ label, links }: SectionLinksProps) {
  const list = useRef<HTMLUListElement>(null)
  const current = links.find((link) => link.current)?.to
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when another link becomes the current one, and when the width changes.
  useEffect(() => {
    if (!list.current) return
    const observer = new ResizeObserver(() => revealCurrent(list.current))
    observer.observe(list.current)
    return () => observer.disconnect()
  }, [current])
  return (
    <nav aria-label={label} className={c('nav')}>
      <ul ref={list} className={c('links')}>
        {links.map(({ label, to, current }) => (
          <li key={to}>
            <Link to={to} className={c('link')} aria-current={current ? 'page' : undefined}>
              {label}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}

/** Scrolls the row, not the page. */
function revealCurrent(list: HTMLUListElement | null) {
  const link = list?.querySelector<HTMLElement>('[aria-current]')
  if (list && link) list.scrollLeft = link.offsetLeft - (list.clientWidth - link.offsetWidth) / 2
}
