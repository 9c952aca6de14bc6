import { type KeyboardEvent, type ReactNode, useId, useState } from 'react'
import { Link } from 'react-router'
import { classNames } from './class-names.ts'
import { Skeleton } from './skeleton.tsx'
import css from './tile-grid.module.css'
import { useKeptFocus } from './use-kept-focus.ts'

const c = classNames(css)

interface TileGridProps {
  label: string
  /** 4 for things one enters, 8 for things one looks through; fewer as the window narrows. */
  columns: 4 | 8
  /** The tiles shown are about to be replaced. */
  loading?: boolean | undefined
  children: ReactNode
}

/** Tab goes through all tiles, the arrows from tile to tile. */
export function TileGrid({ label, columns, loading, children }: TileGridProps) {
  const keptFocus = useKeptFocus<HTMLUListElement>()
  return (
    <ul
      ref={keptFocus}
      aria-label={label}
      aria-busy={loading || undefined}
      className={c('grid', `of${columns}`)}
      onKeyDown={moveFocus}
    >
      {children}
    </ul>
  )
}

/** Tiles of the shape of those to come: two rows of them. */
export function SkeletonTiles({ label, columns }: Pick<TileGridProps, 'label' | 'columns'>) {
  return (
    <TileGrid label={label} columns={columns} loading>
      {Array.from({ length: 2 * columns }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: one is like the other
        <li key={index} className={c('tile')}>
          <div className={c('ground')}>
            <Skeleton height="100%" />
          </div>
          <div className={c('coming')}>
            <Skeleton width="70%" label={index === 0 ? 'Loading' : undefined} />
            <Skeleton width="40%" />
          </div>
        </li>
      ))}
    </TileGrid>
  )
}

interface TileProps {
  picture?: string | undefined
  /** Stands on the tinted ground when there is no picture. */
  glyph: ReactNode
  tint?: 'blue' | 'green' | 'amber' | 'rose' | 'violet' | 'grey' | undefined
  name: string
  meta: ReactNode
  onOpen?: (() => void) | undefined
  /** Why it cannot be opened, if so. */
  heldReason?: string | undefined
  to?: string | undefined
  menu?: ReactNode
}

export function Tile({ picture, glyph, tint = 'grey', name, meta, onOpen, heldReason, to, menu }: TileProps) {
  const [failed, setFailed] = useState<string>()
  const isShown = picture !== undefined && picture !== failed
  return (
    <li className={c('tile')}>
      <div className={c('ground', tint)}>
        {isShown ? <img src={picture} alt="" loading="lazy" decoding="async" onError={() => setFailed(picture)} /> : glyph}
      </div>
      <TileName {...{ name, onOpen, heldReason, to }} />
      <div className={c('meta')}>{meta}</div>
      {menu && <div className={c('menu')}>{menu}</div>}
    </li>
  )
}

function TileName({ name, onOpen, heldReason, to }: Pick<TileProps, 'name' | 'onOpen' | 'heldReason' | 'to'>) {
  const reasonId = useId()
  if (to !== undefined) {
    return (
      <Link to={to} data-opener className={c('name', 'opens')} title={name}>
        {name}
      </Link>
    )
  }
  if (onOpen && heldReason !== undefined) {
    return (
      <button
        type="button"
        data-opener
        aria-disabled
        aria-describedby={reasonId}
        className={c('name', 'opens', 'held')}
        title={heldReason}
      >
        {name}
        <span id={reasonId} hidden>
          {heldReason}
        </span>
      </button>
    )
  }
  if (onOpen) {
    return (
      <button type="button" data-opener className={c('name', 'opens')} title={name} onClick={onOpen}>
        {name}
      </button>
    )
  }
  return (
    <p className={c('name')} title={name}>
      {name}
    </p>
  )
}

function moveFocus(event: KeyboardEvent<HTMLElement>) {
  const all = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-opener]')]
  const at = all.indexOf(event.target as HTMLElement)
  if (at === -1 || event.ctrlKey || event.metaKey || event.altKey) return
  const tops = all.map((opener) => opener.closest('li')?.offsetTop)
  const columns = tops.filter((top) => top === tops[0]).length
  const to = {
    ArrowRight: at + 1,
    ArrowLeft: at - 1,
    ArrowDown: at + columns,
    ArrowUp: at - columns,
    Home: 0,
    End: all.length - 1,
  }[event.key]
  if (to === undefined) return
  event.preventDefault()
  all[to]?.focus()
}
