import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Deps } from '../../deps.ts'
import { getPurgeCutoff } from '../../lib/trash.ts'
import { readSettings } from '../settings/settings.service.ts'
import {
  countVersionsByFile,
  listFilesWithOldVersions,
  listUnpinnedVersions,
  type VersionRecord,
} from '../version/version.repo.ts'
import { deleteVersions, lockTreeOf } from '../version/version.service.ts'
import { mustKeepBytesNow } from './trash.service.ts'

/** Small enough that one statement takes a few milliseconds, but larger than the number of versions that any setting keeps. */
const sliceSize = 2000
const filesPerRun = 500

/**
 * Removes versions beyond the limits of number and age in the settings, from a few hundred files at most. Keeps versions that an unexpired
 * link is pinned to. Returns the removed versions. Removes nothing while a backup runs.
 */
export async function pruneVersions(deps: Deps): Promise<VersionRecord[]> {
  if (await mustKeepBytesNow(deps)) return []
  const removed: VersionRecord[] = []
  let files = 0
  for await (const id of findFilesToPrune(deps)) {
    const versions = await deleteVersions(deps, async (trx) => {
      const file = await lockTreeOf(trx, id)
      if (!file) return undefined
      const versions = await listVersionsToPrune({ ...deps, db: trx }, id)
      return { file, versions, by: { kind: 'system' }, action: 'file.version_removed' }
    })
    removed.push(...versions)
    if (versions.length > 0 && ++files === filesPerRun) break
  }
  return removed
}

/** Lists the versions that the next runs of `pruneVersions` would remove. */
export async function* listPrunableVersions(deps: Deps): AsyncGenerator<VersionRecord> {
  const found = new Set<string>()
  for await (const id of findFilesToPrune(deps)) {
    if (!found.has(id)) yield* await listVersionsToPrune(deps, id)
    found.add(id)
  }
}

async function listVersionsToPrune(deps: Deps, id: string): Promise<VersionRecord[]> {
  const { versions_kept, version_days } = (await readSettings(deps)).storage
  const now = deps.now()
  const before = getPurgeCutoff(now, version_days)
  const unpinned = await listUnpinnedVersions(deps.db, id, now.toISOString())
  return unpinned.filter(({ replaced_at }, index) => index >= versions_kept || replaced_at < before)
}

/** Yields the files that may have versions to remove. Some are yielded twice. */
async function* findFilesToPrune(deps: Deps): AsyncGenerator<string> {
  const { versions_kept, version_days } = (await readSettings(deps)).storage
  const now = deps.now()
  yield* await listFilesWithOldVersions(deps.db, getPurgeCutoff(now, version_days), now.toISOString(), sliceSize)
  for (let after = ''; ; ) {
    const slice = await countVersionsByFile(deps.db, after, sliceSize)
    const isFull = slice.reduce((sum, { versions }) => sum + versions, 0) === sliceSize
    // The last file of a full slice may have more versions than the slice contains, so the next slice counts it again.
    const counted = isFull && slice.length > 1 ? slice.slice(0, -1) : slice
    yield* counted.filter(({ versions }) => versions > versions_kept).map(({ file_id }) => file_id)
    const last = counted.at(-1)
    if (!last || !isFull) return
    after = last.file_id
    await nextTurn() // SQLite runs on the event loop: let it serve other requests, too
  }
}
