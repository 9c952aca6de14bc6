import type { FileRow } from '@neptune/contract'
import { memo } from 'react'
import { toApiUrl } from '../../api/client.ts'
import { Age } from '../../components/age.tsx'
import { Tile, TileGrid } from '../../components/table/tile-grid.tsx'
import { usePreviewKey } from '../../components/use-preview-key.ts'
import { t } from '../../i18n/t.ts'
import { formatSize } from '../../lib/sizes.ts'
import { DamagedBadge, damageReason } from './damage.tsx'
import { kindStyle } from './file-kinds.tsx'
import { type FileActions, FileMenu, menuOfFile, type ReadActions } from './file-menu.tsx'

interface FileTilesProps {
  files: readonly FileRow[]
  loading: boolean
  actions: Actions
}

type Actions = FileActions | ReadActions

/** The files of a directory. A click downloads a file; Space previews it. */
export function FileTiles({ files, loading, actions }: FileTilesProps) {
  const fileOf = (id: string) => files.filter((file) => file.id === id)
  const peek = usePreviewKey((id) => fileOf(id).forEach(actions.preview))
  return (
    <div {...peek}>
      <TileGrid
        label={t('Files')}
        columns={8}
        loading={loading}
        items={files}
        getMenu={(id) => fileOf(id).map((file) => menuOfFile(file, actions))[0]}
      >
        {(file) => <FileTile key={file.id} file={file} actions={actions} />}
      </TileGrid>
    </div>
  )
}

/** Memoized: renders again only when its own props change. */
const FileTile = memo(({ file, actions }: { file: FileRow; actions: Actions }) => {
  const { Glyph, tint } = kindStyle(file.kind)
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
      disabledReason={damageReason(file, isStaff)}
      menu={<FileMenu file={file} actions={actions} />}
    />
  )
})
