import type { ReactNode } from 'react'
import { t } from '../../i18n/t.ts'
import { organisation, productName, useBrand } from '../../lib/brand.ts'
import { classNames } from '../class-names.ts'
import css from './page-footer.module.css'

const c = classNames(css)

interface PageFooterProps {
  /** Keeps the space of the footer, so that nothing moves when it appears. */
  isHidden?: boolean
  children?: ReactNode
}

/** The end of a public page: the organisation’s legal pages and, if the page has a brand, the product name. */
export function PageFooter({ isHidden = false, children }: PageFooterProps) {
  const { name, logos } = useBrand()
  const pages = [
    { label: t('Imprint'), url: organisation?.imprint_url },
    { label: t('Privacy'), url: organisation?.privacy_url },
  ].flatMap(({ label, url }) => (url ? [{ label, url }] : []))
  const isBranded = name !== null || logos.light !== null || logos.dark !== null
  if (!children && !isBranded && pages.length === 0) return null
  return (
    <footer className={c('footer', isHidden && 'hidden')}>
      {children}
      <div className={c('about')}>
        {pages.length > 0 && (
          <ul className={c('legal')}>
            {pages.map(({ label, url }) => (
              <li key={label}>
                <a className={c('link')} href={url} target="_blank" rel="noreferrer">
                  {label}
                </a>
              </li>
            ))}
          </ul>
        )}
        {isBranded && <p>{t('Powered by {product}', { product: productName })}</p>}
      </div>
    </footer>
  )
}
