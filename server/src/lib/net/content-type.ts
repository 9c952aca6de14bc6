import { extname } from 'node:path/posix'
import type { FileType } from '@neptune/contract'

/** How many of a file's first bytes `detectContentType` looks at. */
export const headBytes = 4096

export const unknownType = 'application/octet-stream' satisfies FileType

/**
 * Returns the type under which a file is listed and sent: the type of its extension, if the first bytes match it. For images, the first
 * bytes alone decide which image type it is, because extensions are often wrong. The type that the uploader declared is ignored. Types that
 * a browser would execute (HTML, SVG, scripts) are not in the table, so such a file is `application/octet-stream`. This is one defence of
 * several: downloads are also attachments, sandboxed and sent with `nosniff`.
 */
export function detectContentType(name: string, head: Uint8Array): FileType {
  const extension = extname(name).slice(1).toLowerCase()
  const bytes = Buffer.from(head.buffer, head.byteOffset, head.byteLength)
  const row = types.find(({ extensions, matches }) => extensions.includes(extension) && matches(bytes))
  return row?.type ?? unknownType
}

/**
 * Returns how a browser may preview a file of this type, and the type to send it with; undefined if it may not. Web pages
 * and SVG can't be previewed, because a browser would run their scripts, and every kind of text is sent as `text/plain`.
 */
export function findPreviewFormat(type: string) {
  const row = previews.find(({ types }) => types.includes(type))
  return row && { as: row.as, type: row.as === 'text' ? 'text/plain; charset=utf-8' : type }
}

const previews = [
  { as: 'image' as const, types: ['png', 'jpeg', 'gif', 'webp', 'avif', 'heic', 'bmp', 'tiff'].map((name) => `image/${name}`) },
  { as: 'pdf' as const, types: ['application/pdf'] },
  { as: 'text' as const, types: ['text/plain', 'text/csv', 'application/json', 'application/xml'] },
  { as: 'audio' as const, types: ['mp4', 'mpeg', 'wav', 'ogg', 'flac'].map((name) => `audio/${name}`) },
  { as: 'video' as const, types: ['mp4', 'quicktime', 'webm'].map((name) => `video/${name}`) },
]

type Matcher = (head: Buffer) => boolean

interface Row {
  type: FileType
  extensions: string[]
  matches: Matcher
}

const startsWith =
  (magic: string, at = 0): Matcher =>
  (head) =>
    head.subarray(at, at + magic.length).equals(Buffer.from(magic, 'latin1'))

const both =
  (...matchers: Matcher[]): Matcher =>
  (head) =>
    matchers.every((matches) => matches(head))

const either =
  (...matchers: Matcher[]): Matcher =>
  (head) =>
    matchers.some((matches) => matches(head))

/**
 * Matches text in an ASCII-compatible encoding (UTF-8, Latin-1, …): bytes without control characters, except white space and ESC. UTF-16
 * usually doesn't match, because it contains NUL bytes.
 */
const isText: Matcher = (head) => head.every((byte) => byte >= 0x20 || (byte >= 0x09 && byte <= 0x0d) || byte === 0x1b)

/** Matches text that starts with the pattern, after an optional byte-order mark and white space. */
const isTextLike = (pattern: RegExp): Matcher => both(isText, (head) => pattern.test(removeByteOrderMark(head).trimStart()))

const removeByteOrderMark = (head: Buffer) => head.toString('latin1').replace(/^\xef\xbb\xbf/, '')

/** Matches XML in which a browser could run scripts: a page or an SVG. */
const isActiveXml: Matcher = (head) => /<(\w+:)?(svg|html|script)\b|xml-stylesheet|xhtml/i.test(head.toString('latin1'))

const zip = either(startsWith('PK\x03\x04'), startsWith('PK\x05\x06'))
const oldOffice = startsWith('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1')
const isMpegFrame: Matcher = (head) => head[0] === 0xff && ((head[1] ?? 0) & 0xe6) === 0xe2

