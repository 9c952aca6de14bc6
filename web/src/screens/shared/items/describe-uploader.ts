import type { VersionRow } from '@neptune/contract'
import { t } from '../../../i18n/t.ts'

/** Names the staff member who uploaded a version, or says that a recipient did. */
export const describeUploader = ({ uploaded_by, link }: Pick<VersionRow, 'uploaded_by' | 'link'>): string =>
  uploaded_by ?? (link === null ? t('Unknown') : t('A recipient'))
