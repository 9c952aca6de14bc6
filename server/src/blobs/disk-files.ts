import { constants, type Stats } from 'node:fs'
import { type FileHandle, lstat, open } from 'node:fs/promises'

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

export const statIfThere = (path: string): Promise<Stats | undefined> =>
  lstat(path).catch(unless('ENOENT')) as Promise<Stats | undefined>

/** Makes names in a folder survive a loss of power. Windows cannot be asked to. */
export async function syncFolder(folder: string) {
  if (process.platform === 'win32') return
  await using handle = await open(folder, constants.O_RDONLY | constants.O_DIRECTORY)
  await handle.sync()
}
