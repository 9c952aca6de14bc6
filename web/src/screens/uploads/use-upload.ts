import { addConflictResolutions, findClashes } from '../../features/upload/files/name-clashes.ts'
import type { PickedFile } from '../../features/upload/files/picked-files.ts'
import { staffUploads } from '../../features/upload/staff-uploads.ts'
import type { Target } from '../../features/upload/state/upload-job.ts'
import { useDialog } from '../shared/dialogs/dialog.ts'

/** Starts uploads. If names already exist, opens a dialog that asks what to do first. */
export function useUpload() {
  const open = useDialog()
  return async (files: readonly PickedFile[], target: Target): Promise<'sent' | 'asked'> => {
    const clashes = await findClashes(target.id, files)
    if (clashes.length > 0) {
      open({ kind: 'upload-clash', files, target, clashes })
      return 'asked'
    }
    staffUploads.add(addConflictResolutions(files, {}), target)
    return 'sent'
  }
}