/** Cameras and programs mix these extensions up, so the bytes decide which type it is. */
const imageExtensions = ['png', 'jpg', 'jpeg', 'jfif', 'gif', 'webp', 'avif', 'heic', 'heif', 'bmp', 'tif', 'tiff']
const ooxml = 'application/vnd.openxmlformats-officedocument'
const odf = 'application/vnd.oasis.opendocument'

const types: Row[] = [
  { type: 'application/pdf', extensions: ['pdf'], matches: startsWith('%PDF-') },
  { type: 'image/png', extensions: imageExtensions, matches: startsWith('\x89PNG\r\n\x1a\n') },
  { type: 'image/jpeg', extensions: imageExtensions, matches: startsWith('\xff\xd8\xff') },
  { type: 'image/gif', extensions: imageExtensions, matches: either(startsWith('GIF87a'), startsWith('GIF89a')) },
  { type: 'image/webp', extensions: imageExtensions, matches: both(startsWith('RIFF'), startsWith('WEBP', 8)) },
  { type: 'image/avif', extensions: imageExtensions, matches: startsWith('ftypavif', 4) },
  { type: 'image/heic', extensions: imageExtensions, matches: either(startsWith('ftyphei', 4), startsWith('ftypmif1', 4)) },
  { type: 'image/bmp', extensions: imageExtensions, matches: startsWith('BM') },
  { type: 'image/tiff', extensions: imageExtensions, matches: either(startsWith('II*\0'), startsWith('MM\0*')) },
  { type: 'application/json', extensions: ['json', 'geojson'], matches: isTextLike(/^[[{"\-\dtfn]/) },
  { type: 'application/xml', extensions: ['xml', 'xsd'], matches: both(isTextLike(/^</), (head) => !isActiveXml(head)) },
  { type: 'text/csv', extensions: ['csv'], matches: isText },
  { type: 'text/plain', extensions: ['txt', 'text', 'log', 'md'], matches: isText },
  { type: 'application/rtf', extensions: ['rtf'], matches: startsWith('{\\rtf') },
  { type: `${ooxml}.wordprocessingml.document`, extensions: ['docx'], matches: zip },
  { type: `${ooxml}.spreadsheetml.sheet`, extensions: ['xlsx'], matches: zip },
  { type: `${ooxml}.presentationml.presentation`, extensions: ['pptx'], matches: zip },
  { type: 'application/msword', extensions: ['doc', 'dot'], matches: oldOffice },
  { type: 'application/vnd.ms-excel', extensions: ['xls'], matches: oldOffice },
  { type: 'application/vnd.ms-powerpoint', extensions: ['ppt', 'pps'], matches: oldOffice },
  { type: `${odf}.text`, extensions: ['odt'], matches: zip },
  { type: `${odf}.spreadsheet`, extensions: ['ods'], matches: zip },
  { type: `${odf}.presentation`, extensions: ['odp'], matches: zip },
  { type: 'application/zip', extensions: ['zip'], matches: zip },
  { type: 'application/gzip', extensions: ['gz', 'tgz'], matches: startsWith('\x1f\x8b') },
  { type: 'application/x-7z-compressed', extensions: ['7z'], matches: startsWith('7z\xbc\xaf\x27\x1c') },
  { type: 'video/mp4', extensions: ['mp4', 'm4v'], matches: startsWith('ftyp', 4) },
  { type: 'video/quicktime', extensions: ['mov'], matches: startsWith('ftyp', 4) },
  { type: 'video/webm', extensions: ['webm'], matches: startsWith('\x1a\x45\xdf\xa3') },
  { type: 'audio/mp4', extensions: ['m4a'], matches: startsWith('ftyp', 4) },
  { type: 'audio/mpeg', extensions: ['mp3'], matches: either(startsWith('ID3'), isMpegFrame) },
  { type: 'audio/wav', extensions: ['wav'], matches: both(startsWith('RIFF'), startsWith('WAVE', 8)) },
  { type: 'audio/ogg', extensions: ['ogg', 'oga', 'opus'], matches: startsWith('OggS') },
  { type: 'audio/flac', extensions: ['flac'], matches: startsWith('fLaC') },
]
