import type { Readable } from 'node:stream'
import { type AppendOptions, BlobError } from '../../blobs/blob-store.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../lib/app-error.ts'
import { type Checksum, createHashStream, matchesChecksum } from '../../lib/net/checksum.ts'
import { toAppError } from '../file/file.service.ts'
import type { HeldUploadLock } from './upload-lock.service.ts'

/** Adds the bytes of one request to an upload and returns its new size. */
export const appendBytes = (
  deps: Deps,
  id: string,
  lock: HeldUploadLock,
  options: AppendOptions,
  { source, checksum }: { source: Readable; checksum: Checksum | undefined },
): Promise<number> =>
  checksum ? appendChecked(deps, id, lock, options, source, checksum) : appendUnchecked(deps, id, lock, options, source)

/**
 * Keeps the bytes that arrived before the connection was cut. If a client sends more bytes than the upload has left, none of the request is
 * kept.
 */
async function appendUnchecked(
  deps: Deps,
  id: string,
  lock: HeldUploadLock,
  options: AppendOptions,
  source: Readable,
): Promise<number> {
  try {
    return await deps.blobs.append(id, source, options)
  } catch (error) {
    if (error instanceof BlobError && error.fault === 'too_large') await rewind(deps, id, lock, options.offset)
    throw toAppError(error)
  }
}

async function rewind(deps: Deps, id: string, lock: HeldUploadLock, offset: number) {
  await lock.confirm()
  await deps.blobs.rewind(id, offset)
}

/** Keeps the bytes of a request with a checksum only if all of them arrived unchanged. */
async function appendChecked(
  deps: Deps,
  id: string,
  lock: HeldUploadLock,
  options: AppendOptions,
  source: Readable,
  checksum: Checksum,
): Promise<number> {
  const bytes = source.pipe(createHashStream(checksum))
  try {
    const received = await deps.blobs.append(id, bytes, options)
    if (!matchesChecksum(checksum)) throw new AppError('upload.checksum')
    return received
  } catch (error) {
    const mayHaveAppended = !(error instanceof BlobError) || !['wrong_offset', 'busy', 'missing'].includes(error.fault)
    if (mayHaveAppended) await rewind(deps, id, lock, options.offset)
    throw toAppError(error)
  }
}
