import type { ReactNode } from 'react'
import css from './gallery.module.css'

export function Section({ name, children }: { name: string; children: ReactNode }) {
  return (
    <section className={css['section']} data-section={name}>
      <h2>{name}</h2>
      <div className={css['stack']}>{children}</div>
    </section>
  )
}

export const Row = ({ children }: { children: ReactNode }) => <div className={css['row']}>{children}</div>
export const Columns = ({ children }: { children: ReactNode }) => <div className={css['columns']}>{children}</div>
