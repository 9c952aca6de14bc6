import { getFolderPath, getTopFolder, type Picked, type PickedFile } from '../files/picked-files.ts'
import type { ConflictResolution, SavedTree, SavedUpload, UploadTarget } from '../state/upload-job.ts'
import { createRandomId } from '../upload-storage.ts'

/** What to upload: files, each with how to handle a name that is taken, and empty folders. */
export interface UploadRequest extends Pick<Picked, 'emptyFolders'> {
  files: readonly (PickedFile & { conflict: ConflictResolution })[]
}

export interface PlannedUpload {
  upload: Omit<SavedUpload, 'order'>
  file: File | undefined
}

/** Plans the uploads of files and folders. Everything in a chosen folder becomes one tree. */
export function planUploads({ files, emptyFolders }: UploadRequest, directory: UploadTarget, user: string) {
  const trees: (SavedTree & { folders: Map<string, string | undefined> })[] = []
  /** Returns the tree of a folder. Two chosen folders can have the same name, but not the same handle. */
  const getTree = (name: string, handle?: FileSystemHandle) => {
    const known = trees.find((tree) => tree.name === name && (handle === undefined || tree.handle === handle))
    if (known) return known
    const tree = { id: createRandomId(), user, name, directory, folders: new Map<string, string | undefined>(), handle }
    trees.push(tree)
    return tree
  }
  const common = { user, directory, isPaused: false }
  const uploads = files.map(({ file, path, handle, conflict }): PlannedUpload => {
    const { name, size, lastModified } = file
    const upload = { ...common, id: createRandomId(), conflict, handle, name, size, lastModified }
    const top = getTopFolder(path)
    if (top === undefined) return { upload, file }
    const tree = getTree(top, handle)
    const folder = getFolderPath(path)
    tree.folders.set(folder, undefined)
    return { upload: { ...upload, tree: tree.id, folder }, file }
  })
  for (const path of emptyFolders) {
    const tree = getTree(getTopFolder(path) ?? path)
    tree.folders.set(path, undefined)
    const name = path.slice(path.lastIndexOf('/') + 1)
    const folder = { tree: tree.id, folder: path, kind: 'folder', name, size: 0, lastModified: 0, conflict: 'keep' } as const
    uploads.push({ upload: { ...common, id: createRandomId(), ...folder }, file: undefined })
  }
  return { trees, uploads }
}
