import { findPrograms, type Program } from './isolation/programs.ts'

/** How the thumbnail of a file is drawn: by sharp, by PDFium, by LibreOffice and PDFium, or by ffmpeg and sharp. */
export type DrawingKind = 'image' | 'pdf' | 'office' | 'video'

const vendor = 'application/vnd.'
const ooxml = `${vendor}openxmlformats-officedocument.`
const odf = `${vendor}oasis.opendocument.`

/** The file extension for each type. LibreOffice detects the format by it. */
export const officeExtensions: Record<string, string> = {
  'application/rtf': 'rtf',
  'application/msword': 'doc',
  [`${vendor}ms-excel`]: 'xls',
  [`${vendor}ms-powerpoint`]: 'ppt',
  [`${ooxml}wordprocessingml.document`]: 'docx',
  [`${ooxml}spreadsheetml.sheet`]: 'xlsx',
  [`${ooxml}presentationml.presentation`]: 'pptx',
  [`${odf}text`]: 'odt',
  [`${odf}spreadsheet`]: 'ods',
  [`${odf}presentation`]: 'odp',
}

/** The demuxer for each type. ffmpeg must not detect the format itself, because some formats are lists of other files and addresses. */
export const videoDemuxers: Record<string, string> = { 'video/mp4': 'mov', 'video/quicktime': 'mov', 'video/webm': 'matroska' }

/** The content types of each kind. */
export const drawnTypes: Record<DrawingKind, string[]> = {
  image: ['image/jpeg', 'image/png', 'image/webp'],
  pdf: ['application/pdf'],
  office: Object.keys(officeExtensions),
  video: Object.keys(videoDemuxers),
}

const kinds = Object.keys(drawnTypes) as DrawingKind[]

export const findDrawingKind = (type: string): DrawingKind | undefined => kinds.find((kind) => drawnTypes[kind].includes(type))

/** Returns the kinds that this machine can draw with the programs in these folders. */
export async function listDrawingKinds(programPath: string): Promise<DrawingKind[]> {
  const { office, video } = await findPrograms(programPath)
  return kinds.filter((kind) => (kind !== 'office' || isUsable(office)) && (kind !== 'video' || isUsable(video)))
}

export const isUsable = (program: Program | string): program is Program => typeof program !== 'string'
