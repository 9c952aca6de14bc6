import type { api, Parsed, Reply } from '@neptune/contract'
import type { Deps } from '../../deps.ts'
import type { Staff } from '../../lib/actor.ts'
import { toNameKey } from '../../lib/names/name-key.ts'
import { getVisibleDirectory } from '../directory/directory.service.ts'
import { countLiveLinks } from '../link/link.repo.ts'
import { findFilesByNames } from './file.repo.ts'

const maxLinks = 100

/**
 * Returns those of the names that files in a directory already have, each once, with the number of live links to the file: those that
 * would show a replacement, and those that are pinned to a version.
 */
export async function findClashes(
  deps: Deps,
  actor: Staff,
  { directory, names }: Parsed<typeof api.file.clashes>['body'],
): Promise<Reply<typeof api.file.clashes>['data']> {
  const { id } = await getVisibleDirectory(deps, actor, directory)
  const files = new Map((await findFilesByNames(deps.db, id, names)).map((file) => [file.name_key, file]))
  if (files.size === 0) return []
  const ids = [...files.values()].map(({ id }) => id)
  const counts = await countLiveLinks(deps.db, ids, deps.now().toISOString(), maxLinks)
  const links = new Map(counts.map(({ id, links, pinned }) => [id, { links: Number(links), pinned: Number(pinned) }]))
  const requested = new Map(names.map((name) => [toNameKey(name), name]))
  return [...requested].flatMap(([key, name]) => {
    const file = files.get(key)
    if (!file) return []
    const { id, name: file_name, version } = file
    return [{ name, id, file_name, next_version: version + 1, ...(links.get(id) ?? { links: 0, pinned: 0 }) }]
  })
}
