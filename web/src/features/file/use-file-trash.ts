import type { FileRow } from '@neptune/contract'
import { useStoredChange } from '../../api/stored.ts'
import { useToast } from '../../components/toast.tsx'
import { shortName } from '../../lib/short-name.ts'
import { t } from '../../words/t.ts'
import { removeFiles, restoreFiles } from './file-queries.ts'

/** Moves files to the trash, and says so with a way back. */
export function useRemoveFiles() {
  const toast = useToast()
  const restore = useRestoreFiles()
  return useStoredChange(removeFiles, {
    ...repeatable,
    onSuccess: (_, files) =>
      toast({ message: deletedWords(files), action: { label: t('Undo'), onSelect: () => restore.run(files) } }),
    onError: ({ message }) => toast({ message }),
  })
}

interface Told {
  /** Where the reason goes if they could not be: a toast, unless there is a better place. */
  onError?: (error: Error) => void
}

/** Takes files out of the trash. One may have another name now: its own was taken meanwhile. */
export function useRestoreFiles({ onError }: Told = {}) {
  const toast = useToast()
  return useStoredChange(restoreFiles, {
    ...repeatable,
    onSuccess: (files) => toast({ message: restoredWords(files) }),
    onError: onError ?? (({ message }) => toast({ message })),
  })
}

/** Actions on the same files run one at a time, others in parallel. */
const repeatable = { isRepeatable: true, subjectOf: (files: readonly FileRow[]) => files.map(({ id }) => id).join() }

function deletedWords(files: readonly FileRow[]): string {
  const name = nameOfOne(files)
  return name === undefined ? t('Deleted {n} files.', { n: files.length }) : t('Deleted “{name}”.', { name })
}

function restoredWords(files: readonly FileRow[]): string {
  const name = nameOfOne(files)
  return name === undefined ? t('Restored {n} files.', { n: files.length }) : t('Restored “{name}”.', { name })
}

/** Several are counted, not named. */
const nameOfOne = ([file, ...others]: readonly FileRow[]) => (file && others.length === 0 ? shortName(file.file_name) : undefined)
