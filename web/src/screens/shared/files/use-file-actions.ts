import { useMemo } from 'react'
import { useNavigate } from 'react-router'
import { getActivityPath } from '../../../features/activity/activity-texts.ts'
import type { FileActions } from '../../../features/file/file-menu.tsx'
import { useDownload } from '../../../features/file/use-download.ts'
import { useDialog } from '../dialogs/dialog.ts'
import { useCheckedRemoval } from '../items/use-remove-items.ts'

/** Returns the actions for a file in any list. The object is stable, so that rows do not render again. */
export function useFileActions(preview: FileActions['preview']): FileActions {
  const open = useDialog()
  const navigate = useNavigate()
  const { downloadFile } = useDownload()
  const remove = useCheckedRemoval()
  return useMemo(
    () => ({
      preview,
      download: downloadFile,
      share: (file) => open({ kind: 'share', company: file.company, directory: file.directory_id, files: [file] }),
      rename: (file) => open({ kind: 'rename-file', file }),
      move: (file) => open({ kind: 'move-items', mode: 'move', items: { files: [file], folders: [] } }),
      copy: (file) => open({ kind: 'move-items', mode: 'copy', items: { files: [file], folders: [] } }),
      showDetails: (file) => open({ kind: 'file-details', file }),
      showActivity: ({ id, file_name }) => void navigate(getActivityPath('file', id), { state: { name: file_name } }),
      remove: (files) => remove({ files, folders: [] }),
    }),
    [preview, downloadFile, open, navigate, remove],
  )
}
