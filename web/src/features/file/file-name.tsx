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
  /** Whether `ItemNote` shows a path. */
  hasPath: boolean
}

/** The name of a file or folder with a thumbnail, and with room for `ItemNote`. */
export const ItemName = ({ name, picture, badge, hasPath }: ItemNameProps) => (
  <span className={c('item')}>
    {picture}
    <span className={c('names', hasPath && 'abovePath')}>
      <span className={c('line')}>
        <TruncatedText text={name} /> {badge}
      </span>
    </span>
  </span>
)

interface ItemNoteProps {
  /** The folders between the list’s own and the item, for search results. */
  path: string
  /** What phones show instead of columns. */
  details: ReactNode
}

/** The lines below the name of a file or folder. */
export const ItemNote = ({ path, details }: ItemNoteProps) => (
  <div className={c('note')}>
    {path && <div className={c('noteLine')}>{path}</div>}
    <div className={c('noteLine', 'onPhone')}>{details}</div>
  </div>
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
