import type { api, Parsed, Reply } from '@neptune/contract'
import type { Deps } from '../../deps.ts'
import { getReach, type Staff } from '../../lib/actor.ts'
import { AppError } from '../../lib/app-error.ts'
import { refreshLinks } from '../access/link-standing.service.ts'
import { record } from '../audit/audit.service.ts'
import { lockCompany } from '../company/company.repo.ts'
import { requireOpenCompany } from '../company/company.service.ts'
import { findDirectory } from '../directory/directory.repo.ts'
import { getTargetDirectory, toDirectoryAuditFields } from '../directory/directory.service.ts'
import { requireLimits } from '../directory/folder-limits.service.ts'
import { findFreeName } from '../directory/free-name.service.ts'
import {
  addToDirectoryTotals,
  countFoldersBelow,
  findPaths,
  type LockedDirectory,
  lockTrees,
  measureSubtree,
  placeFolder,
} from '../directory/tree.repo.ts'
import { type FileRecord, findFiles, placeFile } from '../file/file.repo.ts'
import { isVisible, toFileAuditFields } from '../file/file.service.ts'
import { applyCompanyChanges, type Changes, createChanges } from './company-changes.service.ts'
import { setCompanyOfFileNews, setCompanyOfTree, sumStoredIn, sumStoredOf } from './move.repo.ts'

type Db = Deps['db']
type Request = Parsed<typeof api.move.move>['body']
type Moved = Reply<typeof api.move.move>['data']

/**
 * The maximum number of files that a call moves to another company, because the rows of all these files change. Within a company, only rows
 * of folders change.
 */
const maxFilesAcrossCompanies = 10_000

/** The context of a move. */
interface Context {
  deps: Deps
  trx: Db
  actor: Staff
  to: LockedDirectory
  /** The path of `to`, for the audit log. */
  toPath: string
  firstNumbers: Map<string, number>
  changes: Changes
}

/** Moves files and folders to a directory: all of them or none. Returns the directory that each was in. */
export async function moveItems(deps: Deps, actor: Staff, request: Request): Promise<Moved> {
  const files = [...new Set(request.files)]
  const directories = [...new Set(request.directories)]
  await getTargetDirectory(deps, actor, request.to)
  const moved = await deps.db.transaction().execute(async (trx) => {
    const locked = await lockItems(trx, actor, { files, directories, to: request.to })
    await requireOpenCompanies(trx, locked)
    const toPath = await rejectMovesIntoItself(trx, directories, locked.to.id)
    const context: Context = { deps, trx, actor, to: locked.to, toPath, firstNumbers: new Map(), changes: createChanges() }
    const result: Moved = { files: [], directories: [] }
    for (const id of directories) result.directories.push({ id, from: await moveFolder(context, id) })
    for (const file of locked.files) result.files.push({ id: file.id, from: await moveFile(context, file) })
    if (context.changes.files > maxFilesAcrossCompanies) throw new AppError('move.too_large')
    await applyCompanyChanges(deps, trx, context.changes, (entries) => record(deps, trx, entries))
    return { result, left: [...context.changes.companies.keys()] }
  })
  const scopes = [...files.map((file_id) => ({ file_id })), ...directories.map((tree) => ({ tree }))]
  // Also refreshes links to several files, which stay in their company when a folder with their files moves to another one.
  await refreshLinks(deps, [...scopes, ...moved.left.map((several_of) => ({ several_of }))])
  return moved.result
}

interface LockedItems {
  files: FileRecord[]
  directories: LockedDirectory[]
  to: LockedDirectory
}

/** Locks all trees that the move changes, and then reads the items again. Throws if the actor may not see or move one of them. */
async function lockItems(trx: Db, actor: Staff, { files: ids, directories, to }: Request): Promise<LockedItems> {
  for (;;) {
    const before = await readFiles(trx, actor, ids)
    const locked = await lockTrees(trx, [...new Set([...before.map((file) => file.directory_id), ...directories, to])])
    const files = await readFiles(trx, actor, ids)
    if (files.some(({ directory_id }) => !locked.has(directory_id))) continue // moved before it was locked
    const target = locked.get(to)
    const folders = directories.flatMap((id) => locked.get(id) ?? [])
    for (const id of [...directories, to]) {
      const directory = await findDirectory(trx, id, getReach(actor))
      if (!directory || directory.deleted_at !== null) throw new AppError('directory.not_found')
    }
    if (folders.some(({ parent_id }) => parent_id === null)) throw new AppError('directory.top_level')
    if (!target) throw new AppError('directory.not_found')
    return { files, directories: folders, to: target }
  }
}

