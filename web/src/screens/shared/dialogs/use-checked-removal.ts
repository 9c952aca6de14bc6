import type { FileRow } from '@neptune/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useAction } from '../../../components/form/use-action.ts'
import { type AffectedTarget, affectedLinksQuery } from '../../../features/link/affected-links.tsx'
import { type Dialog, useDialog } from './dialog.ts'

interface CheckedRemoval {
  target: AffectedTarget
  /** Deletes the target without asking. The user can undo it. */
  remove: () => void
  /** The dialog that names the links and asks for confirmation. */
  dialog: Dialog
}

/** How long to wait for the check before the dialog opens. */
const checkTimeoutMs = 1_000

/**
 * Returns a function that deletes at once if no working link depends on the target. Otherwise, or if that isn’t known quickly, it
 * opens a dialog that names the links.
 */
export function useCheckedRemoval(): (removal: CheckedRemoval) => void {
  const client = useQueryClient()
  const open = useDialog()
  const { run } = useAction(
    async ({ target }: CheckedRemoval) => {
      const check = client.fetchQuery(affectedLinksQuery(target)).then(
        ({ count }) => count === 0,
        () => false,
      )
      return Promise.race([check, new Promise<false>((resolve) => setTimeout(() => resolve(false), checkTimeoutMs))])
    },
    {
      isRepeatable: true,
      getSubject: ({ target }) => JSON.stringify(target),
      onSuccess: (isSafe, { remove, dialog }) => (isSafe ? remove() : open(dialog)),
    },
  )
  return run
}

/** Returns the target to check before these files are deleted. */
export const toAffectedFiles = (files: readonly FileRow[]) => ({ files: files.map(({ id }) => id) })
