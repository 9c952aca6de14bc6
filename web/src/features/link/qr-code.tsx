import { classNames } from '../../components/class-names.ts'
import { qrMatrix } from '../../lib/qr.ts'
import css from './link-ready.module.css'

const c = classNames(css)

/** What a camera needs around it. */
const quiet = 4

/** Black on white in every theme, because many cameras read nothing else. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const rows = qrMatrix(text)
  if (!rows) return null
  const size = rows.length + 2 * quiet
  const dark = rows.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x + quiet} ${y + quiet}h1v1h-1z`] : [])))
  return (
    <svg role="img" aria-label={label} viewBox={`0 0 ${size} ${size}`} shapeRendering="crispEdges" className={c('qr')}>
      <rect width={size} height={size} fill="#fff" />
      <path d={dark.join('')} fill="#000" />
    </svg>
  )
}
