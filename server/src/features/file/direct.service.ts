import type { Deps } from '../../deps.ts'
import type { Reader } from '../../lib/actor.ts'
import { AppError } from '../../lib/app-error.ts'
import { rethrow } from './file.service.ts'
import { holdOpenUpload, settle } from './upload.service.ts'
import { reserveRoom } from './upload-room.service.ts'

/** A part of 8 MiB in this time is 73 kbit/s: slower ones come by way of us. */
const partSeconds = 15 * 60

/** Whether browsers may bring and fetch bytes where they are kept, without passing through us. */
export const isDirect = ({ config, blobs }: Deps): boolean => Boolean(config.s3?.publicEndpoint && blobs.openPart)

/**
 * Returns where the next bytes of an upload may go straight to the store, with room reserved for them; null when they must go
 * through this server.
 */
export const openPart = (deps: Deps, actor: Reader, id: string, offset: number) =>
  holdOpenUpload(deps, actor, id, async (upload, _, directory) => {
    if (!isDirect(deps)) return null
    const part = await deps.blobs.openPart?.(id, { offset, maxSize: upload.size, seconds: partSeconds }).catch(rethrow)
    if (!part) return null
    const end = offset + part.size
    await reserveRoom(deps, actor, directory, upload, { received: offset, size: end, upTo: end })
    return part
  })

/** Accepts a part that the client has sent to the store, after verifying it with the store. */
export const closePart = (deps: Deps, actor: Reader, id: string, number: number) =>
  holdOpenUpload(deps, actor, id, async (upload, hold) => {
    // If its reservation is gone, as after an hour, the part must be opened again.
    if (!deps.blobs.closePart || Number(upload.reserved) <= Number(upload.received)) throw new AppError('upload.wrong_offset')
    return settle(deps, actor, upload, hold, await deps.blobs.closePart(id, number).catch(rethrow))
  })
