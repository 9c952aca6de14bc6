import { maxFolderDepth, maxFolders, maxPathLength } from '@neptune/contract'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../lib/app-error.ts'
import { countFolders, findPaths, type LockedDirectory } from './tree.repo.ts'

/** Folders to add to a directory: the name of the top one, the depth and path length of those below it, and how many there are. */
interface AddedFolders {
  name: string
  below: { depth: number; length: number }
  /** 0 if they are already in the same top-level directory. */
  folders: number
}

/** Throws if the folders would exceed a limit of the directory. Call it with the tree locked. */
export async function requireLimits(
  trx: Deps['db'],
  parent: Pick<LockedDirectory, 'id' | 'root_id' | 'depth'>,
  { name, below, folders }: AddedFolders,
): Promise<void> {
  if (parent.depth + 1 + below.depth > maxFolderDepth) throw new AppError('folder.too_deep')
  const path = (await findPaths(trx, [parent.id])).get(parent.id) ?? []
  const length = [...path.map((part) => part.name), name].join('/').length + below.length
  if (length > maxPathLength) throw new AppError('folder.path_too_long')
  if (folders > 0 && (await countFolders(trx, parent.root_id)) + folders > maxFolders) throw new AppError('folder.too_many')
}
