import type { ReactNode } from 'react'
import { classNames } from '../../components/class-names.ts'
import { FileIcon } from '../../components/icons.tsx'
import { hasLogo, type LogoImages, type PageTheme, ThemedLogo } from '../../components/logo-sample.tsx'
import { t } from '../../i18n/t.ts'
import { productName } from '../../lib/brand.ts'
import { defaultAccent, toAccentStyle } from './accent-colours.ts'
import css from './brand-preview.module.css'

const c = classNames(css)

interface BrandPreviewProps {
  /** As typed. Without a name, pages say Neptune. */
  name: string
  welcome: string
  /** The URLs of the legal pages, or empty. */
  imprint: string
  privacy: string
  /** Must be a permitted colour. */
  accent: string | null
  images: LogoImages
}

/** Shows how recipients see the organisation: simplified copies of their pages and of an email, with the values as they are typed. */
export function BrandPreview({ name, welcome, imprint, privacy, accent, images }: BrandPreviewProps) {
  const shown = name.trim() || productName
  const pages = [...(imprint.trim() ? [t('Imprint')] : []), ...(privacy.trim() ? [t('Privacy')] : [])]
  const isBranded = name.trim() !== '' || hasLogo(images)
  const footer = <Footer pages={pages} isBranded={isBranded} />
  return (
    <figure className={c('preview')}>
      <figcaption className={c('caption')}>
        <span className={c('title')}>{t('Preview')}</span>
        {t('The access code page, a directory and an email, as recipients see them.')}
      </figcaption>
      <div className={c('samples')} aria-hidden="true" inert>
        {(['light', 'dark'] as const).map((theme) => {
          const head = <Head name={shown} theme={theme} images={images} />
          return (
            <div key={theme} className={c('theme', theme)} style={toAccentStyle(accent ?? defaultAccent, theme)}>
              <Sample footer={footer}>
                <AccessCodeSample name={shown} welcome={welcome.trim()} head={head} />
              </Sample>
              <Sample footer={footer}>
                <Directory head={head} />
              </Sample>
              <Sample footer={footer}>
                <Email name={shown} head={head} />
              </Sample>
            </div>
          )
        })}
      </div>
    </figure>
  )
}

const Sample = ({ footer, children }: { footer: ReactNode; children: ReactNode }) => (
  <div className={c('sample')}>
    {children}
    {footer}
  </div>
)

const Footer = ({ pages, isBranded }: { pages: string[]; isBranded: boolean }) => (
  <div className={c('footer')}>
    {pages.map((page) => (
      <span key={page} className={c('legal')}>
        {page}
      </span>
    ))}
    {isBranded && <span>{t('Powered by {product}', { product: productName })}</span>}
  </div>
)

const Head = ({ name, theme, images }: { name: string; theme: PageTheme; images: LogoImages }) =>
  hasLogo(images) ? (
    <span className={c('logo')}>
      <ThemedLogo theme={theme} images={images} />
    </span>
  ) : (
    <span className={c('name')}>{name}</span>
  )

const AccessCodeSample = ({ name, welcome, head }: { name: string; welcome: string; head: ReactNode }) => (
  <div className={c('codePage')}>
    {head}
    <strong className={c('heading')}>{t('{name} shared files with you', { name })}</strong>
    {welcome && <span className={c('welcome')}>{welcome}</span>}
    <div className={c('card')}>
      <span className={c('field')}>{t('Access code')}</span>
      <span className={c('button')}>{t('Access Directory')}</span>
    </div>
  </div>
)

const Directory = ({ head }: { head: ReactNode }) => (
  <>
    <div className={c('bar')}>{head}</div>
    <div className={c('page')}>
      <strong className={c('heading')}>{t('Shared documents')}</strong>
      <span className={c('button')}>{t('Download all')}</span>
      <div className={c('tiles')}>
        {['1', '2', '3'].map((tile) => (
          <span key={tile} className={c('tile')}>
            <FileIcon size={16} />
          </span>
        ))}
      </div>
    </div>
  </>
)

const Email = ({ name, head }: { name: string; head: ReactNode }) => (
  <div className={c('page')}>
    {head}
    <div className={c('card', 'start')}>
      <strong className={c('heading')}>{t('{name} shared files with you', { name })}</strong>
      <span className={c('line')} />
      <span className={c('line', 'short')} />
      <span className={c('button')}>{t('Open the link')}</span>
    </div>
  </div>
)
