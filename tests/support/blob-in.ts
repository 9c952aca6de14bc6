import { join } from 'node:path'

/** Where a blob lies in a data folder, as server/src/blobs/disk.ts has it. */
export function blobIn(data: string, id: string): string {
  const hex = Buffer.from(id, 'base64url').toString('hex')
  return join(data, 'blobs', hex.slice(0, 2), hex.slice(2, 4), id)
}
