import type { ReactNode } from 'react'
import { classNames } from '../../components/class-names.ts'
import { t } from '../../i18n/t.ts'
import { UploadButton } from '../shared/dialogs/upload-button.tsx'
import css from './files-section.module.css'

const c = classNames(css)

/** A section for files with a heading and an upload button. */
export const FilesSection = ({ children }: { children: ReactNode }) => (
  <section aria-label={t('Files')}>
    <div className={c('head')}>
      <h2 className={c('heading')}>{t('Files')}</h2>
      <UploadButton variant="primary" />
    </div>
    {children}
  </section>
)
