import type { FileRow } from '@neptune/contract'
import { useStorageAction } from '../../api/use-storage-action.ts'
import { useToast } from '../../components/feedback/toast.tsx'
import { t } from '../../i18n/t.ts'
import { shortenName } from '../../lib/shorten-name.ts'
import { restoreFiles } from './file-queries.ts'

interface RestoreOptions {
  /** Shows the error. Default: a toast. */
  onError?: (error: Error) => void
}

/** Restores files from the trash. A file gets a new name if its own is taken. */
export function useRestoreFiles({ onError }: RestoreOptions = {}) {
  const toast = useToast()
  return useStorageAction(restoreFiles, {
    ...lockPerFiles,
    onSuccess: (files) => toast({ message: formatRestoredMessage(files) }),
    onError: onError ?? (({ message }) => toast({ message })),
  })
}

/** Options for actions that run one at a time on the same files, and in parallel on others. */
const lockPerFiles = { isRepeatable: true, getSubject: (files: readonly FileRow[]) => files.map(({ id }) => id).join() }

function formatRestoredMessage(files: readonly FileRow[]): string {
  const name = getOnlyName(files)
  return name === undefined ? t('Restored {n} files.', { n: files.length }) : t('Restored “{name}”.', { name })
}

/** Returns the name if there is exactly one file. */
const getOnlyName = ([file, ...others]: readonly FileRow[]) =>
  file && others.length === 0 ? shortenName(file.file_name) : undefined
