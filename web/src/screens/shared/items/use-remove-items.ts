import { useQueryClient } from '@tanstack/react-query'
import { useStorageAction } from '../../../api/use-storage-action.ts'
import { useToast } from '../../../components/feedback/toast.tsx'
import { useAction } from '../../../components/form/use-action.ts'
import { removeDirectory, restoreDirectories } from '../../../features/directory/directory-queries.ts'
import { removeFiles, restoreFiles } from '../../../features/file/file-queries.ts'
import { type AffectedTarget, affectedLinksQuery } from '../../../features/link/affected-links.tsx'
import { t } from '../../../i18n/t.ts'
import { shortenName } from '../../../lib/shorten-name.ts'
import { useDialog } from '../dialogs/dialog.ts'
import { countItems, getOnlyName, type Items } from './item.ts'

/** Moves files and folders to the trash, and shows a toast with “Undo”. */
export function useRemoveItems() {
  const toast = useToast()
  const restore = useStorageAction(restoreItems, {
    ...lockPerItems,
    onSuccess: (restored) => toast({ message: describe(restored, restoredTexts) }),
    onError: ({ message }) => toast({ message }),
  })
  return useStorageAction(removeItems, {
    ...lockPerItems,
    onSuccess: (_, items) =>
      toast({
        message: describe(items, deletedTexts),
        undo: () => restore.run(items),
      }),
    onError: ({ message }) => toast({ message }),
  })
}

async function removeItems({ files, folders }: Items): Promise<void> {
  if (files.length > 0) await removeFiles(files)
  for (const folder of folders) await removeDirectory(folder)
}

const restoreItems = async ({ files, folders }: Items): Promise<Items> => ({
  folders: await restoreDirectories(folders),
  files: files.length > 0 ? await restoreFiles(files) : [],
})

/** Options for actions that run one at a time on the same items, and in parallel on others. */
const lockPerItems = {
  isRepeatable: true,
  getSubject: ({ files, folders }: Items) => [...files, ...folders].map(({ id }) => id).join(),
}

const deletedTexts = { one: 'Deleted “{name}”.', files: 'Deleted {n} files.', items: 'Deleted {n} items.' } as const
const restoredTexts = { one: 'Restored “{name}”.', files: 'Restored {n} files.', items: 'Restored {n} items.' } as const

function describe(items: Items, texts: typeof deletedTexts | typeof restoredTexts): string {
  const name = getOnlyName(items)
  if (name !== undefined) return t(texts.one, { name: shortenName(name) })
  return t(items.folders.length === 0 ? texts.files : texts.items, { n: countItems(items) })
}

/** How long to wait for the check before the dialog opens. */
const checkTimeoutMs = 1_000

/**
 * Returns a function that deletes at once if no working link depends on the items. Otherwise, or if the check takes too long, it opens a
 * dialog that names the links.
 */
export function useCheckedRemoval(): (items: Items) => void {
  const client = useQueryClient()
  const open = useDialog()
  const remove = useRemoveItems()
  const { run } = useAction(
    async (items: Items) => {
      const check = client.fetchQuery(affectedLinksQuery(toAffectedTarget(items))).then(
        ({ count }) => count === 0,
        () => false,
      )
      return Promise.race([check, new Promise<false>((resolve) => setTimeout(() => resolve(false), checkTimeoutMs))])
    },
    {
      ...lockPerItems,
      onSuccess: (isSafe, items) => (isSafe ? remove.run(items) : open({ kind: 'delete-items', items })),
    },
  )
  return run
}

/** Returns what to check before these items are deleted or moved to another company. */
export const toAffectedTarget = ({ files, folders }: Items): AffectedTarget => ({
  files: files.map(({ id }) => id),
  directories: folders.map(({ id }) => id),
})
