import type { FileKind } from '@neptune/contract'
import type { ComponentProps } from 'react'
import { ArchiveIcon, FileIcon, ImageIcon, PlayIcon, SheetIcon, TextIcon } from '../../components/icons.tsx'
import type { Tile } from '../../components/tile-grid.tsx'

const kindNames: Record<FileKind, string> = {
  image: 'Images',
  pdf: 'PDF',
  text: 'Text',
  office: 'Office',
  archive: 'Archives',
  media: 'Audio and video',
  other: 'Other',
}

export const kindOptions = Object.entries(kindNames).map(([value, label]) => ({ value, label }))

type Look = { Glyph: typeof FileIcon; tint: ComponentProps<typeof Tile>['tint'] }

const looks: Record<FileKind, Look> = {
  image: { Glyph: ImageIcon, tint: 'violet' },
  pdf: { Glyph: TextIcon, tint: 'rose' },
  text: { Glyph: TextIcon, tint: 'grey' },
  office: { Glyph: SheetIcon, tint: 'blue' },
  archive: { Glyph: ArchiveIcon, tint: 'amber' },
  media: { Glyph: PlayIcon, tint: 'green' },
  other: { Glyph: FileIcon, tint: 'grey' },
}

/** What a file of this type is drawn as. The first pattern that matches wins. */
export const lookOf = (contentType: string) => looks[patterns.find(([, pattern]) => pattern.test(contentType))?.[0] ?? 'other']

const patterns: [FileKind, RegExp][] = [
  ['image', /^image\//],
  ['media', /^(audio|video)\//],
  ['pdf', /^application\/pdf$/],
  ['office', /officedocument|opendocument|ms-?(word|excel|powerpoint)|rtf$/],
  ['archive', /zip|7z|tar|rar/],
  ['text', /^text\/|(json|xml)$/],
]
