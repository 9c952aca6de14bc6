import type { FileKind, FileRow } from '@neptune/contract'
import type { ComponentProps } from 'react'
import { ArchiveIcon, FileIcon, ImageIcon, PlayIcon, SheetIcon, TextIcon } from '../../components/icons.tsx'
import type { Tile } from '../../components/table/tile-grid.tsx'
import { type Text, t } from '../../i18n/t.ts'

const kindNames = {
  image: 'Images',
  pdf: 'PDF',
  text: 'Text',
  office: 'Office',
  archive: 'Archives',
  media: 'Audio and video',
  other: 'Other',
} as const satisfies Record<FileKind, Text>

export const getKindOptions = () => Object.entries(kindNames).map(([value, name]) => ({ value, label: t(name) }))

type KindStyle = { Glyph: typeof FileIcon; tint: ComponentProps<typeof Tile>['tint'] }

const kindStyles: Record<FileKind, KindStyle> = {
  image: { Glyph: ImageIcon, tint: 'violet' },
  pdf: { Glyph: TextIcon, tint: 'rose' },
  text: { Glyph: TextIcon, tint: 'grey' },
  office: { Glyph: SheetIcon, tint: 'blue' },
  archive: { Glyph: ArchiveIcon, tint: 'amber' },
  media: { Glyph: PlayIcon, tint: 'green' },
  other: { Glyph: FileIcon, tint: 'grey' },
}

/** Returns the icon and color of a file kind. An unknown kind looks like `other`. */
export const getKindStyle = (kind: FileKind) => kindStyles[kind] ?? kindStyles.other

/** Returns the extension of a file as a short label, such as `PDF`, or the name of its kind. */
export function getFileType({ file_name, kind }: Pick<FileRow, 'file_name' | 'kind'>): string {
  const [, ending] = /[^.]\.([a-z0-9]{1,5})$/iu.exec(file_name) ?? []
  return ending?.toUpperCase() ?? t(kindNames[kind] ?? kindNames.other)
}
