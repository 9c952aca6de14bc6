import type { FileRow } from '@neptune/contract'
import { type ComponentProps, useMemo } from 'react'
import { Link } from 'react-router'
import { Age } from '../../components/age.tsx'
import { classNames } from '../../components/class-names.ts'
import { Table } from '../../components/table/table.tsx'
import type { Column } from '../../components/table/table-columns.ts'
import { TruncatedText } from '../../components/truncated-text.tsx'
import { usePreviewKey } from '../../components/use-preview-key.ts'
import { t } from '../../i18n/t.ts'
import { defaultCompany } from '../../lib/default-company.ts'
import { formatPath } from '../../lib/format-path.ts'
import { formatSize } from '../../lib/sizes.ts'
import { paths } from '../../paths.ts'
import { getDamageReason } from './damage.tsx'
import { createFileMenu, type FileActions, FileMenu } from './file-menu.tsx'
import { FileName } from './file-name.tsx'
import css from './files.module.css'
import { formatContentType } from './format-content-type.ts'

const c = classNames(css)

type TableProps = ComponentProps<typeof Table<FileRow>>

interface FilesTableProps extends Pick<TableProps, 'loading' | 'empty' | 'selected' | 'onSelect' | 'sort' | 'onSort'> {
  files: readonly FileRow[]
  onDownload: (file: FileRow) => void
  onPreview: (file: FileRow) => void
  /** The row actions of staff. */
  actions?: FileActions
}

/** A click on a name downloads the file, but a click elsewhere in the row does not. Space previews it. */
export function FilesTable({ files, onDownload, onPreview, actions, ...rest }: FilesTableProps) {
  const columns = useMemo(() => (actions ? createStaffColumns(actions) : createColumns()), [actions])
  const previewKeyHandlers = usePreviewKey((id) => {
    const file = files.find((row) => row.id === id)
    if (file) onPreview(file)
  })
  return (
    <div {...previewKeyHandlers}>
      <Table
        {...rest}
        caption={t('Files')}
        columns={columns}
        rows={files}
        rowKey={(file) => file.id}
        rowLabel={getRowLabel}
        rowDetail={({ directory, client }) => `${directory ?? t('Unknown')}, ${client ?? defaultCompany}`}
        disabledReason={(file) => getDamageReason(file)}
        onOpen={onDownload}
        opensAnywhere={false}
        getMenu={(file) => createFileMenu(file, actions ?? { download: onDownload, preview: onPreview })}
      />
    </div>
  )
}

function getRowLabel({ file_name, damaged }: FileRow): string {
  const name = file_name || t('Unknown')
  return damaged ? t('{name} Damaged', { name }) : name
}

const createColumns = (): Column<FileRow>[] => [
  { key: 'name', header: t('Name'), cell: (file) => <FileName {...file} />, sort: 'name', primary: true },
  {
    key: 'type',
    header: t('Content Type'),
    cell: ({ content_type }) => <span title={content_type}>{formatContentType(content_type)}</span>,
    width: '17%',
  },
  {
    key: 'client',
    header: t('Client'),
    cell: (file) => <TruncatedText text={file.client ?? defaultCompany} at="end" />,
    width: '20%',
  },
  { key: 'directory', header: t('Directory'), cell: (file) => <DirectoryLink {...file} />, width: '19%' },
  { key: 'size', header: t('Size'), cell: (file) => formatSize(file.size), sort: 'size', align: 'end', width: 112 },
]

/** Links the folder that contains the file. If there isn’t enough space, the beginning of its path is cut off. */
function DirectoryLink({ directory, directory_id, path }: FileRow) {
  if (!directory || !directory_id) return directory || t('Unknown')
  return (
    <Link to={paths.directory(directory_id)} className={c('link')}>
      <TruncatedText text={formatPath([...path, { id: directory_id, name: directory }])} />
    </Link>
  )
}

const createStaffColumns = (actions: FileActions): Column<FileRow>[] => [
  ...createColumns(),
  {
    key: 'added',
    header: t('Added'),
    cell: (file) => <Age instant={file.date_created} short />,
    sort: 'created_at',
    width: 132,
  },
  {
    key: 'actions',
    header: t('Actions'),
    cell: (file, label) => <FileMenu {...{ file, label, actions }} />,
    action: true,
    align: 'end',
    width: 68,
  },
]
