import type { DirectoryRow } from '@neptune/contract'
import { useStorageAction } from '../../api/use-storage-action.ts'
import { useToast } from '../../components/feedback/toast.tsx'
import { t } from '../../i18n/t.ts'
import { shortenName } from '../../lib/shorten-name.ts'
import { restoreDirectories } from './directory-queries.ts'

interface RestoreOptions {
  /** Shows the error. Default: a toast. */
  onError?: (error: Error) => void
}

export function useRestoreDirectories({ onError }: RestoreOptions = {}) {
  const toast = useToast()
  return useStorageAction(restoreDirectories, {
    isRepeatable: true,
    getSubject: (directories) => directories.map(({ id }) => id).join(),
    onSuccess: (directories) => toast({ message: formatRestoredMessage(directories) }),
    onError: onError ?? (({ message }) => toast({ message })),
  })
}

function formatRestoredMessage(directories: readonly DirectoryRow[]): string {
  const [first, ...others] = directories
  if (first && others.length === 0) return t('Restored “{name}”.', { name: shortenName(first.directory) })
  return t('Restored {n} directories.', { n: directories.length })
}
