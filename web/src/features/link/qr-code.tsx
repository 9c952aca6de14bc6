import { classNames } from '../../components/class-names.ts'
import { createQrMatrix } from '../../lib/qr.ts'
import css from './link-ready.module.css'

const c = classNames(css)

/** The empty margin that ISO/IEC 18004 requires, in modules. */
const quietZone = 4

/** Black on white in every theme, because many scanners need that. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const rows = createQrMatrix(text)
  if (!rows) return null
  const size = rows.length + 2 * quietZone
  const dark = rows.flatMap((row, y) =>
    row.flatMap((isDark, x) => (isDark ? [`M${x + quietZone} ${y + quietZone}h1v1h-1z`] : [])),
  )
  return (
    <svg role="img" aria-label={label} viewBox={`0 0 ${size} ${size}`} shapeRendering="crispEdges" className={c('qr')}>
      <rect width={size} height={size} fill="#fff" />
      <path d={dark.join('')} fill="#000" />
    </svg>
  )
}
