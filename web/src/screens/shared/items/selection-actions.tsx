import { Button } from '../../../components/form/button.tsx'
import { CopyIcon, DownloadIcon, LinkIcon, MoveIcon, TrashIcon } from '../../../components/icons.tsx'
import { t } from '../../../i18n/t.ts'
import { useDialog } from '../dialogs/dialog.ts'
import { countItems, type Items } from './item.ts'
import { useDownloadItems } from './use-download-items.ts'
import { useCheckedRemoval } from './use-remove-items.ts'

interface Props {
  items: Items
  /** The directory, if everything in it is selected. It is then downloaded as one ZIP. */
  whole: { id: string; directory: string } | undefined
}

/** Downloads the selected items. */
export function DownloadSelected({ items, whole }: Props) {
  const download = useDownloadItems()
  const isDamaged = items.files.some(({ damaged }) => damaged)
  return (
    <Button
      icon={<DownloadIcon />}
      disabledReason={isDamaged ? t('One of these files is damaged and can’t be downloaded.') : undefined}
      onClick={() => download(items, whole)}
    >
      {t('Download')}
    </Button>
  )
}

interface StaffProps extends Props {
  /** Why nothing can be shared, moved or copied here, if so. */
  archivedReason: string | undefined
  onDone: () => void
}

/** The actions of staff for the selected items. */
export function StaffSelectionActions({ items, whole, archivedReason, onDone }: StaffProps) {
  const open = useDialog()
  const remove = useCheckedRemoval()
  const [file] = items.files
  const [folder] = items.folders
  const share = () => {
    if (folder) open({ kind: 'create-link', company: folder.company, directory: folder.id })
    else if (file) open({ kind: 'create-link', company: file.company, directory: file.directory_id, file })
  }
  return (
    <>
      <DownloadSelected {...{ items, whole }} />
      <Button
        icon={<LinkIcon />}
        disabledReason={archivedReason ?? (countItems(items) > 1 ? t('Select a single file or folder to share it.') : undefined)}
        onClick={share}
      >
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
      <Button
        icon={<TrashIcon />}
        onClick={() => {
          remove(items)
          onDone()
        }}
      >
        {t('Delete')}
      </Button>
    </>
  )
}
