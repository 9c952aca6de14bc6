import { setImmediate as nextTurn } from 'node:timers/promises'
import { type api, maxFolders, type Parsed, type Reply } from '@neptune/contract'
import type { Deps } from '../../deps.ts'
import { getReach, type Staff } from '../../lib/actor.ts'
import { AppError } from '../../lib/app-error.ts'
import { withNumber } from '../../lib/names/file-name.ts'
import { toNameKey } from '../../lib/names/name-key.ts'
import { newBlobId, newId } from '../../lib/secrets.ts'
import { type Entry, record } from '../audit/audit.service.ts'
import { requireOpenCompany } from '../company/company.service.ts'
import { addToTotals } from '../company/company-total.repo.ts'
import { findDirectory } from '../directory/directory.repo.ts'
import { getTargetDirectory } from '../directory/directory.service.ts'
import { findTakenNames, insertFolders } from '../directory/folder.repo.ts'
import { requireLimits } from '../directory/folder-limits.service.ts'
import { findFreeName } from '../directory/free-name.service.ts'
import { addToDirectoryTotals, countFolders, type LockedDirectory, lockTrees, measureSubtree } from '../directory/tree.repo.ts'
import { type FileRecord, findFiles } from '../file/file.repo.ts'
import { isVisible } from '../file/file.service.ts'
import { chargeCompany } from '../quota/quota.service.ts'
import { takeSlot } from '../throttle/throttle.service.ts'
import { addReferences } from '../version/shared-blob.repo.ts'
import { insertFiles, lockFileRows, placeCopiedFile, placeCopiedFolder, revealFolders, touchStage } from './copy.repo.ts'
import { type CopyPlan, type PlannedFolder, planCopy } from './copy-plan.service.ts'
import { discardCopy, sumBy } from './discard-copy.service.ts'

type Db = Deps['db']
type Request = Parsed<typeof api.copy.copy>['body']
type Copied = Reply<typeof api.copy.copy>['data']

/** Small enough that one transaction takes about ten milliseconds. */
const filesPerSlice = 100
const foldersPerSlice = 300
const maxCopiesPerUser = 2

/** The context of a copy. */
interface Context {
  deps: Deps
  actor: Staff
  plan: CopyPlan
  /** The ids of the hidden folder and of its company. */
  stage: string
  company: string
  signal: AbortSignal
}

/**
 * Copies files and folders to a directory: all of them or none. The copies share the bytes of the originals, which are not read. Inserts
 * their rows in slices below a hidden folder, so that the server can handle other requests in between, and makes all of them visible in one
 * short transaction. If the copy fails or the client disconnects, the rows are discarded. If the process dies, a scheduled job discards
 * them.
 */
export async function copyItems(deps: Deps, actor: Staff, request: Request, signal: AbortSignal): Promise<Copied> {
  await using _ = await takeSlot(deps, 'server.busy', { key: ['copy', actor.userId], slots: maxCopiesPerUser })
  const target = await getTargetDirectory(deps, actor, request.to)
  const plan = await planCopy(deps, actor, request, signal)
  const context: Context = { deps, actor, plan, stage: newId(), company: target.company_id, signal }
  try {
    await createStage(context, target.id)
    const copies = new Map<string, FileRecord>()
    for (let at = 0; at < plan.files.length; at += filesPerSlice) {
      const slice = await inSlice(context, (trx) => copyFiles(context, trx, plan.files.slice(at, at + filesPerSlice)))
      for (const [id, file] of slice) copies.set(id, file)
    }
    return await deps.db.transaction().execute((trx) => reveal(context, trx, target.id, copies))
  } catch (error) {
    await discardCopy(deps, context.stage).catch((err) => deps.log.warn({ err }, 'could not discard a failed copy'))
    throw error
  }
}

