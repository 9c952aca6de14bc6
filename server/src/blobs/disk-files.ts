import fs, { closeSync, constants, type Stats } from 'node:fs'
import { type FileHandle, lstat, open } from 'node:fs/promises'
import { promisify } from 'node:util'

/** Nobody who plants a link in our folders shall make us write elsewhere. Windows has no such flag. */
export const noFollow = constants.O_NOFOLLOW ?? 0

/** For catch(): this one error is fine. */
export const unless = (code: string) => (error: NodeJS.ErrnoException) => {
  if (error.code !== code) throw error
}

export const isNoSpace = (error: unknown) => ['ENOSPC', 'EDQUOT'].includes((error as NodeJS.ErrnoException).code ?? '')

/** A link is never ours, so it counts as absent. */
export async function openIfThere(path: string, flags: number): Promise<FileHandle | undefined> {
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

/** A file that was not there, to be written. Each question to a FileHandle costs more than this, and closing one a trip to the disk. */
export async function createFile(path: string) {
  const { O_WRONLY, O_CREAT, O_EXCL } = constants
  const fd = await openFd(path, O_WRONLY | O_CREAT | O_EXCL | noFollow, 0o600)
  let isSafe = false
  return {
    writev: (chunks: Buffer[], position: number) => writevFd(fd, chunks, position),
    async sync() {
      await syncFd(fd)
      isSafe = true
    },
    /** Waits for nothing once all is on the disk. */
    close: async () => (isSafe ? closeSync(fd) : closeFd(fd)),
  }
}

/** A small file at once, in two trips to the disk instead of four. Undefined when it is not there, or has another size. */
export async function readWhole(path: string, size: number): Promise<Buffer | undefined> {
  let fd: number | undefined
  try {
    fd = await openFd(path, constants.O_RDONLY | noFollow)
    const { bytesRead, buffer } = await readFd(fd, Buffer.allocUnsafeSlow(size + 1), 0, size + 1, 0)
    return bytesRead === size ? buffer.subarray(0, size) : undefined
  } catch (error) {
    if (['ENOENT', 'ELOOP', 'EISDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined
    throw error
  } finally {
    if (fd !== undefined) closeSync(fd) // which writes nothing, so it waits for nothing
  }
}

export const statIfThere = (path: string): Promise<Stats | undefined> =>
  lstat(path).catch(unless('ENOENT')) as Promise<Stats | undefined>

/** Makes names in a folder survive a loss of power. Windows cannot be asked to. */
export async function syncFolder(folder: string) {
  if (process.platform === 'win32') return
  const fd = await openFd(folder, constants.O_RDONLY | constants.O_DIRECTORY)
  try {
    await syncFd(fd)
  } finally {
    closeSync(fd) // a folder is never written to by closing it
  }
}
