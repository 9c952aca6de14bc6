import { useMemo } from 'react'
import { useNavigate } from 'react-router'
import { getActivityPath } from '../../features/activity/activity-texts.ts'
import type { DirectoryActions } from '../../features/directory/directory-tiles.tsx'
import { useRemoveDirectory } from '../../features/directory/use-directory-trash.ts'
import { useDownload } from '../../features/file/use-download.ts'
import { useDialog } from '../shared/dialogs/dialog.ts'
import { useCheckedRemoval } from '../shared/dialogs/use-checked-removal.ts'

export function useDirectoryActions(): DirectoryActions {
  const open = useDialog()
  const navigate = useNavigate()
  const { downloadDirectory } = useDownload()
  const { run: remove } = useRemoveDirectory()
  const removeChecked = useCheckedRemoval()
  return useMemo(
    () => ({
      download: downloadDirectory,
      share: ({ id, company }) => open({ kind: 'create-link', company, directory: id }),
      rename: (directory) => open({ kind: 'rename-directory', directory }),
      showActivity: ({ id, directory }) => void navigate(getActivityPath('directory', id), { state: { name: directory } }),
      remove: (directory) =>
        removeChecked({
          target: { directory: directory.id },
          remove: () => remove(directory),
          dialog: { kind: 'delete-directory', directory },
        }),
    }),
    [downloadDirectory, open, navigate, remove, removeChecked],
  )
}
