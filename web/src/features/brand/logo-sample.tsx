import type { Logos } from '@neptune/contract'
import { toApiUrl } from '../../api/client.ts'
import { classNames } from '../../components/class-names.ts'
import { t } from '../../i18n/t.ts'
import css from './logo-sample.module.css'

const c = classNames(css)

export type Theme = keyof Logos

/** The addresses of the logos, by theme. */
export type LogoImages = Record<Theme, string | undefined>

export const toImages = ({ light, dark }: Logos): LogoImages => ({
  light: light ? toApiUrl(light.url) : undefined,
  dark: dark ? toApiUrl(dark.url) : undefined,
})

export const getLogoLabel = (theme: Theme) => (theme === 'light' ? t('Logo on light pages') : t('Logo on dark pages'))

interface LogoSampleProps {
  theme: Theme
  images: LogoImages
}

/** The logo that pages of a theme show, on their background. If only the other theme has one, that one is used. */
export function LogoSample({ theme, images }: LogoSampleProps) {
  const image = images[theme] ?? images[theme === 'light' ? 'dark' : 'light']
  return (
    <div className={c('sample', theme)}>
      {image ? <img className={c('image', !images[theme] && 'plate')} src={image} alt={getLogoLabel(theme)} /> : t('No logo yet')}
    </div>
  )
}
