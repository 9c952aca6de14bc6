import type { Deps } from '../../deps.ts'
import type { Reader } from '../../lib/actor.ts'
import { AppError } from '../../lib/app-error.ts'
import { rethrow } from './file.service.ts'
import { holdOpenUpload, settle } from './upload.service.ts'

/** A part of 8 MiB in this time is 73 kbit/s: slower ones come by way of us. */
const partSeconds = 15 * 60

/** Whether browsers may bring and fetch bytes where they are kept, without passing through us. */
export const isDirect = ({ config, blobs }: Deps): boolean => Boolean(config.s3?.publicEndpoint && blobs.openPart)

/** Where the next bytes of an upload may go straight to the store. Null when they are to come by way of us. */
export const openPart = (deps: Deps, actor: Reader, id: string, offset: number) =>
  holdOpenUpload(deps, actor, id, async ({ size: maxSize }) => {
    if (!isDirect(deps)) return null
    return (await deps.blobs.openPart?.(id, { offset, maxSize, seconds: partSeconds }).catch(rethrow)) ?? null
  })

/** The sender says that a part is there; the store is asked. */
export const closePart = (deps: Deps, actor: Reader, id: string, number: number) =>
  holdOpenUpload(deps, actor, id, async (upload, hold) => {
    if (!deps.blobs.closePart) throw new AppError('upload.wrong_offset')
    return settle(deps, actor, upload, hold, await deps.blobs.closePart(id, number).catch(rethrow))
  })
