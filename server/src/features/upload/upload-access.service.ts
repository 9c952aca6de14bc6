import type { Deps } from '../../deps.ts'
import { getReach, type Reader, requireRight } from '../../lib/actor.ts'
import { AppError } from '../../lib/app-error.ts'
import { findVisitEnd } from '../access/access.service.ts'
import { rejectArchived } from '../company/company.service.ts'
import { type DirectoryRecord, findDirectory } from '../directory/directory.repo.ts'
import { getTargetDirectory } from '../directory/directory.service.ts'
import { ensureFolder } from '../directory/folder.service.ts'
import { findReader } from '../identity/ticket.service.ts'
import { readSettings } from '../settings/settings.service.ts'
import { takeSlot } from '../throttle/throttle.service.ts'
import type { Owner } from './upload.repo.ts'

export interface UploadTarget {
  directory: string
  filename: string
  /** The folders below the directory, joined by slashes. */
  path?: string | undefined
  company?: string | undefined
  conflict: 'keep' | 'replace'
  /** The link that the recipient's client names, if any. */
  type?: string | undefined
  key?: string | undefined
}

/** Returns the size of the largest file that can be uploaded. */
export const readMaxUploadBytes = async (deps: Deps) => (await readSettings(deps)).storage.max_upload_bytes

/** Returns the directory for an upload. A recipient must name the right link, if any, and can't replace files. */
export async function getUploadDirectory(
  deps: Deps,
  actor: Reader,
  { directory, company, conflict, type, key }: Omit<UploadTarget, 'filename' | 'path'>,
): Promise<DirectoryRecord> {
  requireRight(actor, 'add')
  if (actor.kind === 'recipient') {
    const { link } = actor
    const isSameLink = (type ?? link.type) === link.type && (key ?? link.key) === link.key
    if (!isSameLink || conflict === 'replace') throw new AppError('link.forbidden')
  }
  return getTargetDirectory(deps, actor, directory, company)
}

/** Returns the folder that an upload's path names, and creates it if necessary. Without a path, returns the directory. */
export async function ensureUploadFolder(
  deps: Deps,
  actor: Reader,
  directory: DirectoryRecord,
  { path, company }: UploadTarget,
): Promise<DirectoryRecord> {
  if (!path) return directory
  return getTargetDirectory(deps, actor, await ensureFolder(deps, actor, directory.id, path), company)
}

/**
 * Checks the access of a sender during an upload, which may be one request of many hours. Aborts the signal when they lose access. Keeps
 * the visit of a recipient from becoming idle.
 */
export function watchAccess(deps: Deps, actor: Reader, directory: string): Disposable & { signal: AbortSignal } {
  const ended = new AbortController()
  const check = () => requireAccess(deps, actor, directory).catch((error) => error instanceof AppError && ended.abort(error))
  const timer = setInterval(() => void check(), 5_000)
  return { signal: ended.signal, [Symbol.dispose]: () => clearInterval(timer) }
}

/** How many PUT uploads a client may run at the same time through a link. Their bytes are not counted until they are complete. */
const maxPutsPerClient = 4

export const takeUploadSlot = (deps: Deps, actor: Reader): Promise<AsyncDisposable> | undefined =>
  actor.kind === 'staff'
    ? undefined
    : takeSlot(deps, 'upload.too_many', { key: ['upload', actor.link.key, actor.client], slots: maxPutsPerClient })

/** Checks access to the directory again and returns the current actor. An upload may take hours, and access may end meanwhile. */
export async function requireAccess(deps: Deps, actor: Reader, directory: string): Promise<Reader> {
  const current = await findReader(deps, actor)
  if (!current) throw new AppError(actor.kind === 'recipient' ? await findVisitEnd(deps, actor.sessionId) : 'session.missing')
  const target = await findDirectory(deps.db, directory, getReach(current))
  if (!target) throw new AppError('directory.not_found')
  rejectArchived(target.company_archived_at)
  return { ...current, client: actor.client }
}

export const toOwner = (actor: Reader): Owner =>
  actor.kind === 'staff' ? { user_id: actor.userId, link_key: null } : { user_id: null, link_key: actor.link.key }
