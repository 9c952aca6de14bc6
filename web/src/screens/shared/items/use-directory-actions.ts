import { useMemo } from 'react'
import { useNavigate } from 'react-router'
import { getActivityPath } from '../../../features/activity/activity-texts.ts'
import type { DirectoryActions } from '../../../features/directory/directory-menu.tsx'
import { useDownload } from '../../../features/file/use-download.ts'
import { useDialog } from '../dialogs/dialog.ts'
import { useCheckedRemoval } from './use-remove-items.ts'

/** Returns the actions for a directory or folder in any list. */
export function useDirectoryActions(): DirectoryActions {
  const open = useDialog()
  const navigate = useNavigate()
  const { downloadDirectory } = useDownload()
  const remove = useCheckedRemoval()
  return useMemo(
    () => ({
      download: downloadDirectory,
      share: ({ id, company, directory }) => open({ kind: 'share', company, directory: id, name: directory }),
      rename: (directory) => open({ kind: 'rename-directory', directory }),
      move: (folder) => open({ kind: 'move-items', mode: 'move', items: { files: [], folders: [folder] } }),
      copy: (folder) => open({ kind: 'move-items', mode: 'copy', items: { files: [], folders: [folder] } }),
      showDetails: (folder) => open({ kind: 'folder-details', folder }),
      showActivity: ({ id, directory }) => void navigate(getActivityPath('directory', id), { state: { name: directory } }),
      remove: (directory) => remove({ files: [], folders: [directory] }),
    }),
    [downloadDirectory, open, navigate, remove],
  )
}
