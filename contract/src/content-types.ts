const ooxml = 'application/vnd.openxmlformats-officedocument'
const odf = 'application/vnd.oasis.opendocument'

/**
 * The content types of stored files. The server derives the type from the name and the bytes; unknown files are octet streams.
 */
export const fileTypes = [
  'application/octet-stream',
  'application/pdf',
  'image/png',
  'image/jpeg',
  'image/gif',
  'image/webp',
  'image/avif',
  'image/heic',
  'image/bmp',
  'image/tiff',
  'application/json',
  'application/xml',
  'text/csv',
  'text/plain',
  'application/rtf',
  `${ooxml}.wordprocessingml.document`,
  `${ooxml}.spreadsheetml.sheet`,
  `${ooxml}.presentationml.presentation`,
  'application/msword',
  'application/vnd.ms-excel',
  'application/vnd.ms-powerpoint',
  `${odf}.text`,
  `${odf}.spreadsheet`,
  `${odf}.presentation`,
  'application/zip',
  'application/gzip',
  'application/x-7z-compressed',
  'video/mp4',
  'video/quicktime',
  'video/webm',
  'audio/mp4',
  'audio/mpeg',
  'audio/wav',
  'audio/ogg',
  'audio/flac',
] as const
export type FileType = (typeof fileTypes)[number]

const isMedia = (type: FileType) => /^(image|audio|video)\//.test(type)

/**
 * The content types of previews. Web pages and SVG are not among them, because a browser would run their scripts. All text is sent as
 * text/plain.
 */
export const previewTypes: readonly FileType[] = [...fileTypes.filter(isMedia), 'application/pdf', 'text/plain']
