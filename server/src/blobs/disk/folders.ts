import type { Dirent } from 'node:fs'
import { mkdir, readdir, rename, unlink } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { newId } from '../../lib/secrets.ts'
import { checkBlobId, idPattern } from '../blob-id.ts'
import { createFile, ignoreErrorCode, statIfExists, syncFolder } from './files.ts'

const probePrefix = '.probe-'

export type DiskPaths = ReturnType<typeof getDiskPaths>

/** Returns the paths of unfinished uploads (`tmp`) and of blobs (`blobs`). */
export function getDiskPaths(dataDir: string) {
  const tmpDir = join(dataDir, 'tmp')
  const blobDir = join(dataDir, 'blobs')
  return {
    dataDir,
    tmpDir,
    blobDir,
    getTmpPath: (id: string) => join(tmpDir, checkBlobId(id)),
    getBlobPath: (id: string) => join(blobDir, ...getShardNames(checkBlobId(id)), id),
  }
}

/** Returns the path of a blob within the `blobs` folder. */
export const getRelativePath = (id: string) => [...getShardNames(checkBlobId(id)), id].join('/')

/** Spreads blobs over 65,536 folders by their first two random bytes, so that no folder has too many files. */
function getShardNames(id: string): [string, string] {
  const hex = Buffer.from(id, 'base64url').toString('hex')
  return [hex.slice(0, 2), hex.slice(2, 4)]
}

/** Lists the entries named like an id, without symbolic links, which Neptune never creates. */
export const listIds = async (folder: string) =>
  (await readEntries(folder)).filter((entry) => idPattern.test(entry.name) && !entry.isSymbolicLink()).map(({ name }) => name)

/** Returns whether a file is the probe of a process that is opening the store now. Older ones were left by a killed process. */
export async function isRecentProbe(path: string): Promise<boolean> {
  if (!basename(path).startsWith(probePrefix)) return false
  const stats = await statIfExists(path)
  return !stats || Date.now() - stats.ctimeMs < 60_000
}

/** Lists everything except folders: a file system may create its own, such as `lost+found`. */
export const listFolder = async (folder: string) =>
  (await readEntries(folder))
    .filter((entry) => !entry.isDirectory())
    .map((entry) => ({ name: entry.name, isLink: entry.isSymbolicLink() }))

/** Lists shard folders, including symbolic links: an operator may have moved some to another disk. */
export const listShards = async (folder: string) =>
  (await readEntries(folder)).map(({ name }) => name).filter((name) => /^[0-9a-f]{2}$/.test(name))

/** Returns no entries if the path is not a folder, or is a dangling link. */
const readEntries = (folder: string): Promise<Dirent[]> =>
  readdir(folder, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOTDIR' || error.code === 'ENOENT') return []
    throw error
  })

/** Creates both folders and tests every operation that finishing an upload needs: create, rename from one to the other, fsync. */
export async function prepareFolders({ dataDir, tmpDir, blobDir }: DiskPaths) {
  const probe = `${probePrefix}${newId()}`
  try {
    for (const folder of [tmpDir, blobDir]) await mkdir(folder, { mode: 0o700 }).catch(ignoreErrorCode('EEXIST'))
    await syncFolder(dataDir)
    const file = await createFile(join(tmpDir, probe))
    await file.close()
    await rename(join(tmpDir, probe), join(blobDir, probe)).catch(async (error) => {
      await unlink(join(tmpDir, probe))
      throw error
    })
    await unlink(join(blobDir, probe))
    await syncFolder(blobDir)
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    const reason =
      code === 'EXDEV'
        ? `${tmpDir} and ${blobDir} are on different file systems. Put both on the same one.`
        : `Can't store files in ${dataDir} (${code ?? message}). Make ${tmpDir} and ${blobDir} writable.`
    throw new Error(reason, { cause: error })
  }
}
