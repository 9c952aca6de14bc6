import { reserveOf } from '../../blobs/blob-store.ts'
import type { Deps } from '../../deps.ts'
import type { Reader, Recipient } from '../../lib/actor.ts'
import { AppError } from '../../lib/app-error.ts'
import type { DirectoryRecord } from '../directory/directory.repo.ts'
import { findLink } from '../visit/link.repo.ts'
import { keptBytes } from './file.repo.ts'
import { sumUnfinished, sumUnfinishedOf } from './upload.repo.ts'

/** What a form may add to the bytes of its file. */
export const formBytes = 64 * 1024

/**
 * How many bytes may still come, and what is said to more of them. What is under way counts as if it had arrived. `announced` is all that
 * is to come, the form around it included.
 */
export async function roomFor(deps: Deps, actor: Reader, directory: DirectoryRecord, announced: number) {
  const { free, total } = await deps.blobs.space()
  if (free - announced < reserveOf(total)) throw new AppError('storage.full')
  return limitsFor(deps, actor, directory, announced - formBytes)
}

/** What people may use, whatever the disk has. */
export async function limitsFor(deps: Deps, actor: Reader, directory: DirectoryRecord, size: number) {
  const rooms = [
    { bytes: deps.config.maxUploadBytes, refusal: 'file.too_large' as const },
    { bytes: await restOfCompany(deps, directory.company_id), refusal: 'company.full' as const },
    { bytes: actor.kind === 'recipient' ? await restOfLink(deps, actor) : Infinity, refusal: 'link.full' as const },
  ]
  const room = rooms.toSorted((a, b) => a.bytes - b.bytes)[0] ?? { bytes: 0, refusal: 'storage.full' as const }
  if (room.bytes < 0 || size > room.bytes) throw new AppError(room.refusal)
  return room
}

async function restOfCompany(deps: Deps, companyId: string): Promise<number> {
  const quota = deps.config.companyQuotaBytes
  if (quota === undefined) return Infinity
  return quota - (await keptBytes(deps.db, companyId)) - (await sumUnfinishedOf(deps.db, companyId))
}

/** Less than nothing when it holds as many files as it may. */
async function restOfLink(deps: Deps, { link: { key } }: Recipient): Promise<number> {
  const link = await findLink(deps.db, key, undefined)
  const coming = await sumUnfinished(deps.db, { user_id: null, link_key: key })
  const { linkMaxBytes, linkMaxFiles } = deps.config
  if (!link || link.files + coming.count >= linkMaxFiles) return -1
  return linkMaxBytes - Number(link.bytes) - coming.bytes
}
