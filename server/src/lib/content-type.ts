import { extname } from 'node:path/posix'
import type { FileType } from '@neptune/contract'

/** How many of the first bytes are worth handing over. */
export const headBytes = 4096

export const unknownType = 'application/octet-stream' satisfies FileType

/**
 * The type under which a file is listed and sent: what its ending promises, if its first bytes keep it. What the uploader declared
 * counts for nothing. There is no row for anything a browser would run (HTML, SVG, scripts), so such a file is just bytes.
 * This is one wall of several: every download is also an attachment, sandboxed and not to be sniffed.
 */
export function contentTypeOf(name: string, head: Uint8Array): FileType {
  const ending = extname(name).slice(1).toLowerCase()
  const bytes = Buffer.from(head.buffer, head.byteOffset, head.byteLength)
  const row = types.find(({ endings, looks }) => endings.includes(ending) && looks(bytes))
  return row?.type ?? unknownType
}

/**
 * As what a browser may show a file of a type of ours, and under which type it is sent for that. What a browser would run is not among
 * them, and text is sent as nothing but text, whatever its language.
 */
export function previewFormatOf(type: string) {
  const row = shown.find(({ types }) => types.includes(type))
  return row && { as: row.as, type: row.as === 'text' ? 'text/plain; charset=utf-8' : type }
}

const shown = [
  { as: 'image' as const, types: ['png', 'jpeg', 'gif', 'webp', 'avif', 'heic', 'bmp', 'tiff'].map((name) => `image/${name}`) },
  { as: 'pdf' as const, types: ['application/pdf'] },
  { as: 'text' as const, types: ['text/plain', 'text/csv', 'application/json', 'application/xml'] },
  { as: 'audio' as const, types: ['mp4', 'mpeg', 'wav', 'ogg', 'flac'].map((name) => `audio/${name}`) },
  { as: 'video' as const, types: ['mp4', 'quicktime', 'webm'].map((name) => `video/${name}`) },
]

type Looks = (head: Buffer) => boolean

interface Row {
  type: FileType
  endings: string[]
  looks: Looks
}

const startsWith =
  (magic: string, at = 0): Looks =>
  (head) =>
    head.subarray(at, at + magic.length).equals(Buffer.from(magic, 'latin1'))

const both =
  (...all: Looks[]): Looks =>
  (head) =>
    all.every((looks) => looks(head))

const either =
  (...some: Looks[]): Looks =>
  (head) =>
    some.some((looks) => looks(head))

/** No control characters but those of text, whatever the encoding. */
const isText: Looks = (head) => head.every((byte) => byte >= 0x20 || (byte >= 0x09 && byte <= 0x0d) || byte === 0x1b)

/** Text that begins like this, after a byte-order mark and space. */
const begins = (pattern: RegExp): Looks => both(isText, (head) => pattern.test(withoutMark(head).trimStart()))

const withoutMark = (head: Buffer) => head.toString('latin1').replace(/^\xef\xbb\xbf/, '')

/** XML can be a page or a picture that runs scripts. */
const isActiveXml: Looks = (head) => /<(\w+:)?(svg|html|script)\b|xml-stylesheet|xhtml/i.test(head.toString('latin1'))

const zip = either(startsWith('PK\x03\x04'), startsWith('PK\x05\x06'))
const oldOffice = startsWith('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1')
const isMpegFrame: Looks = (head) => head[0] === 0xff && ((head[1] ?? 0) & 0xe6) === 0xe2

/** Cameras and programs mix these up, so for any of them the bytes say which it is. */
const pictures = ['png', 'jpg', 'jpeg', 'jfif', 'gif', 'webp', 'avif', 'heic', 'heif', 'bmp', 'tif', 'tiff']
const open = 'application/vnd.openxmlformats-officedocument'
const odf = 'application/vnd.oasis.opendocument'

const types: Row[] = [
  { type: 'application/pdf', endings: ['pdf'], looks: startsWith('%PDF-') },
  { type: 'image/png', endings: pictures, looks: startsWith('\x89PNG\r\n\x1a\n') },
  { type: 'image/jpeg', endings: pictures, looks: startsWith('\xff\xd8\xff') },
  { type: 'image/gif', endings: pictures, looks: either(startsWith('GIF87a'), startsWith('GIF89a')) },
  { type: 'image/webp', endings: pictures, looks: both(startsWith('RIFF'), startsWith('WEBP', 8)) },
  { type: 'image/avif', endings: pictures, looks: startsWith('ftypavif', 4) },
  { type: 'image/heic', endings: pictures, looks: either(startsWith('ftyphei', 4), startsWith('ftypmif1', 4)) },
  { type: 'image/bmp', endings: pictures, looks: startsWith('BM') },
  { type: 'image/tiff', endings: pictures, looks: either(startsWith('II*\0'), startsWith('MM\0*')) },
  { type: 'application/json', endings: ['json', 'geojson'], looks: begins(/^[[{"\-\dtfn]/) },
  { type: 'application/xml', endings: ['xml', 'xsd'], looks: both(begins(/^</), (head) => !isActiveXml(head)) },
  { type: 'text/csv', endings: ['csv'], looks: isText },
  { type: 'text/plain', endings: ['txt', 'text', 'log', 'md'], looks: isText },
  { type: 'application/rtf', endings: ['rtf'], looks: startsWith('{\\rtf') },
  { type: `${open}.wordprocessingml.document`, endings: ['docx'], looks: zip },
  { type: `${open}.spreadsheetml.sheet`, endings: ['xlsx'], looks: zip },
  { type: `${open}.presentationml.presentation`, endings: ['pptx'], looks: zip },
  { type: 'application/msword', endings: ['doc', 'dot'], looks: oldOffice },
  { type: 'application/vnd.ms-excel', endings: ['xls'], looks: oldOffice },
  { type: 'application/vnd.ms-powerpoint', endings: ['ppt', 'pps'], looks: oldOffice },
  { type: `${odf}.text`, endings: ['odt'], looks: zip },
  { type: `${odf}.spreadsheet`, endings: ['ods'], looks: zip },
  { type: `${odf}.presentation`, endings: ['odp'], looks: zip },
  { type: 'application/zip', endings: ['zip'], looks: zip },
  { type: 'application/gzip', endings: ['gz', 'tgz'], looks: startsWith('\x1f\x8b') },
  { type: 'application/x-7z-compressed', endings: ['7z'], looks: startsWith('7z\xbc\xaf\x27\x1c') },
  { type: 'video/mp4', endings: ['mp4', 'm4v'], looks: startsWith('ftyp', 4) },
  { type: 'video/quicktime', endings: ['mov'], looks: startsWith('ftyp', 4) },
  { type: 'video/webm', endings: ['webm'], looks: startsWith('\x1a\x45\xdf\xa3') },
  { type: 'audio/mp4', endings: ['m4a'], looks: startsWith('ftyp', 4) },
  { type: 'audio/mpeg', endings: ['mp3'], looks: either(startsWith('ID3'), isMpegFrame) },
  { type: 'audio/wav', endings: ['wav'], looks: both(startsWith('RIFF'), startsWith('WAVE', 8)) },
  { type: 'audio/ogg', endings: ['ogg', 'oga', 'opus'], looks: startsWith('OggS') },
  { type: 'audio/flac', endings: ['flac'], looks: startsWith('fLaC') },
]
