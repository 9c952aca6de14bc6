import type { DirectoryRow } from '@neptune/contract'
import { useStoredChange } from '../../api/stored.ts'
import { useToast } from '../../components/toast.tsx'
import { shortName } from '../../lib/short-name.ts'
import { formatCount } from '../../lib/sizes.ts'
import { removeDirectory, restoreDirectories } from './directory-queries.ts'

/** Moves a directory with its files to the trash, and says so with a way back. */
export function useRemoveDirectory() {
  const toast = useToast()
  const restore = useRestoreDirectories()
  return useStoredChange(removeDirectory, {
    onSuccess: (_, directory) =>
      toast({
        message: `Deleted “${shortName(directory.directory)}”.`,
        action: { label: 'Undo', onSelect: () => restore.mutate([directory]) },
      }),
    onError: ({ message }) => toast({ message }),
  })
}

interface Told {
  /** Where the reason goes if they could not be: a toast, unless there is a better place. */
  onError?: (error: Error) => void
}

export function useRestoreDirectories({ onError }: Told = {}) {
  const toast = useToast()
  return useStoredChange(restoreDirectories, {
    onSuccess: (directories) => toast({ message: `Restored ${named(directories)}.` }),
    onError: onError ?? (({ message }) => toast({ message })),
  })
}

const named = (directories: readonly DirectoryRow[]) =>
  directories.length === 1
    ? `“${shortName(directories[0]?.directory ?? '')}”`
    : formatCount(directories.length, 'directory', 'directories')
