import { useMemo } from 'react'
import { useDialog } from '../dialogs/dialog.ts'
import { useDownload } from '../features/file/download.ts'
import type { FileActions } from '../features/file/file-menu.tsx'
import { useRemoveFiles } from '../features/file/use-file-trash.ts'

/** What can be done with a file, wherever it is listed. The same object from render to render, so that rows need not be drawn again. */
export function useFileActions(): FileActions {
  const open = useDialog()
  const { downloadFile } = useDownload()
  const { mutate: remove } = useRemoveFiles()
  return useMemo(
    () => ({
      download: downloadFile,
      share: (file) => open({ kind: 'create-link', company: file.company, directory: file.directory_id, file }),
      rename: (file) => open({ kind: 'rename-file', file }),
      remove: (files) => remove(files),
    }),
    [downloadFile, open, remove],
  )
}
