import fs, { closeSync, constants, type Stats } from 'node:fs'
import { type FileHandle, lstat, open } from 'node:fs/promises'
import { promisify } from 'node:util'

/** Prevents writing through a symbolic link that someone planted in our folders. Windows has no such flag. */
export const noFollow = constants.O_NOFOLLOW ?? 0

/** Returns a handler for `catch` that ignores errors with this code and rethrows all others. */
export const ignoreErrorCode = (code: string) => (error: NodeJS.ErrnoException) => {
  if (error.code !== code) throw error
}

export const isNoSpace = (error: unknown) => ['ENOSPC', 'EDQUOT'].includes((error as NodeJS.ErrnoException).code ?? '')

/** Opens a file, or returns undefined if it doesn't exist or is a symbolic link, which Neptune never creates. */
export async function openIfExists(path: string, flags: number): Promise<FileHandle | undefined> {
  return open(path, flags | noFollow).catch((error) => {
    if (error.code === 'ENOENT' || error.code === 'ELOOP') return undefined
    throw error
  })
}

const openFd = promisify(fs.open)
const readFd = promisify(fs.read)
const writevFd = promisify(fs.writev)
const syncFd = promisify(fs.fsync)
const closeFd = promisify(fs.close)

/** Creates a new file for writing. Uses a raw descriptor: a FileHandle is slower, and closing it is another disk operation. */
export async function createFile(path: string) {
  const { O_WRONLY, O_CREAT, O_EXCL } = constants
  const fd = await openFd(path, O_WRONLY | O_CREAT | O_EXCL | noFollow, 0o600)
  let isSynced = false
  return {
    writev: (chunks: Buffer[], position: number) => writevFd(fd, chunks, position),
    async sync() {
      await syncFd(fd)
      isSynced = true
    },
    /** Closes synchronously after `sync`, because nothing is left to write. */
    close: async () => (isSynced ? closeSync(fd) : closeFd(fd)),
  }
}

/** Reads a small file with two disk operations instead of four. Returns undefined if it is missing or has a different size. */
export async function readSmallFile(path: string, size: number): Promise<Buffer | undefined> {
  let fd: number | undefined
  try {
    fd = await openFd(path, constants.O_RDONLY | noFollow)
    const { bytesRead, buffer } = await readFd(fd, Buffer.allocUnsafeSlow(size + 1), 0, size + 1, 0)
    return bytesRead === size ? buffer.subarray(0, size) : undefined
  } catch (error) {
    if (['ENOENT', 'ELOOP', 'EISDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined
    throw error
  } finally {
    if (fd !== undefined) closeSync(fd) // doesn't block: nothing was written
  }
}

export const statIfExists = (path: string): Promise<Stats | undefined> =>
  lstat(path).catch(ignoreErrorCode('ENOENT')) as Promise<Stats | undefined>

/** Makes the entries of a folder survive a power loss. Windows has no fsync for folders. */
export async function syncFolder(folder: string) {
  if (process.platform === 'win32') return
  const fd = await openFd(folder, constants.O_RDONLY | constants.O_DIRECTORY)
  try {
    await syncFd(fd)
  } finally {
    closeSync(fd) // doesn't block: closing a folder writes nothing
  }
}
