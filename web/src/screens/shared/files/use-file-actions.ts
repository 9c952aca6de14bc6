import { useMemo } from 'react'
import { useNavigate } from 'react-router'
import { getActivityPath } from '../../../features/activity/activity-texts.ts'
import type { FileActions } from '../../../features/file/file-menu.tsx'
import { useDownload } from '../../../features/file/use-download.ts'
import { useRemoveFiles } from '../../../features/file/use-file-trash.ts'
import { useDialog } from '../dialogs/dialog.ts'
import { toAffectedFiles, useCheckedRemoval } from '../dialogs/use-checked-removal.ts'

/** Returns the actions for a file in any list. The object is stable, so that rows do not render again. */
export function useFileActions(preview: FileActions['preview']): FileActions {
  const open = useDialog()
  const navigate = useNavigate()
  const { downloadFile } = useDownload()
  const { run: remove } = useRemoveFiles()
  const removeChecked = useCheckedRemoval()
  return useMemo(
    () => ({
      preview,
      download: downloadFile,
      share: (file) => open({ kind: 'create-link', company: file.company, directory: file.directory_id, file }),
      rename: (file) => open({ kind: 'rename-file', file }),
      showActivity: ({ id, file_name }) => void navigate(getActivityPath('file', id), { state: { name: file_name } }),
      remove: (files) =>
        removeChecked({ target: toAffectedFiles(files), remove: () => remove(files), dialog: { kind: 'delete-files', files } }),
    }),
    [preview, downloadFile, open, navigate, remove, removeChecked],
  )
}