/** Runs a transaction, unless the client has disconnected. Then lets the server handle other requests. */
async function inSlice<T>({ deps, stage, signal }: Context, run: (trx: Db) => Promise<T>): Promise<T> {
  if (signal.aborted) throw new AppError('server.busy')
  const result = await deps.db.transaction().execute(async (trx) => {
    const done = await run(trx)
    if (!(await touchStage(trx, stage, deps.now().toISOString()))) throw new AppError('directory.not_found')
    return done
  })
  await nextTurn()
  return result
}

/** Creates the hidden folder, and the folders of the copy in it. All of them are stored as trashed together with the hidden folder. */
async function createStage(context: Context, targetId: string): Promise<void> {
  const { deps, actor, plan, stage } = context
  const now = deps.now().toISOString()
  const hidden = { owner_id: actor.userId, company_id: context.company, created_at: now, deleted_at: now, trashed_with: stage }
  await inSlice(context, async (trx) => {
    const target = await lockTarget(context, trx, targetId)
    if ((await countFolders(trx, target.root_id)) + plan.folders.length > maxFolders) throw new AppError('folder.too_many')
    const { root_id, depth } = target
    await insertFolders(trx, [{ ...hidden, id: stage, name: 'Copy', parent_id: target.id, root_id, depth: depth + 1 }])
  })
  for (let at = 0; at < plan.folders.length; at += foldersPerSlice) {
    await inSlice(context, async (trx) => {
      const locked = (await lockTrees(trx, [stage])).get(stage)
      if (!locked) throw new AppError('directory.not_found')
      const folders = plan.folders.slice(at, at + foldersPerSlice)
      const toRow = ({ id, name, parent, level }: PlannedFolder) => {
        const position = { parent_id: parent ?? stage, root_id: locked.root_id, depth: locked.depth + level }
        return { ...hidden, id, name, ...position }
      }
      await insertFolders(trx, folders.map(toRow))
    })
  }
}

/** Locks the tree of the target and returns it. Throws if the caller has lost the right to add to it. */
async function lockTarget({ actor, company }: Context, trx: Db, id: string): Promise<LockedDirectory> {
  const target = (await lockTrees(trx, [id])).get(id)
  const directory = await findDirectory(trx, id, getReach(actor))
  if (!target || !directory || directory.deleted_at !== null || directory.company_id !== company)
    throw new AppError('directory.not_found')
  await requireOpenCompany(trx, company)
  return target
}

/** Copies some files. Returns the originals of the requested files, by the ids of their copies. */
async function copyFiles(context: Context, trx: Db, slice: CopyPlan['files']): Promise<Map<string, FileRecord>> {
  const { deps, actor, stage, company } = context
  const sources = await lockSources(context, trx, [...new Set(slice.map(({ from }) => from))])
  const created_at = deps.now().toISOString()
  const origins = new Map<string, FileRecord>()
  const rows = slice.flatMap(({ from, folder }) => {
    const source = sources.get(from)
    if (!source && folder === null) throw new AppError('file.not_found')
    if (!source) return [] // deleted after the folder was listed
    const id = newBlobId()
    if (folder === null) origins.set(id, source)
    const { name, kind, content_type, size, sha256, crc32, blob_id, thumbnail, thumbnail_id, thumbnail_size, damaged_at } = source
    const content = {
      name,
      kind,
      content_type,
      size,
      sha256,
      crc32,
      blob_id,
      thumbnail,
      thumbnail_id,
      thumbnail_size,
      damaged_at,
    }
    const owner = { company_id: company, uploaded_by: actor.userId, link_key: null }
    return [{ id, ...content, ...owner, directory_id: folder ?? stage, version: 1, created_at, deleted_at: null }]
  })
  if (rows.length === 0) return origins
  await giveFreeNames(context, trx, rows)
  await insertFiles(trx, rows)
  await addReferences(
    trx,
    rows.flatMap(({ blob_id, thumbnail_id }) => (thumbnail_id === null ? [blob_id] : [blob_id, thumbnail_id])),
  )
  for (const [id, change] of sumBy(rows, 'directory_id')) await addToDirectoryTotals(trx, id, change)
  await chargeCompany(
    deps,
    trx,
    company,
    rows.reduce((sum, { size }) => sum + size, 0),
  )
  return origins
}

