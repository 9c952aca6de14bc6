import type { Deps } from '../../deps.ts'
import { withFolderNumber, withNumber } from '../../lib/names/file-name.ts'
import { toNameKey } from '../../lib/names/name-key.ts'
import { findByNameKey, findTakenKeys } from './tree.repo.ts'

type Db = Deps['db']

/**
 * Returns `name`, or the first of `name (1)`, `name (2)` … that neither a file nor a folder in the directory has. Call it with the
 * directory locked. Pass the same `firstNumbers` to repeated calls, so that they don't check the same numbers again.
 */
export async function findFreeName(
  trx: Db,
  directory: string,
  name: string,
  { isFolder = false, firstNumbers = new Map<string, number>() } = {},
): Promise<string> {
  const key = `${directory} ${isFolder} ${toNameKey(name)}`
  if (!firstNumbers.has(key) && !(await findByNameKey(trx, directory, toNameKey(name)))) return name
  const addNumber = isFolder ? withFolderNumber : withNumber
  // Checks batches of growing size, so that the thousandth file with a name doesn't need a thousand queries.
  for (let from = firstNumbers.get(key) ?? 1, count = 8; ; from += count, count *= 2) {
    firstNumbers.set(key, from)
    const candidates = Array.from({ length: Math.min(count, 2000) }, (_, i) => addNumber(name, from + i))
    const taken = await findTakenKeys(trx, directory, candidates.map(toNameKey))
    const free = candidates.find((candidate) => !taken.has(toNameKey(candidate)))
    if (free !== undefined) return free
  }
}
