import { vi } from 'vitest'
import { ApiError, createNetworkError } from '../../api/api-error.ts'
import type { PickedFile } from './files/picked-files.ts'
import type { SavedTree, SavedUpload } from './state/upload-job.ts'
import type { NewUpload, TusClient } from './transport/tus.ts'
import { createUploadManager } from './upload-manager.ts'
import type { UploadStorage } from './upload-storage.ts'

export const target = { id: 'd', name: 'Contracts' }
export const createPickedFile = (path = 'Offer.pdf', text = 'abcdef', handle?: FileSystemHandle) => ({
  file: new File([text], path.slice(path.lastIndexOf('/') + 1), { lastModified: 1 }),
  path,
  handle,
  conflict: 'keep' as const,
})

export const createRequest = (...files: (PickedFile & { conflict: 'keep' })[]) => ({ files, emptyFolders: [] as string[] })

/** Creates a storage in memory. */
const createStorage = (stored: Map<string, SavedUpload>, storedTrees: Map<string, SavedTree>): UploadStorage => ({
  async put(rows) {
    for (const row of rows) stored.set(row.id, row)
  },
  async remove(ids) {
    for (const id of ids) stored.delete(id)
  },
  async putTree(tree) {
    storedTrees.set(tree.id, { ...tree, folders: new Map(tree.folders) })
  },
  async removeTrees(ids) {
    for (const id of ids) storedTrees.delete(id)
  },
  async adopt(user, onAdopted) {
    const uploads = [...stored.values()].filter((row) => row.user === user)
    onAdopted({ uploads, trees: [...storedTrees.values()].filter((row) => row.user === user) })
  },
})

/** Creates an in-memory server that can simulate faults, and an in-memory storage. */
export function setUp() {
  const uploads = new Map<string, NewUpload & { bytes: string; isComplete: boolean }>()
  const stored = new Map<string, SavedUpload>()
  const storedTrees = new Map<string, SavedTree>()
  const folders: string[] = []
  /** Folders that the server refuses. */
  const refusedFolders: string[] = []
  const patches: { id: string; offset: number }[] = []
  const faults: (() => Promise<never> | undefined)[] = []
  const simulateFault = async () => faults.shift()?.()
  const find = (id: string) => {
    const upload = uploads.get(id)
    if (!upload) throw new ApiError('reply', '', { status: 404 })
    return upload
  }
  const tus: TusClient = {
    async create(upload) {
      await simulateFault()
      const id = `u${uploads.size + 1}`
      uploads.set(id, { ...upload, bytes: '', isComplete: false })
      return { id, offset: 0, file: undefined, isDirect: false }
    },
    async getStatus(id) {
      await simulateFault()
      const { bytes, isComplete } = find(id)
      return { offset: bytes.length, file: isComplete ? `file of ${id}` : undefined, isDirect: false }
    },
    async append(id, rest, { offset }, signal, onSent) {
      patches.push({ id, offset })
      const text = await rest.text()
      const upload = find(id)
      if (upload.bytes.length !== offset) throw new ApiError('upload.wrong_offset', '', { status: 409 })
      upload.bytes += text.slice(0, 2)
      onSent(2)
      await simulateFault()
      signal.throwIfAborted()
      upload.bytes += text.slice(2)
      onSent(text.length)
      upload.isComplete = true
      await simulateFault()
      return { offset: upload.bytes.length, file: `file of ${id}`, isDirect: false }
    },
    async remove(id) {
      uploads.delete(id)
    },
  }
  const storage = createStorage(stored, storedTrees)
  const createFolders = async (directory: string, paths: readonly string[]) => {
    await simulateFault()
    const refused = paths.find((path) => refusedFolders.includes(path))
    if (refused !== undefined) throw new ApiError('folder.too_deep', `No ${refused}.`, { status: 409 })
    folders.push(...paths.filter((path) => !folders.includes(path)))
    return paths.map((path) => `${directory}:${path}`)
  }
  const open = () => {
    const manager = createUploadManager(tus, createFolders, storage)
    manager.setUser('kim')
    return manager
  }
  return { uploads, stored, storedTrees, folders, refusedFolders, patches, faults, open, manager: open() }
}

export const getStates = (manager: ReturnType<typeof createUploadManager>) => manager.read().jobs.map(({ state }) => state.kind)
export const settle = () => vi.advanceTimersByTimeAsync(500)
export const failNetwork = () => Promise.reject(createNetworkError())
export const hang = () => new Promise<never>(() => {})
