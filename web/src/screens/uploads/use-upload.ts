import { addConflictResolutions, findClashes } from '../../features/upload/files/name-clashes.ts'
import type { Picked } from '../../features/upload/files/picked-files.ts'
import { staffUploads } from '../../features/upload/staff-uploads.ts'
import type { UploadTarget } from '../../features/upload/state/upload-job.ts'
import { useDialog } from '../shared/dialogs/dialog.ts'

/** Returns a function that starts uploads. If names already exist, it first opens a dialog that asks what to do. */
export function useUpload() {
  const open = useDialog()
  return async (picked: Picked, target: UploadTarget): Promise<'started' | 'asked'> => {
    const clashes = await findClashes(target.id, picked.files)
    if (clashes.length > 0) {
      open({ kind: 'upload-clash', picked, target, clashes })
      return 'asked'
    }
    staffUploads.add({ ...picked, files: addConflictResolutions(picked.files, new Map()) }, target)
    return 'started'
  }
}
