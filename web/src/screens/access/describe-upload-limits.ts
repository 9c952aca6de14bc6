import type { Access } from '@neptune/contract'
import { t } from '../../i18n/t.ts'
import { formatSize } from '../../lib/sizes.ts'

/** Describes how much a recipient can upload, and whom to ask for more. */
export function describeUploadLimits({ upload_limits, shared_by: name }: Access): string | undefined {
  if (!upload_limits) return undefined
  const { file_bytes, bytes_left } = upload_limits
  if (bytes_left === 0) return t('This link can’t take any more files. Ask {name} for a new link.', { name })
  const total = formatSize(bytes_left)
  return file_bytes < bytes_left
    ? t('Up to {size} per file, and {total} in total. Ask {name} if you need to send more.', {
        size: formatSize(file_bytes),
        total,
        name,
      })
    : t('Up to {total} in total. Ask {name} if you need to send more.', { total, name })
}
