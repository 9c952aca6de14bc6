import { setImmediate as nextTurn } from 'node:timers/promises'
import { maxCopied } from '@neptune/contract'
import type { Deps } from '../../deps.ts'
import { getReach, type Staff } from '../../lib/actor.ts'
import { AppError } from '../../lib/app-error.ts'
import { newId } from '../../lib/secrets.ts'
import { findDirectory } from '../directory/directory.repo.ts'
import { findFiles } from '../file/file.repo.ts'
import { isVisible } from '../file/file.service.ts'
import { listFilesIn, listSubfolders } from './copy.repo.ts'

/** A folder to create. `parent` is the id of another planned folder, or null if this folder was requested itself. */
export interface PlannedFolder {
  id: string
  from: string
  name: string
  parent: string | null
  /** 1 for requested folders. */
  level: number
}

/** What to copy: folders, parents before their children, and files with their planned folder, which is null for requested files. */
export interface CopyPlan {
  folders: PlannedFolder[]
  files: { from: string; folder: string | null }[]
}

const foldersPerQuery = 200
const filesPerQuery = 500

/**
 * Lists the current content of the folders to copy. Throws if the caller may not see a requested item, or if there are too many items for
 * one call. Reads small pages, so that the server can handle other requests in between.
 */
export async function planCopy(
  deps: Deps,
  actor: Staff,
  request: { files: string[]; directories: string[] },
  signal: AbortSignal,
): Promise<CopyPlan> {
  const files = [...new Set(request.files)]
  const found = files.length > 0 ? (await findFiles(deps.db, files, getReach(actor))).filter(isVisible) : []
  if (found.length < files.length) throw new AppError('file.not_found')
  const plan: CopyPlan = { folders: [], files: files.map((from) => ({ from, folder: null })) }
  const requireSize = async () => {
    if (plan.folders.length + plan.files.length > maxCopied) throw new AppError('copy.too_large')
    if (signal.aborted) throw new AppError('server.busy') // the client has disconnected
    await nextTurn()
  }
  for (const from of new Set(request.directories)) {
    const directory = await findDirectory(deps.db, from, getReach(actor))
    if (!directory || directory.deleted_at !== null) throw new AppError('directory.not_found')
    plan.folders.push({ id: newId(), from, name: directory.name, parent: null, level: 1 })
  }
  // The list grows during the loop: each folder adds its subfolders.
  for (let at = 0; at < plan.folders.length; ) {
    // If a folder was requested together with a folder that contains it, it is in the plan twice.
    const targets = plan.folders.slice(at, at + foldersPerQuery)
    at += targets.length
    const sources = [...new Set(targets.map(({ from }) => from))]
    const children = Map.groupBy(await listSubfolders(deps.db, sources), ({ parent_id }) => parent_id ?? '')
    for (const { id, from, level } of targets)
      for (const child of children.get(from) ?? [])
        plan.folders.push({ id: newId(), from: child.id, name: child.name, parent: id, level: level + 1 })
    for (let after = ''; ; ) {
      const page = await listFilesIn(deps.db, sources, after, filesPerQuery)
      for (const { id: from, directory_id } of page)
        for (const { id: folder } of targets.filter((target) => target.from === directory_id)) plan.files.push({ from, folder })
      await requireSize()
      const last = page.at(-1)
      if (!last || page.length < filesPerQuery) break
      after = last.id
    }
  }
  await requireSize()
  return plan
}
