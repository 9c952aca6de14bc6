import { newId } from '../../lib/secrets.ts'
import { checkBlobId } from '../blob-id.ts'

/** The keys of objects: `blobs/<id>` for blobs, and `uploads/<id>/…` for the tail of an unfinished upload. */
export const blobPrefix = 'blobs/'
export const uploadPrefix = 'uploads/'

export const getBlobKey = (id: string) => `${blobPrefix}${checkBlobId(id)}`
export const getTailPrefix = (id: string) => `${uploadPrefix}${checkBlobId(id)}/`
/** Returns a unique key for a tail: the bytes from this offset on, which don't fill a part yet. */
export const newTailKey = (id: string, offset: number) => `${getTailPrefix(id)}${offset}-${newId()}`
export const parseBlobKey = (key: string) => /^blobs\/([\w-]{22})$/.exec(key)?.[1]
export const parseTailKey = (key: string) => /^uploads\/([\w-]{22})\/\d+-[\w-]{22}$/.exec(key)?.[1]
