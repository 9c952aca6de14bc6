import { encode } from 'uqr'
import { classNames } from '../../components/class-names.ts'
import css from './link-ready.module.css'

const c = classNames(css)

/**
 * Draws a QR code: black on white in every theme, because many scanners need that, with the margin of four modules that ISO/IEC 18004
 * requires.
 */
export function QrCode({ text, label }: { text: string; label: string }) {
  const { data, size } = encode(text, { ecc: 'M', border: 4 })
  const dark = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])))
  return (
    <svg role="img" aria-label={label} viewBox={`0 0 ${size} ${size}`} shapeRendering="crispEdges" className={c('qr')}>
      <rect width={size} height={size} fill="#fff" />
      <path d={dark.join('')} fill="#000" />
    </svg>
  )
}
