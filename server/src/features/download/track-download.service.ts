import type { Deps } from '../../deps.ts'
import { getReach, type Reader, type Recipient } from '../../lib/actor.ts'
import { AppError } from '../../lib/app-error.ts'
import { recordDownload } from '../access/access.service.ts'
import { recordLater, toCallerKey } from '../audit/audit.service.ts'
import { findFile } from '../file/file.repo.ts'
import { findReader } from '../identity/ticket.service.ts'
import { announceDownload } from '../webhook/webhook.service.ts'
import { findZipSource } from './zip-source.service.ts'

export interface TrackedDownload {
  action: 'file.downloaded' | 'file.previewed' | 'directory.downloaded'
  id: string
  company_id: string
  directory: string
  file: string | null
  name: string
  size: number
  /** What the bytes of repeated downloads are added up by: the id of a version's bytes, or of a selection of files. By default, `id`. */
  blob_id?: string
  /** The hash of a file's bytes, for the audit log and webhooks. */
  sha256?: string
  /** How many files and folders were chosen for a ZIP. */
  chosen?: number | undefined
  /** The name in the activity of the link. By default, `name`. */
  linkName?: string
}

/** Returns callbacks that stop a download when its caller loses access, and record the bytes that were sent. */
export function trackDownload(
  deps: Deps,
  actor: Reader,
  {
    action,
    company_id: company,
    directory,
    file,
    name,
    size,
    id,
    blob_id = id,
    sha256,
    chosen,
    linkName = name,
  }: TrackedDownload,
) {
  const entry = { action, by: actor, company, directory, file, name, size }
  const contents = sha256 ? `SHA-256 ${sha256}` : chosen && `selection of ${chosen}`
  const toNote = (how?: string) => [how, contents].filter(Boolean).join(', ') || null
  const foldKey = `${action} ${toCallerKey(actor)} ${blob_id}`
  // A browser requests a video or a long PDF in many small ranges, which together are one preview.
  const maxEntries = action === 'file.previewed' ? 1 : undefined
  const event = { type: 'download' as const, company, directory, file, name, size, ...(sha256 && { sha256 }), by: actor }
  let isStartRecorded = false
  let recordedBytes = 0
  const recordBytesFor = async (recipient: Recipient, bytes: number) => {
    const newBytes = Math.max(0, bytes - recordedBytes)
    recordedBytes += newBytes
    await recordDownload(deps, recipient, { id, blob_id, name: linkName, size }, newBytes, event).catch((err: unknown) => {
      recordedBytes -= newBytes
      throw err
    })
  }
  return {
    /**
     * Returns whether the caller still has access. Also records a long download before it ends, so that neither a crash nor a client that
     * stops reading can hide it.
     */
    async mayContinue(sent: number) {
      if (!isStartRecorded) recordLater(deps, foldKey, { ...entry, note: toNote('begun') }, maxEntries)
      isStartRecorded = true
      if (actor.kind === 'recipient' && recordedBytes === 0 && sent > 0)
        await recordBytesFor(actor, sent).catch((err: unknown) => deps.log.error({ err }, 'could not record a download'))
      const current = await findReader(deps, actor)
      if (!current) return false
      // The current location: files may have been moved out of the caller's reach.
      const found = file === null ? findZipSource(deps, current, directory) : findFile(deps.db, file, getReach(current))
      return (await found.catch(ignoreAppError)) !== undefined
    },
    async onSent(bytes: number, how?: string) {
      const sent = { ...entry, bytes, note: toNote(how ?? (bytes < size ? 'partly' : undefined)) }
      if (bytes > 0 || size === 0) recordLater(deps, foldKey, sent, maxEntries)
      if (actor.kind === 'recipient') await recordBytesFor(actor, bytes)
      // For staff, only a complete download is announced: their ranges are not added up.
      else if (bytes === size && action !== 'file.previewed') await announceDownload(deps, { ...event, by: actor })
    },
  }
}

/** Handles the error for an item that the caller can no longer see. Throws any other error again. */
function ignoreAppError(error: unknown): undefined {
  if (!(error instanceof AppError)) throw error
}
