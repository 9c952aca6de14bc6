import { type CSSProperties, type KeyboardEvent, type ReactNode, useId, useRef, useState } from 'react'
import { Link } from 'react-router'
import { t } from '../../i18n/t.ts'
import { classNames } from '../class-names.ts'
import { Skeleton } from '../feedback/skeleton.tsx'
import { Skeletons } from '../feedback/skeletons.tsx'
import { BareCheckbox } from '../form/checkbox.tsx'
import { useFocusRetention } from '../layout/use-focus-retention.ts'
import compactCss from './compact-tile.module.css'
import css from './tile-grid.module.css'
import { type RowMenu, useRowMenu } from './use-row-menu.tsx'
import { splitIntoBlocks, useVirtualBlock } from './virtual-blocks.ts'

const c = classNames(css)
const compact = classNames(compactCss)

interface GridProps {
  label: string
  /** The number of columns on large screens; fewer on smaller ones. */
  columns: 4 | 8
}

interface TileGridProps<Item> extends GridProps {
  /** Whether the tiles shown are about to be replaced. */
  loading: boolean
  items: readonly Item[]
  /** Returns a tile's context menu. */
  getMenu?: ((id: string) => RowMenu | undefined) | undefined
  /** Whether a tile is rendered at any scroll position, with its block. */
  isKept?: ((item: Item) => boolean) | undefined
  children: (item: Item) => ReactNode
}

/** A grid of tiles. Tab and the arrow keys move between tiles. */
export function TileGrid<Item>({ label, columns, loading, items, getMenu, isKept, children }: TileGridProps<Item>) {
  const grids = useFocusRetention<HTMLDivElement>()
  const tileMenu = useRowMenu(getMenu)
  return (
    <div ref={grids} className={`${c('grids')} ${tileMenu.className}`} {...tileMenu.handlers}>
      {splitIntoBlocks(items).map(({ start, items, isVirtual }) => (
        <TileBlock
          key={start}
          count={items.length}
          label={start === 0 ? label : t('{list}, starting at {n}', { list: label, n: start + 1 })}
          {...{ columns, loading }}
          isVirtual={isVirtual && !(isKept && items.some(isKept))}
        >
          {() => items.map(children)}
        </TileBlock>
      ))}
      {tileMenu.panel}
    </div>
  )
}

/** The estimated height of a tile with its gap, in pixels. */
const estimatedTileHeight = 240

interface TileBlockProps extends GridProps {
  count: number
  isVirtual: boolean
  loading: boolean
  children: () => ReactNode
}

/** A block of tiles, rendered only while needed. */
function TileBlock({ count, isVirtual, label, columns, loading, children }: TileBlockProps) {
  const list = useRef<HTMLUListElement>(null)
  const { isRendered, height } = useVirtualBlock(list, isVirtual, (count / columns) * estimatedTileHeight)
  return (
    <ul
      ref={list}
      aria-label={label}
      aria-busy={loading || undefined}
      className={c('grid', `columns${columns}`)}
      style={{ blockSize: height }}
      onKeyDown={moveFocus}
    >
      {isRendered && children()}
    </ul>
  )
}

/** Two rows of placeholder tiles. */
export function SkeletonTiles({ label, columns }: GridProps) {
  return (
    <ul aria-label={label} aria-busy className={c('grid', `columns${columns}`)}>
      <Skeletons count={2 * columns}>
        {(_, label) => (
          <li className={c('tile')}>
            <div className={c('background')}>
              <Skeleton height="100%" />
            </div>
            <div className={c('placeholder')}>
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
  /** Shown if there is no picture. */
  glyph: ReactNode
  /** The color of the glyph. */
  tint?: 'blue' | 'green' | 'amber' | 'rose' | 'violet' | 'grey' | undefined
  /** A short label in the corner, such as `PDF`. */
  type?: string | undefined
  name: string
  /** The accessible name of the control that opens the tile, if `name` is ambiguous. */
  label?: string | undefined
  meta: ReactNode
  onOpen?: (() => void) | undefined
  /** Why the tile can’t be opened. Undefined if it can. */
  disabledReason?: string | undefined
  to?: string | undefined
  menu?: ReactNode
  /** Undefined if the tile can’t be selected. */
  isSelected?: boolean | undefined
  onToggle?: ((id: string, isRange: boolean) => void) | undefined
  isDraggable?: boolean | undefined
  /** Whether to show the glyph next to the name, without a picture. */
  isCompact?: boolean | undefined
}

export function Tile(props: TileProps) {
  const { id = '', picture, glyph, tint = 'grey', type, meta, menu, isSelected, onToggle, isDraggable, isCompact } = props
  const [failedPicture, setFailedPicture] = useState<string>()
  const hasPicture = picture !== undefined && picture !== failedPicture
  const name = props.name || t('Unknown')
  const classes: typeof c = (...names) => (isCompact ? `${c(...names)} ${compact(...names)}` : c(...names))
  return (
    <li
      className={classes('tile', isSelected && 'selected', isCompact && 'compact')}
      data-row={id || undefined}
      draggable={isDraggable}
    >
      <div className={classes('background')} style={{ '--ink': `var(--tile-${tint}-ink)` } as CSSProperties}>
        {hasPicture ? (
          <img src={picture} alt="" loading="lazy" decoding="async" draggable={false} onError={() => setFailedPicture(picture)} />
        ) : (
          glyph
        )}
        {type && <span className={c('type')}>{type}</span>}
      </div>
      <TileName {...props} name={name} />
      <div className={classes('meta')}>{meta}</div>
      {menu && <div className={classes('menu')}>{menu}</div>}
      {isSelected !== undefined && onToggle && (
        <div className={classes('check')}>
          <BareCheckbox
            label={t('Select {name}', { name: props.label ?? name })}
            checked={isSelected}
            onChange={({ nativeEvent }) => onToggle(id, 'shiftKey' in nativeEvent && nativeEvent.shiftKey === true)}
          />
        </div>
      )}
    </li>
  )
}

function TileName({
  name,
  label,
  onOpen,
  disabledReason,
  to,
}: Pick<TileProps, 'name' | 'label' | 'onOpen' | 'disabledReason' | 'to'>) {
  const reasonId = useId()
  if (to !== undefined) {
    return (
      <Link to={to} data-opener draggable={false} className={c('name', 'opens')} title={name} aria-label={label}>
        {name}
      </Link>
    )
  }
  if (onOpen && disabledReason !== undefined) {
    return (
      <button
        type="button"
        data-opener
        aria-disabled
        aria-describedby={reasonId}
        className={c('name', 'opens', 'disabled')}
        title={disabledReason}
      >
        {name}
        <span id={reasonId} hidden>
          {disabledReason}
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

/** Moves the focus with the arrow keys. At either end it does nothing, so that what surrounds the grid can handle the key. */
function moveFocus(event: KeyboardEvent<HTMLElement>) {
  const openers = [...(event.currentTarget.parentElement?.querySelectorAll<HTMLElement>('[data-opener]') ?? [])]
  const index = openers.indexOf(event.target as HTMLElement)
  if (index === -1 || event.ctrlKey || event.metaKey || event.altKey) return
  const tops = openers.map((opener) => opener.closest('li')?.offsetTop)
  const columns = tops.filter((top) => top === tops[0]).length
  const nextIndex = {
    ArrowRight: index + 1,
    ArrowLeft: index - 1,
    ArrowDown: index + columns,
    ArrowUp: index - columns,
    Home: 0,
    End: openers.length - 1,
  }[event.key]
  const next = nextIndex === undefined ? undefined : openers[nextIndex]
  if (!next) return
  event.preventDefault()
  next.focus()
}
