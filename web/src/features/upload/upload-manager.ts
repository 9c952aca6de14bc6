import { canRetry, isActive, type UploadJob, type UploadTarget } from './state/upload-job.ts'
import { createUploadStore, type UploadStore } from './state/upload-store.ts'
import { requestFileAccess, supplyFiles, supplyFolder } from './supply-files.ts'
import type { TusClient } from './transport/tus.ts'
import type { CreateFolders } from './trees/folder-batches.ts'
import { planUploads, type UploadRequest } from './trees/plan-tree.ts'
import { createUploadTrees, type UploadTrees } from './trees/upload-trees.ts'
import { createUploadRunner, type UploadRunner } from './upload-runner.ts'
import type { SavedUploads, UploadStorage } from './upload-storage.ts'
import { describeStart } from './upload-texts.ts'

interface Parts {
  tus: TusClient
  storage: UploadStorage
  store: UploadStore
  trees: UploadTrees
  runner: UploadRunner
}

export type UploadManager = ReturnType<typeof createUploadManager>

/** Manages the uploads of a page, independent of the user interface. */
export function createUploadManager(tus: TusClient, createFolders: CreateFolders, storage: UploadStorage) {
  const store = createUploadStore()
  const trees = createUploadTrees(storage, createFolders)
  const runner = createUploadRunner(tus, storage, store, trees)
  const parts: Parts = { tus, storage, store, trees, runner }

  return {
    subscribe: store.subscribe,
    read: store.read,

    /** Queues files and folders. */
    add(request: UploadRequest, directory: UploadTarget): void {
      const user = store.getUser()
      if (user === undefined) return
      const planned = planUploads(request, directory, user)
      for (const tree of planned.trees) trees.add(tree)
      const addedIds = planned.uploads.map(({ upload, file }) => store.add(upload, file).id)
      store.announce(describeStart(request, directory))
      void runner.save(addedIds)
      startAndNotify(parts)
    },

    ...createListActions(parts),

    async supplyFiles(files: readonly File[], forId?: string): Promise<void> {
      await supplyFiles(store, files, forId)
      startAndNotify(parts)
    },
    /** Matches the files of a folder that was chosen again with the uploads that need them: those of the tree, if one is given. */
    async supplyFolder(files: readonly File[], tree?: string): Promise<void> {
      await supplyFolder(store, files, tree)
      startAndNotify(parts)
    },
    async requestFileAccess(ids?: readonly string[]): Promise<void> {
      await requestFileAccess(store, ids)
      startAndNotify(parts)
    },

    /** Retries all waiting uploads now, because the network is back. */
    retryWaiting: runner.retryWaiting,

    ...createUserActions(parts),
  }
}

/** Actions on the uploads with the given ids; on all uploads by default. */
const createListActions = (parts: Parts) => ({
  pause: (ids?: readonly string[]) => setPaused(parts, parts.store.select(ids).filter(isActive), 'pause'),
  resume: (ids?: readonly string[]) => setPaused(parts, parts.store.selectByState('paused', ids), 'resume'),

  retry(ids?: readonly string[]): void {
    parts.trees.forgetRefusals()
    for (const { id } of parts.store.select(ids).filter(canRetry)) parts.store.apply(id, 'retry')
    startAndNotify(parts)
  },

  /** Removes unfinished uploads, here and on the server. A finished one stays in the list: its file has arrived. */
  cancel(ids: readonly string[]): void {
    for (const job of parts.store.select(ids)) parts.runner.cancel(job)
    void parts.storage.remove(ids)
    parts.trees.keepOnly(parts.store.listTreeIds())
    startAndNotify(parts)
  },

  /** Removes finished uploads from the list. */
  clearFinished(ids?: readonly string[]): void {
    parts.store.remove(parts.store.selectByState('done', ids).map(({ id }) => id))
    parts.store.notify()
  },
})

const createUserActions = (parts: Parts) => ({
  /** Sets the current user. Their uploads resume; those of other users stop and are hidden. */
  setUser(user: string | undefined): void {
    const { storage, store, runner } = parts
    if (user === store.getUser()) return
    for (const { id } of store.select().filter(isActive)) {
      runner.stop(id)
      store.apply(id, 'endSession')
    }
    store.announce('')
    store.setUser(user)
    for (const { id } of store.select()) store.apply(id, 'startSession')
    startAndNotify(parts)
    if (user === undefined) return
    void storage.adopt(user, (saved) => adoptUploads(parts, saved))
  },

  /** Discards all uploads after a deliberate sign-out. The server removes unfinished ones by itself. */
  discardAll(): void {
    const { storage, store, runner, trees } = parts
    const ids = store.listIdsOfAllUsers()
    for (const id of ids) runner.stop(id)
    void storage.remove(ids)
    store.remove(ids)
    trees.keepOnly(new Set())
    store.notify()
  },
})

function adoptUploads(parts: Parts, { uploads, trees: savedTrees }: SavedUploads) {
  const { store, trees } = parts
  for (const tree of savedTrees) if (!trees.find(tree.id)) trees.add(tree)
  for (const saved of uploads) {
    const handle = saved.handle ?? trees.find(saved.tree)?.handle
    if (store.find(saved.id)) continue
    void loadProgress(parts, store.add({ ...saved, handle }))
    // With neither an upload to resume nor a file to read, there is nothing to try.
    if (!handle && saved.upload === undefined && saved.kind !== 'folder') store.apply(saved.id, 'loseFile')
  }
  trees.keepOnly(store.listTreeIds())
  startAndNotify(parts)
}

/** Starts queued uploads and notifies the subscribers. Call it after every change. */
function startAndNotify({ runner, store }: Parts) {
  runner.startQueued()
  store.notify()
}

function setPaused(parts: Parts, jobs: readonly UploadJob[], transition: 'pause' | 'resume') {
  for (const { id } of jobs) {
    parts.runner.stop(id)
    parts.store.apply(id, transition)
  }
  void parts.runner.save(jobs.map(({ id }) => id))
  startAndNotify(parts)
}

/** Loads the progress of a paused upload, which would otherwise look as if nothing had been sent. */
async function loadProgress({ tus, store }: Parts, { id, upload, state }: UploadJob) {
  if (upload === undefined || state.kind !== 'paused') return
  const status = await tus.getStatus(upload, AbortSignal.timeout(30_000)).catch(() => undefined)
  if (status) store.apply(id, 'loadProgress', status.offset)
}
