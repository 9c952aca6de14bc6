import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { blobIn } from './blob-in.ts'

/** Generates a random id with the form of a blob's id. */
export const makeId = () => randomBytes(16).toString('base64url')

/** Returns the path of a blob below a server's folder. */
export const blobPath = (folder: string, id: string) => blobIn(join(folder, 'data'), id)

/** Creates a blob that the database doesn't know. */
export function plantBlob(folder: string, id: string) {
  mkdirSync(join(blobPath(folder, id), '..'), { recursive: true })
  writeFileSync(blobPath(folder, id), 'an unknown blob')
}

/** Flips one bit of a file. */
export function flipBit(path: string) {
  const bytes = readFileSync(path)
  bytes[100] = (bytes[100] ?? 0) ^ 1
  writeFileSync(path, bytes)
}
