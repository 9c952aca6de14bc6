import { maxLinkFiles } from '@neptune/contract'
import { Button } from '../../../components/form/button.tsx'
import { CopyIcon, DownloadIcon, LinkIcon, MoveIcon, TrashIcon } from '../../../components/icons.tsx'
import { t } from '../../../i18n/t.ts'
import { isRowShortcut } from '../../../lib/keyboard/shortcuts.ts'
import { usePageKey } from '../../../lib/keyboard/use-page-key.ts'
import { useDialog } from '../dialogs/dialog.ts'
import { countItems, findCommonDirectory, getItemsCompany, type Items } from './item.ts'
import { type SelectionScope, useDownloadItems } from './use-download-items.ts'
import { useCheckedRemoval } from './use-remove-items.ts'

interface Props {
  items: Items
  /** Undefined on pages that list files of several directories. */
  scope: SelectionScope | undefined
}

/** Downloads the selected items. */
export function DownloadSelected({ items, scope }: Props) {
  const download = useDownloadItems()
  const isDamaged = items.files.some(({ damaged }) => damaged)
  return (
    <Button
      icon={<DownloadIcon />}
      disabledReason={isDamaged ? t('One of these files is damaged and can’t be downloaded.') : undefined}
      onClick={() => download(items, scope)}
    >
      {t('Download')}
    </Button>
  )
}

/** Returns why the items can’t be shared with one link. */
function getUnsharedReason(items: Items, directory: string | undefined): string | undefined {
  if (items.folders.length > 0 && countItems(items) > 1) return t('To share, select one folder, or files without folders.')
  if (items.files.length > maxLinkFiles) return t('Select at most {n} files to share them.', { n: maxLinkFiles })
  return directory === undefined ? t('Select files of one directory to share them.') : undefined
}

interface StaffProps extends Props {
  /** Why the items can’t be shared, moved or copied. Undefined if their company isn’t archived. */
  archivedReason: string | undefined
  onDone: () => void
}

/** The actions of staff for the selected items. */
export function StaffSelectionActions({ items, scope, archivedReason, onDone }: StaffProps) {
  const open = useDialog()
  const remove = useCheckedRemoval()
  const [folder] = items.folders
  const company = getItemsCompany(items)
  const directory = folder?.id ?? findCommonDirectory(items.files)
  const share = () =>
    directory && open({ kind: 'share', company, directory, files: items.files, ...(folder && { name: folder.directory }) })
  const removeAll = () => {
    remove(items)
    onDone()
  }
  usePageKey((press) => isRowShortcut(press, 'Delete'), removeAll)
  return (
    <>
      <DownloadSelected {...{ items, scope }} />
      <Button icon={<LinkIcon />} disabledReason={archivedReason ?? getUnsharedReason(items, directory)} onClick={share}>
        {t('Share')}
      </Button>
      <Button
        icon={<MoveIcon />}
        disabledReason={archivedReason}
        onClick={() => open({ kind: 'move-items', mode: 'move', items })}
      >
        {t('Move')}
      </Button>
      <Button
        icon={<CopyIcon />}
        disabledReason={archivedReason}
        onClick={() => open({ kind: 'move-items', mode: 'copy', items })}
      >
        {t('Copy')}
      </Button>
      <Button icon={<TrashIcon />} aria-keyshortcuts="Delete" onClick={removeAll}>
        {t('Delete')}
      </Button>
    </>
  )
}
