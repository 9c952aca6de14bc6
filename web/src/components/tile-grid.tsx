import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from 'react'
import { Link } from 'react-router'
import { t } from '../words/t.ts'
import { blocksOf, usePresence } from './blocks.ts'
import { classNames } from './class-names.ts'
import { Skeleton } from './skeleton.tsx'
import { Skeletons } from './skeletons.tsx'
import css from './tile-grid.module.css'
import { useKeptFocus } from './use-kept-focus.ts'
import { type RowMenu, useRowMenu } from './use-row-menu.tsx'

const c = classNames(css)

interface GridProps {
  label: string
  /** 4 for things one enters, 8 for things one looks through; fewer as the window narrows. */
  columns: 4 | 8
}

interface TileGridProps<Item> extends GridProps {
  /** The tiles shown are about to be replaced. */
  loading: boolean
  items: readonly Item[]
  /** What can be done with the tile of this id, from a menu where the pointer is. */
  menuOf?: ((id: string) => RowMenu | undefined) | undefined
  children: (item: Item) => ReactNode
}

/** Tab goes through all tiles, the arrows from tile to tile. */
export function TileGrid<Item>({ label, columns, loading, items, menuOf, children }: TileGridProps<Item>) {
  const grids = useKeptFocus<HTMLDivElement>()
  const tileMenu = useRowMenu(menuOf)
  return (
    <div ref={grids} className={`${c('grids')} ${tileMenu.className}`} {...tileMenu.handlers}>
      {blocksOf(items).map(({ start, items, mayLeave }) => (
        <Block
          key={start}
          count={items.length}
          label={start === 0 ? label : t('{list} from {n} on', { list: label, n: start + 1 })}
          {...{ columns, loading, mayLeave }}
        >
          {() => items.map(children)}
        </Block>
      ))}
      {tileMenu.panel}
    </div>
  )
}

/** In pixels, of a tile whose height is not known yet, with what is around it. */
const usualTile = 240

interface BlockProps extends GridProps {
  count: number
  mayLeave: boolean
  loading: boolean
  children: () => ReactNode
}

/** Some of the tiles. */
function Block({ count, mayLeave, label, columns, loading, children }: BlockProps) {
  const list = useRef<HTMLUListElement>(null)
  const { isThere, height } = usePresence(list, mayLeave, (count / columns) * usualTile)
  return (
    <ul
      ref={list}
      aria-label={label}
      aria-busy={loading || undefined}
      className={c('grid', `of${columns}`)}
      style={{ blockSize: height }}
      onKeyDown={moveFocus}
    >
      {isThere && children()}
    </ul>
  )
}

/** Tiles of the shape of those to come: two rows of them. */
export function SkeletonTiles({ label, columns }: GridProps) {
  return (
    <ul aria-label={label} aria-busy className={c('grid', `of${columns}`)}>
      <Skeletons count={2 * columns}>
        {(_, label) => (
          <li className={c('tile')}>
            <div className={c('ground')}>
              <Skeleton height="100%" />
            </div>
            <div className={c('coming')}>
              <Skeleton width="70%" label={label} />
              <Skeleton width="40%" />
            </div>
          </li>
        )}
      </Skeletons>
    </ul>
  )
}

interface TileProps {
  id?: string | undefined
  picture?: string | undefined
  /** Stands on the tinted ground when there is no picture. */
  glyph: ReactNode
  tint?: 'blue' | 'green' | 'amber' | 'rose' | 'violet' | 'grey' | undefined
  name: string
  /** Accessible name of the control that opens the tile, if `name` alone is ambiguous. */
  label?: string | undefined
  meta: ReactNode
  onOpen?: (() => void) | undefined
  /** Why it cannot be opened, if so. */
  heldReason?: string | undefined
  to?: string | undefined
  menu?: ReactNode
}

export function Tile({ id, picture, glyph, tint = 'grey', name, label, meta, onOpen, heldReason, to, menu }: TileProps) {
  const [failed, setFailed] = useState<string>()
  const isShown = picture !== undefined && picture !== failed
  return (
    <li className={c('tile')} data-row={id}>
      <div className={c('ground', tint)}>
        {isShown ? <img src={picture} alt="" loading="lazy" decoding="async" onError={() => setFailed(picture)} /> : glyph}
      </div>
      <TileName {...{ name: name || t('Unknown'), label, onOpen, heldReason, to }} />
      <div className={c('meta')}>{meta}</div>
      {menu && <div className={c('menu')}>{menu}</div>}
    </li>
  )
}

function TileName({ name, label, onOpen, heldReason, to }: Pick<TileProps, 'name' | 'label' | 'onOpen' | 'heldReason' | 'to'>) {
  const reasonId = useId()
  if (to !== undefined) {
    return (
      <Link to={to} data-opener className={c('name', 'opens')} title={name} aria-label={label}>
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
  const all = [...(event.currentTarget.parentElement?.querySelectorAll<HTMLElement>('[data-opener]') ?? [])]
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
