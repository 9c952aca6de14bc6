import type { FileRow } from '@neptune/contract'
import { memo } from 'react'
import { addressAt } from '../../api/client.ts'
import { Age } from '../../components/age.tsx'
import { Tile, TileGrid } from '../../components/tile-grid.tsx'
import { formatSize } from '../../lib/sizes.ts'
import { t } from '../../words/t.ts'
import { DamagedBadge, damageOf } from './damage.tsx'
import { lookOf } from './file-kinds.tsx'
import { type FileActions, FileMenu } from './file-menu.tsx'

interface FileTilesProps {
  files: readonly FileRow[]
  loading: boolean
  actions: Actions
}

/** Who may only take files has no menu. */
type Actions = FileActions | Pick<FileActions, 'download'>

/** The files of a directory. Pressing one downloads it. */
export const FileTiles = ({ files, loading, actions }: FileTilesProps) => (
  <TileGrid label={t('Files')} columns={8} loading={loading} items={files}>
    {(file) => <FileTile key={file.id} file={file} actions={actions} />}
  </TileGrid>
)

/** Drawn again only when something of its own changed. */
const FileTile = memo(({ file, actions }: { file: FileRow; actions: Actions }) => {
  const { Glyph, tint } = lookOf(file.kind)
  const isStaff = 'remove' in actions
  return (
    <Tile
      picture={file.image === null ? undefined : addressAt(file.image)}
      glyph={<Glyph />}
      tint={tint}
      name={file.file_name}
      meta={
        <>
          {file.damaged && (
            <div>
              <DamagedBadge />
            </div>
          )}
          {formatSize(file.size)} · <Age instant={file.date_created} short />
        </>
      }
      onOpen={() => actions.download(file)}
      heldReason={damageOf(file, isStaff)}
      menu={isStaff && <FileMenu file={file} actions={actions} />}
    />
  )
})
