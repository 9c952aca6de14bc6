import { useStorageAction } from '../../../api/use-storage-action.ts'
import { useToast } from '../../../components/feedback/toast.tsx'
import { copyItems, moveBack, moveItems, type Origins, toIds } from '../../../features/directory/move-queries.ts'
import { t } from '../../../i18n/t.ts'
import { shortenName } from '../../../lib/shorten-name.ts'
import { countItems, getOnlyName, type Items } from './item.ts'

interface Move {
  items: Items
  to: { id: string; name: string }
  mode: 'move' | 'copy'
}

/** Moves or copies items to a directory, and shows a toast. A move can be undone. */
export function useMoveItems(onError?: (error: Error) => void) {
  const toast = useToast()
  const fail = onError ?? (({ message }: Error) => toast({ message }))
  const undo = useStorageAction(moveBack, {
    isRepeatable: true,
    onSuccess: () => toast({ message: t('Moved back.') }),
    onError: ({ message }) => toast({ message: t('This can’t be undone. {reason}', { reason: message }) }),
  })
  return useStorageAction(runMove, {
    isRepeatable: true,
    onSuccess: (origins, move) =>
      toast({
        message: describeMove(move),
        undo: origins && (() => undo.run(origins)),
      }),
    onError: fail,
  })
}

async function runMove({ items, to, mode }: Move): Promise<Origins | undefined> {
  if (mode === 'move') return moveItems(toIds(items), to.id)
  await copyItems(toIds(items), to.id)
  return undefined
}

function describeMove({ items, to, mode }: Move): string {
  const name = getOnlyName(items)
  const folder = shortenName(to.name)
  if (name !== undefined) {
    const names = { name: shortenName(name), folder }
    return mode === 'move' ? t('Moved “{name}” to “{folder}”.', names) : t('Copied “{name}” to “{folder}”.', names)
  }
  const counts = { n: countItems(items), folder }
  return mode === 'move' ? t('Moved {n} items to “{folder}”.', counts) : t('Copied {n} items to “{folder}”.', counts)
}
