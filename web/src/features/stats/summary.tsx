import { useQuery } from '@tanstack/react-query'
import { FileIcon, FolderIcon, LinkIcon } from '../../components/icons.tsx'
import { StatTile, StatTiles } from '../../components/layout/stat-tile.tsx'
import { t } from '../../i18n/t.ts'
import { paths } from '../../paths.ts'
import { statsQuery } from './stats-queries.ts'

/** The three totals of the specification, linked to their pages. */
export function Summary() {
  const { data, isError } = useQuery(statsQuery())
  const totals = data?.data
  const getTotal = (name: 'links' | 'directories' | 'files') => totals?.[name] ?? (isError ? null : undefined)
  return (
    <StatTiles label={t('Summary')}>
      <StatTile label={t('Total Shareable Links')} icon={<LinkIcon />} value={getTotal('links')} to={paths.links} />
      <StatTile label={t('Total Directories')} icon={<FolderIcon />} value={getTotal('directories')} to={paths.directories} />
      <StatTile label={t('Total Files')} icon={<FileIcon />} value={getTotal('files')} to={paths.files} />
    </StatTiles>
  )
}
