import type { FileType } from '@neptune/contract'
import { t } from '../../i18n/t.ts'

type Pattern =
  | '{format} archive'
  | '{format} audio'
  | '{format} document'
  | '{format} file'
  | '{format} image'
  | '{format} presentation'
  | '{format} spreadsheet'
  | '{format} video'
  | 'Text file'

const ooxml = 'application/vnd.openxmlformats-officedocument'
const odf = 'application/vnd.oasis.opendocument'

const patternByType: Record<Exclude<FileType, 'application/octet-stream'>, [Pattern, format: string]> = {
  'application/pdf': ['{format} document', 'PDF'],
  'image/png': ['{format} image', 'PNG'],
  'image/jpeg': ['{format} image', 'JPEG'],
  'image/gif': ['{format} image', 'GIF'],
  'image/webp': ['{format} image', 'WebP'],
  'image/avif': ['{format} image', 'AVIF'],
  'image/heic': ['{format} image', 'HEIC'],
  'image/bmp': ['{format} image', 'BMP'],
  'image/tiff': ['{format} image', 'TIFF'],
  'application/json': ['{format} file', 'JSON'],
  'application/xml': ['{format} file', 'XML'],
  'text/csv': ['{format} file', 'CSV'],
  'text/plain': ['Text file', ''],
  'application/rtf': ['{format} document', 'RTF'],
  [`${ooxml}.wordprocessingml.document`]: ['{format} document', 'Word'],
  [`${ooxml}.spreadsheetml.sheet`]: ['{format} spreadsheet', 'Excel'],
  [`${ooxml}.presentationml.presentation`]: ['{format} presentation', 'PowerPoint'],
  'application/msword': ['{format} document', 'Word'],
  'application/vnd.ms-excel': ['{format} spreadsheet', 'Excel'],
  'application/vnd.ms-powerpoint': ['{format} presentation', 'PowerPoint'],
  [`${odf}.text`]: ['{format} document', 'OpenDocument'],
  [`${odf}.spreadsheet`]: ['{format} spreadsheet', 'OpenDocument'],
  [`${odf}.presentation`]: ['{format} presentation', 'OpenDocument'],
  'application/zip': ['{format} archive', 'ZIP'],
  'application/gzip': ['{format} archive', 'GZIP'],
  'application/x-7z-compressed': ['{format} archive', '7-Zip'],
  'video/mp4': ['{format} video', 'MP4'],
  'video/quicktime': ['{format} video', 'QuickTime'],
  'video/webm': ['{format} video', 'WebM'],
  'audio/mp4': ['{format} audio', 'MP4'],
  'audio/mpeg': ['{format} audio', 'MP3'],
  'audio/wav': ['{format} audio', 'WAV'],
  'audio/ogg': ['{format} audio', 'Ogg'],
  'audio/flac': ['{format} audio', 'FLAC'],
}

/** Describes a content type: “PDF document”. Returns “Unknown” if the response had none. */
export function formatContentType(contentType: string): string {
  if (contentType === '') return t('Unknown')
  const [pattern, format] = (patternByType as Partial<Record<string, [Pattern, string]>>)[contentType] ?? []
  if (pattern === undefined || format === undefined) return t('Other file type')
  return pattern === 'Text file' ? t(pattern) : t(pattern, { format })
}
