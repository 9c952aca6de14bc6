import type { FileRow } from '@neptune/contract'
import { memo } from 'react'
import { toApiUrl } from '../../api/client.ts'
import { Age } from '../../components/age.tsx'
import { Tile, TileGrid } from '../../components/table/tile-grid.tsx'
import { usePreviewKey } from '../../components/use-preview-key.ts'
import { t } from '../../i18n/t.ts'
import { formatSize } from '../../lib/sizes.ts'
import { DamagedBadge, getDamageReason } from './damage.tsx'
import { getKindStyle } from './file-kinds.tsx'
import { createFileMenu, type FileActions, FileMenu, type ReadActions } from './file-menu.tsx'

interface FileTilesProps {
  files: readonly FileRow[]
  loading: boolean
  actions: Actions
}

type Actions = FileActions | ReadActions

/** The files of a directory. A click downloads a file; Space previews it. */
export function FileTiles({ files, loading, actions }: FileTilesProps) {
  const findFile = (id: string) => files.find((file) => file.id === id)
  const previewKeyHandlers = usePreviewKey((id) => {
    const file = findFile(id)
    if (file) actions.preview(file)
  })
  const createMenu = (id: string) => {
    const file = findFile(id)
    return file && createFileMenu(file, actions)
  }
  return (
    <div {...previewKeyHandlers}>
      <TileGrid label={t('Files')} columns={8} loading={loading} items={files} getMenu={createMenu}>
        {(file) => <FileTile key={file.id} file={file} actions={actions} />}
      </TileGrid>
    </div>
  )
}

/** Memoized, so that loading more files doesn’t render all earlier tiles again. */
const FileTile = memo(({ file, actions }: { file: FileRow; actions: Actions }) => {
  const { Glyph, tint } = getKindStyle(file.kind)
  const isStaff = 'remove' in actions
  return (
    <Tile
      id={file.id}
      picture={file.image === null ? undefined : toApiUrl(file.image)}
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
      disabledReason={getDamageReason(file, isStaff)}
      menu={<FileMenu file={file} actions={actions} />}
    />
  )
})
