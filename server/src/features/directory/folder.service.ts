import { type api, maxFolderDepth, maxFolders, maxPathLength, type Parsed } from '@neptune/contract'
import type { Deps } from '../../deps.ts'
import { getReach, type Reader, type Recipient, requireRight } from '../../lib/actor.ts'
import { AppError } from '../../lib/app-error.ts'
import { checkFileName, withFolderNumber } from '../../lib/names/file-name.ts'
import { toNameKey } from '../../lib/names/name-key.ts'
import { newId } from '../../lib/secrets.ts'
import { type Entry, record } from '../audit/audit.service.ts'
import { requireOpenCompany } from '../company/company.service.ts'
import { readSettings } from '../settings/settings.service.ts'
import { findDirectory } from './directory.repo.ts'
import { getTargetDirectory } from './directory.service.ts'
import { findTakenNames, insertFolders, type NewFolder, type TakenName } from './folder.repo.ts'
import { countFolders, countFoldersBelow, findPaths, type LockedDirectory, lockDirectory } from './tree.repo.ts'

type Db = Deps['db']

/** A requested folder that exists or is about to be created. */
interface Node {
  id: string
  name: string
  depth: number
  /** The length of its path from the top-level directory on. */
  length: number
  /** The folders in it, by the name key of the requested name and by that of the name they got. */
  children: Map<string, Node>
}

/** The context of finding or creating folders. */
interface Context {
  deps: Deps
  trx: Db
  actor: Reader
  directory: LockedDirectory
  created: NewFolder[]
}

/**
 * Finds or creates folders by their paths below a directory, and returns them in the same order. Works level by level, so that 500 paths
 * need only a few queries.
 */
export async function createFolders(
  deps: Deps,
  actor: Reader,
  id: string,
  { paths }: Parsed<typeof api.directory.createFolders>['body'],
): Promise<{ id: string; path: string[] }[]> {
  requireRight(actor, 'add')
  const directory = await getTargetDirectory(deps, actor, id)
  const requested = paths.map((path) => path.map(checkFolderName))
  const found = await deps.db.transaction().execute((trx) => ensureFolders(deps, trx, actor, directory.id, requested))
  return found.map((nodes) => ({ id: nodes.at(-1)?.id ?? directory.id, path: nodes.map(({ name }) => name) }))
}

/**
 * Returns the folder at a path below a directory, for an upload. Creates missing folders. `path` is the names of the folders, joined by
 * slashes.
 */
export async function ensureFolder(deps: Deps, actor: Reader, directory: string, path: string): Promise<string> {
  const names = path.split('/').map((name) => {
    const checked = checkFileName(name.trim())
    if ('problem' in checked) throw new AppError('file.name_invalid', { fields: [{ field: 'path', message: checked.problem }] })
    return checked.name
  })
  const [nodes = []] = await deps.db.transaction().execute((trx) => ensureFolders(deps, trx, actor, directory, [names]))
  return nodes.at(-1)?.id ?? directory
}

/** Returns the folders of each path, from the top down. */
async function ensureFolders(deps: Deps, trx: Db, actor: Reader, id: string, paths: string[][]): Promise<Node[][]> {
  const directory = await lockDirectory(trx, id)
  // It may have been moved while this waited for the lock.
  if (!directory || !(await findDirectory(trx, id, getReach(actor)))) throw new AppError('directory.not_found')
  await requireOpenCompany(trx, directory.company_id)
  const names = (await findPaths(trx, [id])).get(id)?.map(({ name }) => name) ?? []
  const { depth } = directory
  const top: Node = { id, name: directory.name, depth, length: names.join('/').length, children: new Map() }
  const context: Context = { deps, trx, actor, directory, created: [] }
  const nodes = paths.map(() => [top])
  for (let level = 0; ; level++) {
    const wanted = paths.flatMap((path, i) => {
      const [name, parent] = [path[level], nodes[i]?.[level]]
      return name === undefined || !parent ? [] : [{ i, parent, name }]
    })
    if (wanted.length === 0) break
    const taken = await readTaken(trx, wanted)
    for (const { i, parent, name } of wanted) nodes[i]?.push(await ensureChild(context, parent, name, taken))
  }
  await insertCreated(context)
  return nodes.map((folders) => folders.slice(1))
}

