import type { ReactNode } from 'react'
import { BrandMark } from '../../components/brand-mark.tsx'
import { classNames } from '../../components/class-names.ts'
import { Layout } from '../../components/layout/layout.tsx'
import { PageFooter } from '../../components/layout/page-footer.tsx'
import { organisation } from '../../lib/brand.ts'
import css from './public-page.module.css'

const c = classNames(css)

/** A public page without staff navigation. In print, a letterhead replaces the bar. */
export const PublicPage = ({ children }: { children: ReactNode }) => (
  <Layout
    bar={
      <div className={c('bar')}>
        <BrandMark place="bar" />
      </div>
    }
    footer={<PageFooter />}
  >
    <div className={c('page')}>
      {organisation && (
        <div className={c('letterhead')}>
          <BrandMark place="card" />
        </div>
      )}
      {children}
    </div>
  </Layout>
)
