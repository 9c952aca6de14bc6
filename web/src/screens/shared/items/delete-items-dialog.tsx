import { DialogFrame } from '../../../components/layout/dialog-frame.tsx'
import { AffectedLinks } from '../../../features/link/affected-links.tsx'
import { t } from '../../../i18n/t.ts'
import { shortenName } from '../../../lib/shorten-name.ts'
import { countItems, getOnlyName, type Items } from './item.ts'
import { toAffectedTarget, useRemoveItems } from './use-remove-items.ts'

/** Asks before files and folders go to the trash, and names the links that stop working. */
export function DeleteItemsDialog({ items, onClose }: { items: Items; onClose: () => void }) {
  const remove = useRemoveItems()
  const name = getOnlyName(items)
  const n = countItems(items)
  const countTitle = items.folders.length === 0 ? t('Delete {n} files?', { n }) : t('Delete {n} items?', { n })
  return (
    <DialogFrame
      title={name === undefined ? countTitle : t('Delete “{name}”?', { name: shortenName(name) })}
      description={describeTrash(items)}
      confirmLabel={t('Delete')}
      danger
      action={remove}
      onConfirm={() => remove.run(items, { onSuccess: onClose, onError: onClose })}
      onClose={onClose}
    >
      <AffectedLinks target={toAffectedTarget(items)} filters={getLinkFilters(items)} />
    </DialogFrame>
  )
}

function describeTrash(items: Items): string {
  if (countItems(items) > 1) return t('They go to the trash. You can restore them from there.')
  return items.folders.length === 1
    ? t('It goes to the trash with its files. You can restore it from there.')
    : t('It goes to the trash. You can restore it from there.')
}

/** Returns filters for the Links page that include all links to these items. */
function getLinkFilters({ files, folders }: Items): Record<string, string> {
  const [file] = files
  const [folder] = folders
  if (folder && countItems({ files, folders }) === 1) return { directory: folder.id }
  if (file && countItems({ files, folders }) === 1) return { file: file.id }
  const directories = new Set(files.map(({ directory_id }) => directory_id))
  return folders.length === 0 && directories.size === 1 && file ? { directory: file.directory_id } : {}
}
