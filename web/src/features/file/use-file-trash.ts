import type { FileRow } from '@neptune/contract'
import { useStorageAction } from '../../api/use-storage-action.ts'
import { useToast } from '../../components/feedback/toast.tsx'
import { t } from '../../i18n/t.ts'
import { shortenName } from '../../lib/shorten-name.ts'
import { removeFiles, restoreFiles } from './file-queries.ts'

/** Moves files to the trash, and shows a toast with “Undo”. */
export function useRemoveFiles() {
  const toast = useToast()
  const restore = useRestoreFiles()
  return useStorageAction(removeFiles, {
    ...repeatable,
    onSuccess: (_, files) =>
      toast({ message: deletedMessage(files), action: { label: t('Undo'), onSelect: () => restore.run(files) } }),
    onError: ({ message }) => toast({ message }),
  })
}

interface RestoreOptions {
  /** Shows the error. Default: a toast. */
  onError?: (error: Error) => void
}

/** Restores files from the trash. A file gets a new name if its own is taken by now. */
export function useRestoreFiles({ onError }: RestoreOptions = {}) {
  const toast = useToast()
  return useStorageAction(restoreFiles, {
    ...repeatable,
    onSuccess: (files) => toast({ message: restoredMessage(files) }),
    onError: onError ?? (({ message }) => toast({ message })),
  })
}

/** Actions on the same files run one at a time, others in parallel. */
const repeatable = { isRepeatable: true, getSubject: (files: readonly FileRow[]) => files.map(({ id }) => id).join() }

function deletedMessage(files: readonly FileRow[]): string {
  const name = singleName(files)
  return name === undefined ? t('Deleted {n} files.', { n: files.length }) : t('Deleted “{name}”.', { name })
}

function restoredMessage(files: readonly FileRow[]): string {
  const name = singleName(files)
  return name === undefined ? t('Restored {n} files.', { n: files.length }) : t('Restored “{name}”.', { name })
}

/** Returns the name if there is exactly one file. Several are counted, not named. */
const singleName = ([file, ...others]: readonly FileRow[]) =>
  file && others.length === 0 ? shortenName(file.file_name) : undefined
