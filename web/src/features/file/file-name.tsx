import type { FileRow } from '@neptune/contract'
import { type ReactNode, useState } from 'react'
import { toApiUrl } from '../../api/client.ts'
import { classNames } from '../../components/class-names.ts'
import { FolderIcon } from '../../components/icons.tsx'
import { TruncatedText } from '../../components/truncated-text.tsx'
import { DamagedBadge } from './damage.tsx'
import { getKindStyle } from './file-kinds.tsx'
import css from './files.module.css'

const c = classNames(css)

/** The name of a file in a list, with the icon of its kind. */
export const FileName = ({ file_name, kind, damaged }: FileRow) => {
  const { Glyph, tint } = getKindStyle(kind)
  return (
    <span className={c('name')}>
      <span className={c('glyph', tint)}>
        <Glyph size={18} />
      </span>
      <TruncatedText text={file_name} /> {damaged && <DamagedBadge />}
    </span>
  )
}

interface ItemNameProps {
  name: string
  picture: ReactNode
  badge?: ReactNode
  /** The folders between the listed folder and the item. */
  path: string
  /** What phones show below the name instead of columns. */
  details: ReactNode
}

/** The name of a file or folder with a thumbnail; in search results, also with its path. */
export const ItemName = ({ name, picture, badge, path, details }: ItemNameProps) => (
  <span className={c('item')}>
    {picture}
    <span className={c('names')}>
      <span className={c('line')}>
        <TruncatedText text={name} /> {badge}
      </span>
      {path && <span className={c('path')}>{path}</span>}
      <span className={c('path', 'onPhone')}>{details}</span>
    </span>
  </span>
)

/** A thumbnail, or the icon of the file’s kind. */
export function FilePicture({ kind, image }: Pick<FileRow, 'kind' | 'image'>) {
  const [failed, setFailed] = useState<string>()
  const { Glyph, tint } = getKindStyle(kind)
  const hasImage = image !== null && image !== failed
  return (
    <span className={c('picture', hasImage ? 'image' : tint)}>
      {hasImage ? (
        <img src={toApiUrl(image)} alt="" loading="lazy" decoding="async" draggable={false} onError={() => setFailed(image)} />
      ) : (
        <Glyph size={20} />
      )}
    </span>
  )
}

export const FolderPicture = () => (
  <span className={c('picture', 'folder')}>
    <FolderIcon size={22} />
  </span>
)
