import type { ApiError } from '../../../api/api-error.ts'
import type { SavedTree } from '../state/upload-job.ts'
import type { UploadStorage } from '../upload-storage.ts'
import { type CreateFolders, createBatch, foldersPerRequest } from './folder-batches.ts'

interface Tree extends SavedTree {
  folders: Map<string, string | undefined>
  /** The errors of folders that the server rejected. */
  refusals: Map<string, ApiError>
  /** The request that is running. */
  pending: Promise<void> | undefined
}

export type UploadTrees = ReturnType<typeof createUploadTrees>

/**
 * Owns the folder trees that are being uploaded, and creates their folders when their files need them. The ids are stored, so that after a
 * reload the remaining files go to the same folders, even if they were moved or renamed.
 */
export function createUploadTrees(storage: UploadStorage, create: CreateFolders) {
  const trees = new Map<string, Tree>()

  /** Creates this folder and the next ones of the tree, unless a request is already running. */
  async function createNext(tree: Tree, path: string) {
    const others = [...tree.folders.keys()].filter(
      (other) => other !== path && tree.folders.get(other) === undefined && !tree.refusals.has(other),
    )
    const batch = tree.refusals.has(path) ? [path] : [path, ...others.slice(0, foldersPerRequest - 1)]
    for (const result of await createBatch(create, tree.directory.id, batch)) {
      if ('id' in result) tree.folders.set(result.path, result.id)
      else tree.refusals.set(result.path, result.error)
    }
    void save(tree)
  }

  const save = ({ refusals: _, pending: __, ...tree }: Tree) => storage.putTree(tree)

  return {
    find: (id: string | undefined): SavedTree | undefined => (id === undefined ? undefined : trees.get(id)),

    add(tree: SavedTree): void {
      const added = { ...tree, folders: new Map(tree.folders), refusals: new Map(), pending: undefined }
      trees.set(tree.id, added)
      void save(added)
    },

    /** Returns the id of a folder, which is created first if necessary. */
    async getFolderId(treeId: string, path: string): Promise<string> {
      const tree = trees.get(treeId)
      if (!tree) throw new Error('The tree of this upload is missing.')
      for (;;) {
        const id = tree.folders.get(path)
        if (id !== undefined) return id
        const refusal = tree.refusals.get(path)
        if (refusal) throw refusal
        tree.pending ??= createNext(tree, path).finally(() => {
          tree.pending = undefined
        })
        await tree.pending
      }
    },

    /** Lets a retry create the folders that were rejected. */
    forgetRefusals(): void {
      for (const { refusals } of trees.values()) refusals.clear()
    },

    /** Removes trees without unfinished uploads. */
    keepOnly(usedIds: ReadonlySet<string | undefined>): void {
      const unusedIds = [...trees.keys()].filter((id) => !usedIds.has(id))
      for (const id of unusedIds) trees.delete(id)
      if (unusedIds.length > 0) void storage.removeTrees(unusedIds)
    },
  }
}
