import { createHash } from 'node:crypto'
import { BlobError } from '../../blobs/blob-store.ts'
import type { Deps } from '../../deps.ts'
import type { CheckedFile } from './integrity.repo.ts'

/** What is wrong with the bytes of a file. */
export type Damage = 'missing' | 'truncated' | 'larger' | 'flipped' | 'unreadable'

/**
 * Creates a finder that checks shared bytes only once, however many files have them. It remembers the result until all of these files
 * have been checked.
 */
export function createDamageFinder(deps: Deps, { isScrub }: { isScrub: boolean }) {
  const shared = new Map<string, { damage: Promise<Damage | undefined>; left: number }>()
  const find = (file: CheckedFile): Promise<Damage | undefined> => {
    const { blob_id, size, sha256, refs } = file
    if (refs === null) return findDamage(deps, file, isScrub)
    // The key includes the expected hash: if two rows disagree about the same bytes, one of them is wrong.
    const key = `${blob_id} ${size} ${sha256}`
    const known = shared.get(key) ?? { damage: findDamage(deps, file, isScrub), left: refs }
    known.left--
    if (known.left > 0) shared.set(key, known)
    else shared.delete(key)
    return known.damage
  }
  return { find }
}

async function findDamage(deps: Deps, { blob_id: id, size, sha256 }: CheckedFile, isScrub: boolean): Promise<Damage | undefined> {
  const actual = await deps.blobs.getSize(id)
  if (actual === undefined) return 'missing'
  if (actual !== size) return actual < size ? 'truncated' : 'larger'
  if (!isScrub) return undefined
  try {
    return (await hashBlob(deps, id, size)) === sha256 ? undefined : 'flipped'
  } catch (error) {
    if (error instanceof BlobError && error.fault === 'damaged') return 'truncated' // the size has changed since the check above
    if ((error as NodeJS.ErrnoException).code === 'EIO') return 'unreadable'
    throw error
  }
}

async function hashBlob(deps: Deps, id: string, size: number): Promise<string> {
  await using blob = await deps.blobs.open(id, size)
  const hash = createHash('sha256')
  for await (const chunk of blob.read()) hash.update(chunk)
  return hash.digest('hex')
}
