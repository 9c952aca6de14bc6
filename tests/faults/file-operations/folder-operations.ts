import { isNumbered, type ModelFile, type ModelFolder, type ModelItem, shared } from './model.ts'
import {
  type Context,
  hasRoomForNumber,
  listOwnFiles,
  listOwnFolders,
  listQuotaCodes,
  measureHeight,
  type Operation,
  pickSome,
  pickTarget,
  readAssignedName,
} from './operation.ts'
import type { State } from './state.ts'

/** Files and folders can have the same name, and some differ only in case. */
export const fileNames = ['report.pdf', 'Report.PDF', 'notes.txt', 'photo.jpg', 'README', 'Drafts']
const folderNames = ['Drafts', 'drafts', 'notes.txt', '2026', 'Plans']

const makeTopName = ({ client, random }: Context) => `${client.name} ${random.between(1, 4)}`

export function createFolder(context: Context): Operation {
  const { model, client, random, call, companies } = context
  const isTop = random.chance(0.15)
  const target = isTop ? undefined : pickTarget(context, 1)
  const company = target ? model.getCompany(target) : random.pick(companies)
  const name = target ? random.pick(folderNames) : makeTopName(context)
  const parent = target?.id ?? null
  const add = (id: string) => model.addFolder({ id, parent, company, name, owner: client.index })
  const isTaken = model.findTaken(parent, company, name) !== undefined
  return {
    kind: 'create folder',
    mustFail: isTaken && target?.owner !== shared ? ['directory.name_taken'] : undefined,
    mayFail: target?.owner === shared ? ['directory.name_taken'] : [],
    send: () => call('POST', '/v1/directory', { directory: name, ...(target ? { parent: target.id } : { client: company }) }),
    apply({ body }) {
      add(body.data.id)
      return true
    },
    settle(state) {
      const row = [...state.folders.values()].find(
        ({ id, files, ...row }) =>
          !model.folders.has(id) && row.parent_id === parent && row.name === name && row.company_id === company && files === 0,
      )
      if (row) add(row.id)
      return row !== undefined
    },
  }
}

export function rename(context: Context): Operation | undefined {
  const { model, random, call } = context
  const items: ModelItem[] = random.chance(0.6) ? listOwnFiles(context) : listOwnFolders(context)
  if (items.length === 0) return undefined
  const item = random.pick(items)
  const name = item.kind === 'file' ? random.pick(fileNames) : item.parent ? random.pick(folderNames) : makeTopName(context)
  const taken = model.findTaken(item.parent, model.getCompany(item), name)
  const isShared = item.parent !== null && model.getFolder(item.parent).owner === shared
  const codes = [item.kind === 'file' ? 'file.name_taken' : 'directory.name_taken']
  return {
    kind: 'rename',
    mustFail: taken && taken !== item && !isShared ? codes : undefined,
    mayFail: isShared ? codes : [],
    send: () =>
      item.kind === 'file'
        ? call('PATCH', `/v1/file/${item.id}`, { file_name: name })
        : call('PATCH', `/v1/directory/${item.id}`, { directory: name }),
    apply() {
      item.name = name
      return true
    },
    settle(state) {
      const row = item.kind === 'file' ? state.files.get(item.id) : state.folders.get(item.id)
      if (row?.name !== name) return false
      item.name = name
      return true
    },
  }
}

interface Chosen {
  files: ModelFile[]
  folders: ModelFolder[]
  target: ModelFolder
}

/** Chooses files and folders to move or copy, and a target. Each folder has at most `maxFolders` folders in it, including itself. */
function chooseItems(context: Context, maxFolders: number): Chosen | undefined {
  const { model, random } = context
  const files = pickSome(random, listOwnFiles(context).filter(hasRoomForNumber), random.between(0, 2))
  const movable = listOwnFolders(context)
    .filter(hasRoomForNumber)
    .filter((folder) => folder.parent !== null && model.listTree(folder).length <= maxFolders)
  const folders = pickSome(random, movable, random.between(files.length === 0 ? 1 : 0, 2))
  const target = pickTarget(context, Math.max(0, ...folders.map((folder) => measureHeight(context, folder))))
  return target && files.length + folders.length > 0 ? { files, folders, target } : undefined
}

const toRequest = ({ files, folders, target }: Chosen) => ({
  files: files.map(({ id }) => id),
  directories: folders.map(({ id }) => id),
  to: target.id,
})

