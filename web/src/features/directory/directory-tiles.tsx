import type { DirectoryRow } from '@neptune/contract'
import { useNavigate } from 'react-router'
import { toApiUrl } from '../../api/client.ts'
import { Badge } from '../../components/feedback/badge.tsx'
import { ArchiveIcon, FolderIcon, MoreIcon } from '../../components/icons.tsx'
import { Menu } from '../../components/menu/menu.tsx'
import { NameLink } from '../../components/name-link.tsx'
import { createDistinctLabels } from '../../components/table/distinct-labels.ts'
import { Tile, TileGrid } from '../../components/table/tile-grid.tsx'
import { t } from '../../i18n/t.ts'
import { defaultCompany } from '../../lib/default-company.ts'
import { formatSize } from '../../lib/sizes.ts'
import { paths } from '../../paths.ts'
import { createDirectoryMenu, type DirectoryActions } from './directory-menu.tsx'

interface DirectoryTilesProps {
  directories: readonly DirectoryRow[]
  loading: boolean
  /** Whether to show the company. Not needed for people who see only their own. */
  withCompany: boolean
  actions: DirectoryActions
}

export function DirectoryTiles({ directories, loading, withCompany, actions }: DirectoryTilesProps) {
  const navigate = useNavigate()
  const labels = createDistinctLabels(
    directories,
    ({ directory }) => directory || t('Unknown'),
    ({ client }) => client ?? defaultCompany,
  )
  const labelById = new Map(directories.map(({ id }, index) => [id, labels[index]?.label]))
  const getLabel = ({ id, directory }: DirectoryRow) => labelById.get(id) ?? directory
  const createMenu = (directory: DirectoryRow) =>
    createDirectoryMenu(directory, getLabel(directory), actions, (id) => void navigate(paths.directory(id)))
  const createMenuById = (id: string) => {
    const directory = directories.find((row) => row.id === id)
    return directory && createMenu(directory)
  }
  return (
    <TileGrid label={t('Directories')} columns={4} loading={loading} items={directories} getMenu={createMenuById}>
      {(directory) => (
        <Tile
          key={directory.id}
          id={directory.id}
          picture={directory.source === null ? undefined : toApiUrl(directory.source)}
          glyph={<FolderIcon />}
          tint="blue"
          name={directory.directory}
          label={getLabel(directory)}
          meta={
            <>
              {withCompany && (
                <NameLink
                  text={directory.client ?? defaultCompany}
                  to={directory.company ? paths.company(directory.company) : undefined}
                />
              )}
              {formatDirectorySize(directory)}{' '}
              {directory.archived && (
                <Badge tone="neutral" icon={<ArchiveIcon />}>
                  {t('Archived')}
                </Badge>
              )}
            </>
          }
          to={paths.directory(directory.id)}
          menu={<Menu {...createMenu(directory)} align="end" trigger={<MoreIcon />} />}
        />
      )}
    </TileGrid>
  )
}

/** Formats `24 files · 1.4 GB`, or the size alone if the number of files is missing. */
export function formatDirectorySize({ files, size }: DirectoryRow): string {
  if (files === 0) return t('No files')
  return Number.isNaN(files) ? formatSize(size) : `${t('{n} files', { n: files })} · ${formatSize(size)}`
}
