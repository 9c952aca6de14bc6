import type { FileRow } from '@neptune/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useAction } from '../../../components/form/use-action.ts'
import { type AffectedTarget, affectedLinksQuery } from '../../../features/link/affected-links.tsx'
import { type Dialog, useDialog } from './dialog.ts'

interface Removal {
  target: AffectedTarget
  /** Deletes without asking. It can be undone. */
  remove: () => void
  /** Names the links, and asks. */
  dialog: Dialog
}

/** How long a press waits for the answer before the dialog opens. */
const answerTimeoutMs = 1_000

/**
 * Returns a function that deletes at once if no working link depends on the target. Otherwise, or if that isn’t known quickly, it
 * opens a dialog that names the links.
 */
export function useCheckedRemoval(): (removal: Removal) => void {
  const client = useQueryClient()
  const open = useDialog()
  const { run } = useAction(
    async ({ target }: Removal) => {
      const check = client.fetchQuery(affectedLinksQuery(target)).then(
        ({ count }) => count === 0,
        () => false,
      )
      return Promise.race([check, new Promise<false>((resolve) => setTimeout(() => resolve(false), answerTimeoutMs))])
    },
    {
      isRepeatable: true,
      getSubject: ({ target }) => JSON.stringify(target),
      onSuccess: (isSafe, { remove, dialog }) => (isSafe ? remove() : open(dialog)),
    },
  )
  return run
}

/** Returns the target of the check for files. */
export const toAffectedFiles = (files: readonly FileRow[]) => ({ files: files.map(({ id }) => id) })
