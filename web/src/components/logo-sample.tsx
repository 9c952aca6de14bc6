import type { Logos } from '@neptune/contract'
import { t } from '../i18n/t.ts'
import { classNames } from './class-names.ts'
import css from './logo-sample.module.css'

const c = classNames(css)

/** The theme in which a page is shown. */
export type PageTheme = keyof Logos

/** The URLs of the logos, by theme. */
export type LogoImages = Record<PageTheme, string | undefined>

export const getLogoLabel = (theme: PageTheme) => (theme === 'light' ? t('Logo on light pages') : t('Logo on dark pages'))

interface LogoProps {
  theme: PageTheme
  images: LogoImages
}

/** The logo that pages of a theme show. If only the other theme has one, that one is used. Nothing if there is none. */
export function ThemedLogo({ theme, images }: LogoProps) {
  const image = images[theme] ?? images[theme === 'light' ? 'dark' : 'light']
  return image && <img className={c('image', !images[theme] && 'plate')} src={image} alt={getLogoLabel(theme)} />
}

/** The logo on the background of its theme. */
export const LogoSample = ({ theme, images }: LogoProps) => (
  <div className={c('sample', theme)}>{hasLogo(images) ? <ThemedLogo theme={theme} images={images} /> : t('No logo yet')}</div>
)

export const hasLogo = ({ light, dark }: LogoImages) => (light ?? dark) !== undefined
