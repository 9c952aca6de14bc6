import type { Deps } from '../../deps.ts'
import type { Reader } from '../../lib/actor.ts'
import { AppError } from '../../lib/app-error.ts'
import { throwAppError } from '../file/file.service.ts'
import { reserveRoom } from '../quota/quota.service.ts'
import { getOpenUpload, lockOwnUpload, recordReceived } from './upload.service.ts'

/**
 * How long a presigned URL is valid. A part has 8 MiB at first and doubles after every thousand parts (see `getPartSize`), so this needs at
 * least 75 kbit/s. If a slower client fails to send a part in time, it uploads through this server.
 */
const presignedUrlSeconds = 15 * 60

/** Returns whether browsers may upload to and download from the store directly. */
export const isDirect = ({ config, blobs }: Deps): boolean => Boolean(config.directEndpoint && blobs.openPart)

/**
 * Returns the presigned URL to which the client can send the next bytes of an upload, and reserves room for them. Returns null if the bytes
 * must go through this server.
 */
export async function openPart(deps: Deps, actor: Reader, id: string, offset: number) {
  await using _ = await lockOwnUpload(deps, actor, id)
  const { upload, directory } = await getOpenUpload(deps, actor, id)
  if (!isDirect(deps)) return null
  const options = { offset, maxSize: upload.size, seconds: presignedUrlSeconds }
  const part = await deps.blobs.openPart?.(id, options).catch(throwAppError)
  if (!part) return null
  const end = offset + part.size
  await reserveRoom(deps, actor, directory, upload, { received: offset, size: end, upTo: end })
  return part
}

/** Accepts a part that the client has sent to the store, after verifying it with the store. */
export async function closePart(deps: Deps, actor: Reader, id: string, number: number) {
  await using lock = await lockOwnUpload(deps, actor, id)
  const { upload } = await getOpenUpload(deps, actor, id)
  // The reservation ends after an hour without progress. Then the client must open the part again.
  if (!deps.blobs.closePart || Number(upload.reserved) <= Number(upload.received)) throw new AppError('upload.wrong_offset')
  const received = await deps.blobs.closePart(id, number).catch(throwAppError)
  return await recordReceived(deps, actor, upload, lock, received)
}