export function move(context: Context): Operation | undefined {
  const { model, call, violations } = context
  const chosen = chooseItems(context, 12)
  if (!chosen) return undefined
  const { files, folders, target } = chosen
  // Folders come first, because the server moves them first, which decides which items get a number in their name.
  const moved = [...folders, ...files].filter(({ parent }) => parent !== target.id)
  const from = new Map([...folders, ...files].map(({ id, parent }) => [id, parent]))
  const isIntoItself = model.getPath(target).some((folder) => folders.includes(folder))
  return {
    kind: 'move',
    mustFail: isIntoItself ? ['move.into_itself'] : undefined,
    mayFail: listQuotaCodes(context, target),
    send: () => call('POST', '/v1/move', toRequest(chosen)),
    async apply({ body }) {
      for (const row of [...body.data.files, ...body.data.directories])
        if (row.from !== from.get(row.id)) violations.push(`${row.id} was moved from ${row.from}, not from ${from.get(row.id)}`)
      const names: string[] = []
      for (const item of target.owner === shared ? moved : []) {
        const name = await readAssignedName(context, item, item.id, target)
        if (name === undefined) return false
        names.push(name)
      }
      for (const [i, item] of moved.entries()) {
        const name = names[i] ?? model.findFreeName(target.id, item.name, item.kind)
        Object.assign(item, { parent: target.id, name })
      }
      return true
    },
    settle(state) {
      const [first] = moved
      const rowOf = (item: ModelItem) => (item.kind === 'file' ? state.files.get(item.id) : state.folders.get(item.id))
      const firstRow = first && rowOf(first)
      if (!firstRow || ('directory_id' in firstRow ? firstRow.directory_id : firstRow.parent_id) !== target.id) return false
      for (const item of moved) {
        const name = target.owner === shared ? rowOf(item)?.name : model.findFreeName(target.id, item.name, item.kind)
        Object.assign(item, { parent: target.id, name })
      }
      return true
    },
  }
}

/** An item to copy, as it was before the copy, with everything in it that is not in the trash. */
interface Source {
  item: ModelItem
  children: Source[]
}

export function copy(context: Context): Operation | undefined {
  const { model, call } = context
  const chosen = chooseItems(context, 3)
  if (!chosen) return undefined
  const toSource = (item: ModelItem): Source => ({
    item: { ...item },
    children:
      item.kind === 'file'
        ? []
        : [...model.listFoldersIn(item.id), ...model.listFilesIn(item.id)].filter((child) => model.isLive(child)).map(toSource),
  })
  const sources = [...chosen.folders, ...chosen.files].map(toSource)
  return {
    kind: 'copy',
    mayFail: ['server.busy', ...listQuotaCodes(context, chosen.target)],
    send: () => call('POST', '/v1/copy', toRequest(chosen)),
    async apply({ body }) {
      const copies = new Map<string, string>([...body.data.directories, ...body.data.files].map(({ from, id }) => [from, id]))
      const state = await context.database.readState()
      // The response has no ids of the contents of copied folders, so these come from the database.
      for (const source of sources) addCopy(context, state, source, chosen.target, copies.get(source.item.id))
      return true
    },
    settle(state) {
      const [first] = sources
      if (!first || findCopy(context, state, first, chosen.target) === undefined) return false
      for (const source of sources) addCopy(context, state, source, chosen.target)
      return true
    },
  }
}

/** Adds a copy and everything in it to the model. Predicts its name, unless the target is shared: then the name comes from the database. */
function addCopy(
  context: Context,
  state: State,
  source: Source,
  target: ModelFolder,
  id = findCopy(context, state, source, target),
) {
  const { model, client, violations } = context
  const { item } = source
  const row = item.kind === 'file' ? state.files.get(id ?? '') : state.folders.get(id ?? '')
  if (id === undefined || !row) {
    violations.push(`${item.name} (${item.id}) was not copied to ${target.name} (${target.id})`)
    return
  }
  const name = target.owner === shared ? row.name : model.findFreeName(target.id, item.name, item.kind)
  if (item.kind === 'file') {
    const version = item.versions.at(-1)
    if (version) model.addFile({ id, parent: target.id, name, owner: client.index }, version)
  } else {
    model.addFolder({ id, parent: target.id, company: '', name, owner: client.index })
    for (const child of source.children) addCopy(context, state, child, model.getFolder(id))
  }
}

/** Finds the copy of an item in a folder: something with the same content that the model doesn't have yet. */
function findCopy({ model }: Context, state: State, source: Source, target: ModelFolder): string | undefined {
  const { item } = source
  const content = describeSource(source)
  const name = target.owner === shared ? undefined : model.findFreeName(target.id, item.name, item.kind)
  const rows =
    item.kind === 'file'
      ? [...state.files.values()].filter(({ id, directory_id }) => directory_id === target.id && !model.files.has(id))
      : [...state.folders.values()].filter(({ id, parent_id }) => parent_id === target.id && !model.folders.has(id))
  const named = rows.filter((row) => (name === undefined ? isNumbered(row.name, item.name, item.kind) : row.name === name))
  return named.find((row) => ('blob_id' in row ? row.blob_id : describeFolder(state, row.id)) === content)?.id
}

/** Describes the content of a file or folder. Returns the same text for its copy. */
function describeSource({ item, children }: Source): string {
  if (item.kind === 'file') return item.versions.at(-1)?.id ?? ''
  return children
    .map((child) => `${child.item.name}: ${describeSource(child)}`)
    .toSorted()
    .join(', ')
    .replace(/^.*$/, '($&)')
}

function describeFolder(state: State, id: string): string {
  const files = [...state.files.values()].filter(({ directory_id }) => directory_id === id)
  const folders = [...state.folders.values()].filter(({ parent_id }) => parent_id === id)
  return [
    ...files.map((row) => `${row.name}: ${row.blob_id}`),
    ...folders.map((row) => `${row.name}: ${describeFolder(state, row.id)}`),
  ]
    .toSorted()
    .join(', ')
    .replace(/^.*$/, '($&)')
}
