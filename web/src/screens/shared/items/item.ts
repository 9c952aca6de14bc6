import type { DirectoryRow, FileRow } from '@neptune/contract'

/** What a directory contains: a folder or a file. */
export type Item = { id: string; name: string } & ({ kind: 'folder'; folder: DirectoryRow } | { kind: 'file'; file: FileRow })

/** The files and folders that an action applies to. */
export interface Items {
  files: readonly FileRow[]
  folders: readonly DirectoryRow[]
}

export const toFolderItem = (folder: DirectoryRow): Item => ({
  kind: 'folder',
  id: folder.id,
  name: folder.directory,
  folder,
})

export const toFileItem = (file: FileRow): Item => ({ kind: 'file', id: file.id, name: file.file_name, file })

export const toItems = (items: readonly Item[]): Items => ({
  files: items.flatMap((item) => (item.kind === 'file' ? [item.file] : [])),
  folders: items.flatMap((item) => (item.kind === 'folder' ? [item.folder] : [])),
})

export const countItems = ({ files, folders }: Items): number => files.length + folders.length

/** Returns the name if there is exactly one item. */
export const getOnlyName = ({ files, folders }: Items): string | undefined =>
  files.length + folders.length === 1 ? (files[0]?.file_name ?? folders[0]?.directory) : undefined

/** Returns the company of the first item. On the Files page, the others may belong to different companies. */
export const getItemsCompany = ({ files, folders }: Items): string => files[0]?.company ?? folders[0]?.company ?? ''

/** Returns the lowest directory that contains all files, directly or in its folders. Undefined if they have none in common. */
export function findCommonDirectory(files: readonly Pick<FileRow, 'path' | 'directory_id'>[]): string | undefined {
  const paths = files.map(({ path, directory_id }) => [...path.map(({ id }) => id), directory_id])
  const [first = [], ...others] = paths
  return first.findLast((id, depth) => others.every((path) => path[depth] === id))
}

/** Returns the directory that contains the first item; null for a top-level directory. */
export const getItemsParent = ({ files, folders }: Items): string | null => files[0]?.directory_id ?? folders[0]?.parent ?? null
