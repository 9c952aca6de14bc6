import { type ComponentProps, useMemo } from 'react'
import { Age } from '../../../components/age.tsx'
import { MoreIcon } from '../../../components/icons.tsx'
import { Menu } from '../../../components/menu/menu.tsx'
import { Table } from '../../../components/table/table.tsx'
import type { Column } from '../../../components/table/table-columns.ts'
import { usePreviewKey } from '../../../components/use-preview-key.ts'
import { DamagedBadge } from '../../../features/file/damage.tsx'
import { FilePicture, FolderPicture, ItemName, ItemNote } from '../../../features/file/file-name.tsx'
import { t } from '../../../i18n/t.ts'
import { formatSize } from '../../../lib/sizes.ts'
import { getDateGroup } from '../../../lib/time/date-group.ts'
import { describeUploader } from './describe-uploader.ts'
import type { Item } from './item.ts'
import { createItemMenu, getDisabledReason, getItemPath, type ItemListProps, openItem } from './item-actions.tsx'

/** Folders and files as a list. A click on a name opens a folder and downloads a file; a click next to it selects the row. */
export function ItemTable({ items, actions, directory, sort, revealedId, ...rest }: ItemListProps) {
  const columns = useMemo(() => createColumns(actions, directory), [actions, directory])
  const previewKeyHandlers = usePreviewKey((id) => {
    const item = items.find((other) => other.id === id)
    if (item?.kind === 'file') actions.files.preview(item.file)
  })
  return (
    <div {...previewKeyHandlers}>
      <Table
        {...rest}
        {...tableTexts()}
        columns={columns}
        rows={items}
        rowDetail={(item) => getItemPath(item, directory)}
        disabledReason={(item) => getDisabledReason(item, actions)}
        onOpen={(item) => openItem(item, actions)}
        opensAnywhere={false}
        getGroup={sort.endsWith('created_at') ? getGroup : undefined}
        getMenu={(item) => createItemMenu(item, actions)}
        sort={sort}
        revealedKey={revealedId}
      />
    </div>
  )
}

const tableTexts = (): Pick<ComponentProps<typeof Table<Item>>, 'caption' | 'rowKey' | 'rowLabel'> => ({
  caption: t('Files'),
  rowKey: ({ id }) => id,
  rowLabel: getItemLabel,
})

function getItemLabel(item: Item): string {
  const name = item.name || t('Unknown')
  if (item.kind === 'folder') return t('{name}, folder', { name })
  return item.file.damaged ? t('{name} Damaged', { name }) : name
}

const getDate = (item: Item) => (item.kind === 'folder' ? item.folder : item.file).date_created

function formatItemSize(item: Item): string {
  if (item.kind === 'file') return formatSize(item.file.size)
  return item.folder.files === 0 ? t('Empty') : formatSize(item.folder.size)
}

/** Folders have no date headings, because they always come first. */
const getGroup = (item: Item) => (item.kind === 'folder' ? t('Folders') : getDateGroup(item.file.date_created))

/** Recipients don't see who uploaded a file. */
const uploaderColumn = (): Column<Item> => ({
  key: 'uploader',
  header: t('Added by'),
  cell: (item) => item.kind === 'file' && describeUploader(item.file),
  width: 176,
  hiddenOnPhone: true,
})

const createColumns = (actions: ItemListProps['actions'], directory: string): Column<Item>[] => [
  {
    key: 'name',
    header: t('Name'),
    cell: (item) => (
      <ItemName
        name={item.name}
        picture={item.kind === 'folder' ? <FolderPicture /> : <FilePicture {...item.file} />}
        badge={item.kind === 'file' && item.file.damaged && <DamagedBadge />}
        hasPath={getItemPath(item, directory) !== ''}
      />
    ),
    note: (item) => (
      <ItemNote
        path={getItemPath(item, directory)}
        details={
          <>
            {formatItemSize(item)} · <Age instant={getDate(item)} short />
          </>
        }
      />
    ),
    sort: 'name',
    primary: true,
  },
  ...('share' in actions.files ? [uploaderColumn()] : []),
  {
    key: 'added',
    header: t('Added'),
    cell: (item) => <Age instant={getDate(item)} short />,
    sort: 'created_at',
    width: 148,
    hiddenOnPhone: true,
  },
  {
    key: 'size',
    header: t('Size'),
    cell: formatItemSize,
    sort: 'size',
    align: 'end',
    width: 104,
    hiddenOnPhone: true,
  },
  {
    key: 'actions',
    header: t('Actions'),
    cell: (item, label) => <Menu {...createItemMenu(item, actions, label)} align="end" trigger={<MoreIcon />} />,
    action: true,
    align: 'end',
    width: 68,
  },
]
