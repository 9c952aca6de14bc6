import { newId } from '../lib/secrets.ts'
import { checked } from './blob-id.ts'

/** What the objects in the bucket are called: `blobs/<id>`, and for the last bytes of an upload `uploads/<id>/…`. */
export const blobPrefix = 'blobs/'
export const uploadPrefix = 'uploads/'

export const blobKey = (id: string) => `${blobPrefix}${checked(id)}`
export const tailPrefix = (id: string) => `${uploadPrefix}${checked(id)}/`
/** For bytes that begin at this offset and are no part yet. */
export const newTailKey = (id: string, offset: number) => `${tailPrefix(id)}${offset}-${newId()}`
export const idOfBlob = (key: string) => /^blobs\/([\w-]{22})$/.exec(key)?.[1]
export const idOfTail = (key: string) => /^uploads\/([\w-]{22})\/\d+-[\w-]{22}$/.exec(key)?.[1]
