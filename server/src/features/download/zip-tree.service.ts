import type { Deps } from '../../deps.ts'
import { createPageSpill, type PageSpill } from '../../lib/zip/page-spill.ts'
import { listFoldersForZip } from '../directory/folder.repo.ts'
import { type ReadChildren, readRowsByFolder } from '../directory/folder-pages.service.ts'
import { listFilesForZip } from '../file/file.repo.ts'
import type { ZipSource } from './zip-source.service.ts'

/**
 * A folder with its path in the archive. The path is empty for the directory whose contents are at the root of the archive. All others end
 * in a slash.
 */
interface Folder {
  id: string
  path: string
  created_at: string
}

export type ZipFile = Awaited<ReturnType<typeof listFilesForZip>>[number]

/** A page of the entries of a ZIP, in order. Folders are listed only if they are empty. */
export type TreePage = ({ folder: Folder; file: ZipFile } | { folder: Folder; file?: never })[]

export interface TreeOptions {
  /** Runs a query when it is this ZIP's turn: see `createPageQueue`. */
  inTurn: <T>(query: () => Promise<T>) => Promise<T>
  /** Returns a name that is safe and unique in its folder. */
  toZipName: (entry: { id: string; name: string; folder: string }) => string
  pageSize: number
  /** The folder for temporary files: long lists of folders are written there. */
  tmp: string
}

/**
 * Yields the files at the root of a ZIP, then those in its directories and in all folders below. Reads the folders level by level, and the
 * files of a folder in the order of their names. Keeps only a page of rows in memory, and the folders of two levels on disk.
 */
export async function* readTree(
  deps: Deps,
  { directories, files }: Pick<ZipSource, 'directories' | 'files'>,
  options: TreeOptions,
): AsyncGenerator<TreePage> {
  const top = { path: '', created_at: '' }
  if (files.length > 0) yield files.map((file) => ({ folder: { id: '', ...top }, file: { ...file, parent: '' } }))
  let level: PageSpill<Folder> | undefined = createPageSpill<Folder>(options.tmp)
  let next: PageSpill<Folder> | undefined
  try {
    await level.append(
      directories.map(({ id, name, created_at }) => {
        const path = name === null ? '' : `${options.toZipName({ id, name, folder: '' })}/`
        return { id, path, created_at }
      }),
    )
    while (level) {
      let hasFolders = false
      next = createPageSpill<Folder>(options.tmp)
      for await (const folders of level.read()) {
        const parents = new Set<string>()
        for await (const subfolders of readFolders(deps, folders, parents, options)) {
          hasFolders = true
          await next.append(subfolders)
        }
        yield* readFiles(deps, folders, parents, options)
      }
      await level.close()
      level = hasFolders ? next : undefined
    }
  } finally {
    await level?.close()
    await next?.close()
  }
}

/** Yields the direct subfolders of these folders. Adds the folders that have subfolders to `parents`. */
async function* readFolders(deps: Deps, folders: Folder[], parents: Set<string>, options: TreeOptions): AsyncGenerator<Folder[]> {
  const read: ReadChildren<Awaited<ReturnType<typeof listFoldersForZip>>[number]> = (ids, after, limit) =>
    listFoldersForZip(deps.db, ids, after, limit)
  for await (const found of readRowsByFolder(folders, read, options)) {
    const subfolders = found.flatMap(({ folder, rows }) => {
      if (rows.length > 0) parents.add(folder.id)
      return rows.map(({ id, name, created_at }) => {
        const zipName = options.toZipName({ id, name, folder: folder.path })
        return { id, path: `${folder.path}${zipName}/`, created_at }
      })
    })
    if (subfolders.length > 0) yield subfolders
  }
}

/** Yields the files directly in these folders, and the folders that are empty: without files, and not in `parents`. */
async function* readFiles(deps: Deps, folders: Folder[], parents: Set<string>, options: TreeOptions): AsyncGenerator<TreePage> {
  const read: ReadChildren<ZipFile> = (ids, after, limit) => listFilesForZip(deps.db, ids, after, limit)
  for await (const found of readRowsByFolder(folders, read, options)) {
    const page = found.flatMap(({ folder, rows, isFirst }): TreePage => {
      const isEmpty = rows.length === 0 && isFirst && folder.path !== '' && !parents.has(folder.id)
      return isEmpty ? [{ folder }] : rows.map((file) => ({ folder, file }))
    })
    if (page.length > 0) yield page
  }
}
