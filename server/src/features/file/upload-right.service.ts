import type { Deps } from '../../deps.ts'
import { type Reader, requireRight } from '../../lib/actor.ts'
import { AppError } from '../../lib/app-error.ts'
import type { DirectoryRecord } from '../directory/directory.repo.ts'
import { findReader } from '../identity/ticket.service.ts'
import { takeSlot } from '../throttle/throttle.service.ts'
import { targetDirectory } from './file.service.ts'
import type { Owner } from './upload.repo.ts'

export interface Target {
  directory: string
  filename: string
  company?: string | undefined
  conflict: 'keep' | 'replace'
  /** What a recipient says of their link. */
  type?: string | undefined
  key?: string | undefined
}

/** Where files are to go. A link says what it is good for, and takes nothing's place. */
export async function openDirectory(
  deps: Deps,
  actor: Reader,
  { directory, company, conflict, type, key }: Omit<Target, 'filename'>,
): Promise<DirectoryRecord> {
  requireRight(actor, 'add')
  if (actor.kind === 'recipient') {
    const { link } = actor
    const isTrue = (type ?? link.type) === link.type && (key ?? link.key) === link.key
    if (!isTrue || conflict === 'replace') throw new AppError('link.forbidden')
  }
  return targetDirectory(deps, actor, directory, company)
}

/** As long as bytes come, whoever sends them is not idle, though it be one request of many hours. Once they may not, it is broken off. */
export function stayingHere(deps: Deps, actor: Reader): Disposable & { signal: AbortSignal } {
  const over = new AbortController()
  const ask = () => stillHere(deps, actor).catch((error) => error instanceof AppError && over.abort(error))
  const timer = setInterval(() => void ask(), 5_000)
  return { signal: over.signal, [Symbol.dispose]: () => clearInterval(timer) }
}

/** How many uploads of the simple kind one client may have under way by one link: their bytes count nowhere until they are whole. */
const placesEach = 4

export const placeFor = (deps: Deps, actor: Reader): Promise<AsyncDisposable> | undefined =>
  actor.kind === 'staff'
    ? undefined
    : takeSlot(deps, 'upload.too_many', { of: ['upload', actor.link.key, actor.client], places: placesEach })

/** The right to add is asked for again when the bytes are here: that may be hours after they began to come. */
export async function stillHere(deps: Deps, actor: Reader): Promise<Reader> {
  const now = await findReader(deps, actor)
  if (!now) throw new AppError(actor.kind === 'recipient' ? 'link.closed' : 'session.missing')
  return { ...now, client: actor.client }
}

export const ownerOf = (actor: Reader): Owner =>
  actor.kind === 'staff' ? { user_id: actor.userId, link_key: null } : { user_id: null, link_key: actor.link.key }
