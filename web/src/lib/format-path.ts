interface Folder {
  id: string
  name: string
}

/** Formats folders as a path: `Tax 2026 / Receipts`. */
export const formatPath = (folders: readonly Folder[]): string => folders.map(({ name }) => name).join(' / ')

/** Returns the part of a path below a folder, or the whole path if the folder isn’t in it. */
export const getPathBelow = (path: readonly Folder[], folderId: string): readonly Folder[] =>
  path.slice(path.findIndex(({ id }) => id === folderId) + 1)
