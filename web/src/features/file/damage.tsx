import type { FileRow } from '@neptune/contract'
import { AlertIcon } from '../../components/entry-icons.tsx'
import { Badge } from '../../components/feedback/badge.tsx'
import { t } from '../../i18n/t.ts'

/** Returns why a damaged file can’t be downloaded; undefined for an intact file. */
export function getDamageReason({ damaged }: FileRow, isStaff = true): string | undefined {
  if (!damaged) return undefined
  return isStaff
    ? t('This file is damaged on the server and can’t be downloaded. Tell an administrator.')
    : t('This file is damaged on the server and can’t be downloaded. Tell the person who shared it.')
}

export const DamagedBadge = () => (
  <Badge tone="danger" icon={<AlertIcon />}>
    {t('Damaged')}
  </Badge>
)