/**
 * Locks the trees of the files and of the copy, and the files themselves, so that their bytes can't be removed. Returns those that the
 * caller may still see.
 */
async function lockSources({ actor, stage }: Context, trx: Db, ids: string[]): Promise<Map<string, FileRecord>> {
  const read = () => findFiles(trx, ids, getReach(actor))
  for (;;) {
    const directories = new Map((await read()).map((file) => [file.id, file.directory_id]))
    await lockTrees(trx, [...new Set([stage, ...directories.values()])])
    await lockFileRows(trx, ids)
    const files = await read()
    if (files.some(({ id, directory_id }) => directories.get(id) !== directory_id)) continue // moved before it was locked
    return new Map(files.filter(isVisible).map((file) => [file.id, file]))
  }
}

/**
 * Adds numbers to names that are taken: requested files may have the same name, and others may have been renamed since they were listed.
 */
async function giveFreeNames({ plan }: Context, trx: Db, rows: { directory_id: string; name: string }[]): Promise<void> {
  const parents = [...new Set(rows.map(({ directory_id }) => directory_id))]
  const keys = [...new Set(rows.map(({ name }) => toNameKey(name)))]
  const toNameId = (parent: string, key: string) => `${parent} ${key}`
  const taken = new Set((await findTakenNames(trx, parents, keys)).map(({ parent, name_key }) => toNameId(parent, name_key)))
  // The query doesn't find the folders of the copy, because they are still hidden.
  const folders = plan.folders.filter(({ parent }) => parent !== null && parents.includes(parent))
  for (const { parent, name } of folders) taken.add(toNameId(parent ?? '', toNameKey(name)))
  for (const row of rows) {
    const { name } = row
    for (let number = 1; taken.has(toNameId(row.directory_id, toNameKey(row.name))); number++) row.name = withNumber(name, number)
    taken.add(toNameId(row.directory_id, toNameKey(row.name)))
  }
}

/** Makes the copies visible in the target, under names that are free there. */
async function reveal(context: Context, trx: Db, targetId: string, copies: Map<string, FileRecord>): Promise<Copied> {
  const { deps, actor, plan, stage } = context
  const target = await lockTarget(context, trx, targetId)
  const staged = (await lockTrees(trx, [stage])).get(stage)
  if (!staged) throw new AppError('directory.not_found')
  const firstNumbers = new Map<string, number>()
  const result: Copied = { files: [], directories: [] }
  const entries: Entry[] = []
  const fields = { by: actor, company: context.company }
  for (const { id, from, name } of plan.folders.filter(({ parent }) => parent === null)) {
    const freeName = await findFreeName(trx, target.id, name, { isFolder: true, firstNumbers })
    await requireLimits(trx, target, { name: freeName, below: await measureSubtree(trx, id), folders: 0 })
    await placeCopiedFolder(trx, id, target, freeName)
    result.directories.push({ from, id, name: freeName })
  }
  for (const [id, source] of copies) {
    const name = await findFreeName(trx, target.id, source.name, { firstNumbers })
    await placeCopiedFile(trx, id, target.id, name)
    result.files.push({ from: source.id, id, name })
    const note = `SHA-256 ${source.sha256}`
    entries.push({ action: 'file.copied', ...fields, directory: target.id, file: id, name, size: source.size, note })
  }
  await revealFolders(trx, stage, { root_id: target.root_id, deeper: target.depth - staged.depth })
  const files = await addToDirectoryTotals(trx, target.id, { files: staged.files, bytes: staged.bytes })
  for (const { id, name } of result.directories) entries.push({ action: 'directory.copied', ...fields, directory: id, name })
  await record(deps, trx, entries)
  await addToTotals(trx, context.company, { files })
  return result
}
