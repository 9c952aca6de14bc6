import type { DirectoryRow, FileRow } from '@neptune/contract'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { TabLinks } from '../../components/menu/tab-links.tsx'
import type { Column } from '../../components/table/table-columns.ts'
import { TruncatedText } from '../../components/truncated-text.tsx'
import { directoriesQuery } from '../../features/directory/directory-queries.ts'
import { useRestoreDirectories } from '../../features/directory/use-restore-directories.ts'
import { FileName } from '../../features/file/file-name.tsx'
import { filesQuery } from '../../features/file/file-queries.ts'
import { useRestoreFiles } from '../../features/file/use-restore-files.ts'
import { formatNumber, t } from '../../i18n/t.ts'
import { defaultCompany } from '../../lib/default-company.ts'
import { formatPath } from '../../lib/format-path.ts'
import { formatSize } from '../../lib/sizes.ts'
import { paths } from '../../paths.ts'
import { useFilters } from '../shared/list/use-filters.ts'
import { StaffPage } from '../shared/page/staff-page.tsx'
import { TrashList } from './trash-list.tsx'

export function TrashPage() {
  const { read, change } = useFilters()
  const showsDirectories = read('of') === 'directories'
  const List = showsDirectories ? DeletedDirectories : DeletedFiles
  return (
    <StaffPage>
      <TabLinks
        label={t('Deleted items')}
        tabs={[
          { label: t('Files'), to: paths.trash, current: !showsDirectories },
          { label: t('Directories'), to: `${paths.trash}?of=directories`, current: showsDirectories },
        ]}
      />
      <List search={read('search') ?? ''} onSearch={(search) => change({ search })} />
    </StaffPage>
  )
}

interface ListProps {
  search: string
  onSearch: (search: string) => void
}

function DeletedFiles(props: ListProps) {
  const list = useInfiniteQuery(filesQuery({ trash: 'true', search: props.search || undefined }))
  const restore = useRestoreFiles(suppressToast)
  const columns = useMemo(createFileColumns, [])
  return (
    <TrashList
      {...props}
      kind="files"
      hint={t('Files in a deleted directory are restored with it: see Directories.')}
      list={list}
      columns={columns}
      getName={getFileName}
      getDetail={getLocation}
      restore={restore}
    />
  )
}

function DeletedDirectories(props: ListProps) {
  const list = useInfiniteQuery(directoriesQuery({ trash: 'true', search: props.search || undefined }))
  const restore = useRestoreDirectories(suppressToast)
  const columns = useMemo(createDirectoryColumns, [])
  return (
    <TrashList
      {...props}
      kind="directories"
      list={list}
      columns={columns}
      getName={getDirectoryName}
      getDetail={getFolderLocation}
      restore={restore}
    />
  )
}

/** Suppresses the toast: the list itself shows why an item cannot be restored, because that needs action. */
const suppressToast = { onError: () => {} }

const getFileName = ({ file_name }: FileRow) => file_name || t('Unknown')
const getDirectoryName = ({ directory }: DirectoryRow) => directory || t('Unknown')

const getLocation = ({ directory, directory_id, path, client }: FileRow) =>
  `${formatPath([...path, { id: directory_id, name: directory ?? t('Unknown') }])} · ${client ?? defaultCompany}`

/** The company of a deleted directory. For a deleted folder, its path comes first. */
const getFolderLocation = ({ path, client }: DirectoryRow) =>
  [formatPath(path), client ?? defaultCompany].filter(Boolean).join(' · ')

const createFileColumns = (): Column<FileRow>[] => [
  { key: 'name', header: t('Name'), cell: (file) => <FileName {...file} />, minWidth: 62, primary: true },
  {
    key: 'location',
    header: t('Original location'),
    cell: (file) => <span title={getLocation(file)}>{getLocation(file)}</span>,
    width: '24%',
    ownLine: true,
  },
  { key: 'size', header: t('Size'), cell: (file) => formatSize(file.size), align: 'end', width: 104 },
]

const createDirectoryColumns = (): Column<DirectoryRow>[] => [
  { key: 'name', header: t('Name'), cell: (row) => <TruncatedText text={row.directory} />, minWidth: 62, primary: true },
  {
    key: 'location',
    header: t('Original location'),
    cell: (row) => <span title={getFolderLocation(row)}>{getFolderLocation(row)}</span>,
    width: '20%',
    ownLine: true,
  },
  {
    key: 'files',
    header: t('Files'),
    cell: (row) => formatNumber(row.files),
    align: 'end',
    width: '10%',
    labelOnPhone: true,
  },
  { key: 'size', header: t('Size'), cell: (row) => formatSize(row.size), align: 'end', width: 104 },
]
