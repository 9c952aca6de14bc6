import type { ReactNode } from 'react'
import { classNames } from '../../components/class-names.ts'
import { Layout } from '../../components/layout/layout.tsx'
import { Logo } from '../../components/logo.tsx'
import css from './public-page.module.css'

const c = classNames(css)

/** A public page without staff navigation. */
export const PublicPage = ({ children }: { children: ReactNode }) => (
  <Layout
    bar={
      <div className={c('bar')}>
        <Logo withName />
      </div>
    }
  >
    <div className={c('page')}>{children}</div>
  </Layout>
)