/** Reads the files and folders that have one of the wanted names, by parent and name key. */
async function readTaken(trx: Db, wanted: { parent: Node; name: string }[]): Promise<Map<string, TakenName>> {
  const parents = [...new Set(wanted.map(({ parent }) => parent.id))]
  const keys = [...new Set(wanted.map(({ name }) => toNameKey(name)))]
  return new Map((await findTakenNames(trx, parents, keys)).map((row) => [`${row.parent} ${row.name_key}`, row]))
}

/** Finds or creates a folder. If a file has its name, uses the first numbered name that no file has. */
async function ensureChild(context: Context, parent: Node, name: string, taken: Map<string, TakenName>): Promise<Node> {
  const known = parent.children.get(toNameKey(name))
  if (known) return known
  let row = taken.get(`${parent.id} ${toNameKey(name)}`)
  let candidate = name
  let node: Node | undefined
  for (let n = 1; row && !row.is_folder && !node; n++) {
    candidate = withFolderNumber(name, n)
    node = parent.children.get(toNameKey(candidate))
    row = (await findTakenNames(context.trx, [parent.id], [toNameKey(candidate)]))[0]
  }
  node ??= row ? createNode(parent, row.id, row.name) : createFolder(context, parent, candidate)
  for (const key of [name, node.name]) parent.children.set(toNameKey(key), node)
  return node
}

const createNode = (parent: Node, id: string, name: string): Node => ({
  id,
  name,
  depth: parent.depth + 1,
  length: parent.length + 1 + name.length,
  children: new Map(),
})

function createFolder({ deps, actor, directory, created }: Context, parent: Node, name: string): Node {
  const node = createNode(parent, newId(), name)
  if (node.depth > maxFolderDepth) throw new AppError('folder.too_deep')
  if (node.length > maxPathLength) throw new AppError('folder.path_too_long')
  created.push({
    id: node.id,
    company_id: directory.company_id,
    owner_id: actor.kind === 'staff' ? actor.userId : null,
    parent_id: parent.id,
    root_id: directory.root_id,
    depth: node.depth,
    name,
    created_at: deps.now().toISOString(),
    deleted_at: null,
  })
  return node
}

async function insertCreated({ deps, trx, actor, directory, created }: Context): Promise<void> {
  if (created.length === 0) return
  if ((await countFolders(trx, directory.root_id)) + created.length > maxFolders) throw new AppError('folder.too_many')
  if (actor.kind === 'recipient') await requireLinkRoom({ ...deps, db: trx }, actor, created.length)
  await insertFolders(trx, created)
  const toEntry = ({ id, company_id, name }: NewFolder) => ({ directory: id, company: company_id, name })
  await record(
    deps,
    trx,
    created.map((folder): Entry => ({ action: 'directory.created', by: actor, ...toEntry(folder) })),
  )
}

/**
 * Throws if the folders below the shared directory would outnumber the files that a link may receive. Otherwise, a recipient could use up
 * the limit of folders.
 */
async function requireLinkRoom(deps: Deps, { link }: Recipient, created: number): Promise<void> {
  const { max_files } = (await readSettings(deps)).links
  if ((await countFoldersBelow(deps.db, link.directoryId)) + created > max_files) throw new AppError('link.full')
}

function checkFolderName(typed: string): string {
  const checked = checkFileName(typed.trim())
  if ('problem' in checked) throw new AppError('request.invalid', { fields: [{ field: 'paths', message: checked.problem }] })
  return checked.name
}
