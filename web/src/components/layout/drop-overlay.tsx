import { classNames } from '../class-names.ts'
import { UploadIcon } from '../icons.tsx'
import css from './drop-overlay.module.css'

const c = classNames(css)

/** Dims the page while files are dragged over it, and shows what dropping them does. */
export const DropOverlay = ({ text }: { text: string }) => (
  <div className={c('overlay')}>
    <div className={c('card')}>
      <UploadIcon size={32} />
      <p className={c('text')}>{text}</p>
    </div>
  </div>
)
