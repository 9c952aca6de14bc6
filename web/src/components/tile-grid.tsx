import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { classNames } from './class-names.ts'
import css from './tile-grid.module.css'

const c = classNames(css)

/** 4 for things one enters, 8 for things one looks through; fewer as the window narrows. */
export function TileGrid({ label, columns, children }: { label: string; columns: 4 | 8; children: ReactNode }) {
  return (
    <ul aria-label={label} className={c('grid', `of${columns}`)}>
      {children}
    </ul>
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
  to?: string | undefined
  menu?: ReactNode
}

export function Tile({ picture, glyph, tint = 'grey', name, meta, onOpen, to, menu }: TileProps) {
  return (
    <li className={c('tile')}>
      <div className={c('ground', tint)}>{picture ? <img src={picture} alt="" loading="lazy" decoding="async" /> : glyph}</div>
      <TileName {...{ name, onOpen, to }} />
      <p className={c('meta')}>{meta}</p>
      {menu && <div className={c('menu')}>{menu}</div>}
    </li>
  )
}

function TileName({ name, onOpen, to }: Pick<TileProps, 'name' | 'onOpen' | 'to'>) {
  if (to !== undefined) {
    return (
      <Link to={to} className={c('name', 'opens')} title={name}>
        {name}
      </Link>
    )
  }
  if (onOpen) {
    return (
      <button type="button" className={c('name', 'opens')} title={name} onClick={onOpen}>
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
