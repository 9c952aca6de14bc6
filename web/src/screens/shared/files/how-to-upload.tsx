import { classNames } from '../../../components/class-names.ts'
import { t } from '../../../i18n/t.ts'
import { tNodes } from '../../../i18n/t-nodes.tsx'
import css from './how-to-upload.module.css'

const c = classNames(css)

/** The hint of an empty file list. */
export const HowToUpload = () =>
  tNodes('Upload one{drop}.', {
    drop: <span className={c('drop')}>{t(', or drop files and folders anywhere on this page')}</span>,
  })
