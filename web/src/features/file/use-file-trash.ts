import type { FileRow } from '@neptune/contract'
import { useStoredChange } from '../../api/stored.ts'
import { useToast } from '../../components/toast.tsx'
import { shortName } from '../../lib/short-name.ts'
import { formatCount } from '../../lib/sizes.ts'
import { removeFiles, restoreFiles } from './file-queries.ts'

/** Moves files to the trash, and says so with a way back. */
export function useRemoveFiles() {
  const toast = useToast()
  const restore = useRestoreFiles()
  return useStoredChange(removeFiles, {
    onSuccess: (_, files) =>
      toast({ message: `Deleted ${named(files)}.`, action: { label: 'Undo', onSelect: () => restore.mutate(files) } }),
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
    onSuccess: (files) => toast({ message: `Restored ${named(files)}.` }),
    onError: onError ?? (({ message }) => toast({ message })),
  })
}

const named = (files: readonly FileRow[]) =>
  files.length === 1 ? `“${shortName(files[0]?.file_name ?? '')}”` : formatCount(files.length, 'file', 'files')
