import { join } from 'node:path'

/** Returns the path of a blob in a data folder, with the layout of server/src/blobs/disk/disk-store.ts. */
export function blobIn(data: string, id: string): string {
  const hex = Buffer.from(id, 'base64url').toString('hex')
  return join(data, 'blobs', hex.slice(0, 2), hex.slice(2, 4), id)
}
