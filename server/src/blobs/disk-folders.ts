import type { Dirent } from 'node:fs'
import { mkdir, readdir, rename, unlink } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { newId } from '../lib/secrets.ts'
import { checked, idPattern } from './blob-id.ts'
import { createFile, statIfThere, syncFolder, unless } from './disk-files.ts'

const probePrefix = '.probe-'

export type DiskPlaces = ReturnType<typeof diskPlaces>

/** Where an upload grows, and where it lies once it is a blob. */
export function diskPlaces(dataDir: string) {
  const tmpDir = join(dataDir, 'tmp')
  const blobDir = join(dataDir, 'blobs')
  return {
    dataDir,
    tmpDir,
    blobDir,
    tmpPath: (id: string) => join(tmpDir, checked(id)),
    blobPath: (id: string) => join(blobDir, ...shardOf(checked(id)), id),
  }
}

/** Where a blob lies among all of them. */
export const placeOf = (id: string) => [...shardOf(checked(id)), id].join('/')

/** 65,536 folders by the first two random bytes, so that none has too many files. */
function shardOf(id: string): [string, string] {
  const hex = Buffer.from(id, 'base64url').toString('hex')
  return [hex.slice(0, 2), hex.slice(2, 4)]
}

/** A link is never ours. */
export const idsIn = async (folder: string) =>
  (await entriesOf(folder)).filter((entry) => idPattern.test(entry.name) && !entry.isSymbolicLink()).map(({ name }) => name)

/** Another process opens the store this very moment; what a killed one left is older. */
export async function isJustProbed(path: string): Promise<boolean> {
  if (!basename(path).startsWith(probePrefix)) return false
  const stats = await statIfThere(path)
  return !stats || Date.now() - stats.ctimeMs < 60_000
}

/** Not folders: a file system may have its own among ours. */
export const filesIn = async (folder: string) =>
  (await entriesOf(folder))
    .filter((entry) => !entry.isDirectory())
    .map((entry) => ({ name: entry.name, isLink: entry.isSymbolicLink() }))

/** Also links to folders: an operator may have moved some to another disk. */
export const shardsIn = async (folder: string) =>
  (await entriesOf(folder)).map(({ name }) => name).filter((name) => /^[0-9a-f]{2}$/.test(name))

/** What is called like a folder of ours may be none, or a link that leads nowhere: then nothing is in it. */
const entriesOf = (folder: string): Promise<Dirent[]> =>
  readdir(folder, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOTDIR' || error.code === 'ENOENT') return []
    throw error
  })

/** Makes both folders and tries everything that finishing an upload needs: a name that is new, a rename from one to the other, fsync. */
export async function prepare({ dataDir, tmpDir, blobDir }: DiskPlaces) {
  const probe = `${probePrefix}${newId()}`
  try {
    for (const folder of [tmpDir, blobDir]) await mkdir(folder, { mode: 0o700 }).catch(unless('EEXIST'))
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
    const why =
      code === 'EXDEV'
        ? `${tmpDir} and ${blobDir} are on different file systems. Put both on one.`
        : `Files cannot be stored in ${dataDir} (${code ?? message}). Make ${tmpDir} and ${blobDir} writable.`
    throw new Error(why, { cause: error })
  }
}
