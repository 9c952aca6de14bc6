import type { DirectoryRow, FileRow } from '@neptune/contract'
import { DialogFrame } from '../../../components/layout/dialog-frame.tsx'
import { useRemoveDirectory } from '../../../features/directory/use-directory-trash.ts'
import { useRemoveFiles } from '../../../features/file/use-file-trash.ts'
import { AffectedLinks } from '../../../features/link/affected-links.tsx'
import { t } from '../../../i18n/t.ts'
import { shortenName } from '../../../lib/shorten-name.ts'
import { toAffectedFiles } from './use-checked-removal.ts'

/** Asks before files go to the trash, and names the links that stop working. */
export function DeleteFilesDialog({ files, onClose }: { files: readonly FileRow[]; onClose: () => void }) {
  const remove = useRemoveFiles()
  const [file, ...others] = files
  const isSingle = file !== undefined && others.length === 0
  const directories = new Set(files.map(({ directory_id }) => directory_id))
  const filters = isSingle ? { file: file.id } : { directory: file?.directory_id ?? '' }
  return (
    <DialogFrame
      title={
        isSingle ? t('Delete “{name}”?', { name: shortenName(file.file_name) }) : t('Delete {n} files?', { n: files.length })
      }
      description={
        isSingle
          ? t('It goes to the trash. You can restore it from there.')
          : t('They go to the trash. You can restore them from there.')
      }
      confirmLabel={t('Delete')}
      danger
      action={remove}
      onConfirm={() => remove.run(files, { onSuccess: onClose, onError: onClose })}
      onClose={onClose}
    >
      <AffectedLinks target={toAffectedFiles(files)} filters={directories.size === 1 ? filters : {}} />
    </DialogFrame>
  )
}

/** Asks before a directory goes to the trash, and names the links that stop working. */
export function DeleteDirectoryDialog({ directory, onClose }: { directory: DirectoryRow; onClose: () => void }) {
  const remove = useRemoveDirectory()
  return (
    <DialogFrame
      title={t('Delete “{name}”?', { name: shortenName(directory.directory) })}
      description={t('It goes to the trash with its files. You can restore it from there.')}
      confirmLabel={t('Delete')}
      danger
      action={remove}
      onConfirm={() => remove.run(directory, { onSuccess: onClose, onError: onClose })}
      onClose={onClose}
    >
      <AffectedLinks target={{ directory: directory.id }} filters={{ directory: directory.id }} />
    </DialogFrame>
  )
}
