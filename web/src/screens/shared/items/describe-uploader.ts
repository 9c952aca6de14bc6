import type { FileRow } from '@neptune/contract'
import { t } from '../../../i18n/t.ts'

/** Names the staff member who uploaded a file or version, or says that a recipient did. */
export const describeUploader = ({ uploaded_by, link }: Pick<FileRow, 'uploaded_by' | 'link'>): string =>
  uploaded_by ?? (link ? t('A recipient') : t('Unknown'))