async function readFiles(trx: Db, actor: Staff, ids: string[]): Promise<FileRecord[]> {
  if (ids.length === 0) return []
  const files = (await findFiles(trx, ids, getReach(actor))).filter(isVisible)
  if (files.length < ids.length) throw new AppError('file.not_found')
  const byId = new Map(files.map((file) => [file.id, file]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

async function requireOpenCompanies(trx: Db, { files, directories, to }: LockedItems): Promise<void> {
  const companies = [...new Set([to, ...files, ...directories].map(({ company_id }) => company_id))].toSorted()
  for (const id of companies) {
    // The bytes of both companies change, so a shared lock isn't enough.
    if (companies.length > 1) await lockCompany(trx, id)
    await requireOpenCompany(trx, id)
  }
}

/** Throws if the target is one of the folders or is below one of them. Returns the path of the target. */
async function rejectMovesIntoItself(trx: Db, directories: string[], to: string): Promise<string> {
  const path = (await findPaths(trx, [to])).get(to) ?? []
  if (path.some(({ id }) => directories.includes(id))) throw new AppError('move.into_itself')
  return path.map(({ name }) => name).join('/')
}

/** Moves a folder with everything in it. Returns the directory it was in. */
async function moveFolder({ deps: _, trx, actor, to, toPath, firstNumbers, changes }: Context, id: string): Promise<string> {
  // Reads the folder again, because moving another item may have changed its depth and totals.
  const folder = (await lockTrees(trx, [id])).get(id)
  if (!folder || folder.parent_id === null) throw new AppError('directory.not_found')
  const { parent_id: from, company_id, files, bytes } = folder
  if (from === to.id) return from
  const fromPath = await readPath(trx, from)
  const name = await findFreeName(trx, to.id, folder.name, { isFolder: true, firstNumbers })
  const folders = folder.root_id === to.root_id ? 0 : (await countFoldersBelow(trx, id)) + 1
  await requireLimits(trx, to, { name, below: await measureSubtree(trx, id), folders })
  await addToDirectoryTotals(trx, from, { files: -files, bytes: -bytes })
  await placeFolder(trx, folder, to, name)
  await addToDirectoryTotals(trx, to.id, { files, bytes })
  const entry = { action: 'directory.moved' as const, by: actor, ...toDirectoryAuditFields(folder), name }
  if (company_id !== to.company_id) {
    const stored = await sumStoredIn(trx, id)
    if (changes.files + stored.files > maxFilesAcrossCompanies) throw new AppError('move.too_large')
    const links = await setCompanyOfTree(trx, id, to.company_id)
    changes.add({ from: company_id, to: to.company_id, files, links, stored })
  }
  changes.record(entry, { company: to.company_id, fromPath, toPath })
  return from
}

/** Moves a file. Returns the directory it was in. */
async function moveFile({ trx, actor, to, toPath, firstNumbers, changes }: Context, file: FileRecord): Promise<string> {
  const { id, directory_id: from, size } = file
  if (from === to.id) return from
  // Reads the company again: the file may already have moved there, together with its folder.
  const company_id = (await lockTrees(trx, [from])).get(from)?.company_id ?? file.company_id
  const fromPath = await readPath(trx, from)
  const name = await findFreeName(trx, to.id, file.name, { firstNumbers })
  await addToDirectoryTotals(trx, from, { files: -1, bytes: -size })
  await placeFile(trx, id, { directory_id: to.id, company_id: to.company_id, name })
  await addToDirectoryTotals(trx, to.id, { files: 1, bytes: size })
  const entry = {
    action: 'file.moved' as const,
    by: actor,
    ...toFileAuditFields({ ...file, company_id }),
    directory: to.id,
    name,
  }
  if (company_id !== to.company_id) {
    const links = await setCompanyOfFileNews(trx, id, to.company_id)
    changes.add({ from: company_id, to: to.company_id, files: 1, links, stored: await sumStoredOf(trx, id) })
  }
  changes.record(entry, { company: to.company_id, fromPath, toPath })
  return from
}

const readPath = async (trx: Db, id: string): Promise<string> =>
  ((await findPaths(trx, [id])).get(id) ?? []).map(({ name }) => name).join('/')
