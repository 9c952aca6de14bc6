import { t } from '../../i18n/t.ts'
import { findDifference } from './files/file-identity.ts'
import { canRead } from './files/picked-files.ts'
import { getPath, type UploadJob } from './state/upload-job.ts'
import type { UploadStore } from './state/upload-store.ts'

/**
 * Matches files that were chosen again with the uploads that need them. If the upload `forId` finds no match, its row shows why the
 * first file doesn’t fit.
 */
export async function supplyFiles(store: UploadStore, files: readonly File[], forId?: string): Promise<void> {
  const jobsByName = Map.groupBy(store.selectByState('fileless'), ({ name }) => name)
  for (const file of files) {
    for (const job of jobsByName.get(file.name) ?? []) {
      if (store.find(job.id)?.state.kind !== 'fileless') continue
      if ((await findDifference(job, file).catch(() => 'unreadable')) !== undefined) continue
      store.apply(job.id, 'supplyFile', file)
      break
    }
  }
  const [unmatched] = forId === undefined ? [] : store.selectByState('fileless', [forId])
  if (!unmatched || !files[0]) return
  const difference = await findDifference(unmatched, files[0]).catch(() => t('That file can’t be read.'))
  reject(store, unmatched, difference ?? t('That file already belongs to another upload.'))
}

/**
 * Matches the files of a folder that was chosen again with the uploads that need them, by path and size. Without `tree`, matches the
 * uploads of all trees. If some bytes of a file were already sent, the whole file must be the same.
 */
export async function supplyFolder(store: UploadStore, files: readonly File[], tree?: string): Promise<void> {
  const fileByPath = new Map(files.map((file) => [file.webkitRelativePath, file]))
  const needed = store
    .selectByState('fileless')
    .filter((job) => job.tree !== undefined && (tree === undefined || job.tree === tree))
  for (const job of needed) {
    const file = fileByPath.get(getPath(job))
    if (!file) {
      store.apply(job.id, 'rejectFile', t('The folder you chose doesn’t contain this file.'))
      continue
    }
    const known = job.upload === undefined ? { name: job.name, size: job.size, lastModified: file.lastModified } : job
    const difference = await findDifference(known, file).catch(() => t('That file can’t be read.'))
    if (difference === undefined) store.apply(job.id, 'supplyFile', file)
    else reject(store, job, difference)
  }
  const missing = store.selectByState(
    'fileless',
    needed.map(({ id }) => id),
  ).length
  if (missing > 0) store.announce(t('{n} to choose again', { n: missing }))
}

function reject(store: UploadStore, { id, name }: UploadJob, reason: string) {
  const problem = t('{reason} Choose the original “{name}”, or cancel.', { reason, name })
  store.apply(id, 'rejectFile', problem)
  store.announce(problem)
}

/** Asks the browser for permission to read the files again. Browsers allow that only right after a click. */
export async function requestFileAccess(store: UploadStore, ids?: readonly string[]): Promise<void> {
  /** The files of a tree share a handle, and one answer. */
  const answers = new Map<FileSystemHandle, Promise<boolean>>()
  const ask = (handle: FileSystemHandle) => {
    const answer = answers.get(handle) ?? canRead(handle, true)
    answers.set(handle, answer)
    return answer
  }
  for (const { id, handle } of store.selectByState('fileless', ids)) {
    if (!handle) continue
    if (await ask(handle)) store.apply(id, 'allowAccess')
    else if (ids) store.apply(id, 'denyAccess')
  }
}
