import type { Logo as LogoImage } from '@neptune/contract'
import { productName, useBrand } from '../lib/brand.ts'
import css from './brand-mark.module.css'
import { classNames } from './class-names.ts'
import { Logo } from './logo.tsx'

const c = classNames(css)

/** The largest size of a logo, in CSS pixels. Logos have twice as many, for sharp screens. */
const sizes = { bar: { width: 160, height: 32 }, card: { width: 240, height: 56 } }

/** Logos that are wider than this usually contain the name, so it isn’t repeated next to them. */
const wordmarkRatio = 1.75

interface BrandMarkProps {
  place: keyof typeof sizes
  /** Whether the name is next to the mark anyway, as in a heading. Then the mark shows only logos. */
  isNamed?: boolean | undefined
}

/** Shows the logo and name of the organisation, or those of Neptune if no brand is set. */
export function BrandMark({ place, isNamed = false }: BrandMarkProps) {
  const { name, logos } = useBrand()
  const logo = logos.light ?? logos.dark
  if (!logo && name === null) return <Logo size={place === 'card' ? 32 : 28} withName />
  if (!logo && isNamed) return null
  const hasText = !isNamed && name !== null && (!logo || logo.width / logo.height < wordmarkRatio)
  const alt = hasText ? '' : (name ?? productName)
  const { light, dark } = logos
  return (
    <span className={c('mark', place)}>
      {light && <Image logo={light} place={place} alt={alt} role={dark ? 'inLight' : 'forLight'} />}
      {dark && <Image logo={dark} place={place} alt={alt} role={light ? 'inDark' : 'forDark'} />}
      {hasText && (
        <span className={c('name')} title={name}>
          {name}
        </span>
      )}
    </span>
  )
}

interface ImageProps {
  logo: LogoImage
  place: keyof typeof sizes
  alt: string
  role: 'inLight' | 'inDark' | 'forLight' | 'forDark'
}

/** A logo with its size, so that the layout doesn’t shift when it has loaded. Browsers don’t load lazy images that are hidden. */
function Image({ logo: { url, width, height }, place, alt, role }: ImageProps) {
  const scale = Math.min(1, sizes[place].width / width, sizes[place].height / height)
  return (
    <img
      className={c('logo', role)}
      src={url}
      alt={alt}
      width={Math.round(width * scale)}
      height={Math.round(height * scale)}
      loading={role === 'inLight' || role === 'inDark' ? 'lazy' : 'eager'}
    />
  )
}
