import type { PathItem } from '@neptune/contract'
import type { Deps } from '../../deps.ts'
import type { Reader } from '../../lib/actor.ts'
import { findPaths } from './tree.repo.ts'

/** Returns the path of a directory, including itself. Empty for null and for directories that the caller may not see. */
export type FindPath = (directory: string | null) => PathItem[]

/**
 * Reads the paths of these directories. For recipients, a path starts at the shared directory, because they may not see the names of those
 * above.
 */
export async function readPaths(deps: Pick<Deps, 'db'>, actor: Reader, directories: (string | null)[]): Promise<FindPath> {
  if (actor.kind === 'recipient' && actor.link.type === 'LINK_FILE') return () => []
  const paths = await findPaths(deps.db, [...new Set(directories.filter((id) => id !== null))])
  return (directory) => {
    const path = (paths.get(directory ?? '') ?? []).map(({ id, name }) => ({ id, name }))
    if (actor.kind === 'staff') return path
    const start = path.findIndex(({ id }) => id === actor.link.directoryId)
    return start === -1 ? [] : path.slice(start)
  }
}
