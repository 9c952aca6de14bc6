import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Generates a random blob id. */
export const makeBlobId = () => randomBytes(16).toString('base64url')

/** Returns the path of a blob in a data folder, with the layout of server/src/blobs/disk/folders.ts. */
export function blobPathInData(dataFolder: string, id: string): string {
  const hex = Buffer.from(id, 'base64url').toString('hex')
  return join(dataFolder, 'blobs', hex.slice(0, 2), hex.slice(2, 4), id)
}

/** Returns the path of a blob of a server whose data folder is `data` in `folder`. */
export const blobPath = (folder: string, id: string) => blobPathInData(join(folder, 'data'), id)

/** Creates a blob without a database row. */
export function createOrphanBlob(folder: string, id: string) {
  mkdirSync(join(blobPath(folder, id), '..'), { recursive: true })
  writeFileSync(blobPath(folder, id), 'an orphan blob')
}

/** Flips one bit of a file, to simulate damage. */
export function flipBit(path: string) {
  const bytes = readFileSync(path)
  bytes[100] = (bytes[100] ?? 0) ^ 1
  writeFileSync(path, bytes)
}
