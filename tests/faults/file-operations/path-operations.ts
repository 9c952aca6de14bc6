import type { Model, ModelFolder } from './model.ts'
import { type Context, listOwnFolders, type Operation } from './operation.ts'
import type { State } from './state.ts'

/** Some of them are also names of files. */
const names = ['Drafts', '2026', 'notes.txt', 'README']
const maxPathDepth = 5

/** Finds or creates the folders of a path below one of the client's own folders, where the model knows which ones exist. */
export function createPath(context: Context): Operation | undefined {
  const { model, client, random, call } = context
  const tops = listOwnFolders(context).filter((folder) => model.getPath(folder).length < maxPathDepth)
  if (tops.length === 0) return undefined
  const top = random.pick(tops)
  const path = Array.from({ length: random.between(1, 2) }, () => random.pick(names))
  const given = predictNames(model, top, path)
  const add = (ids: string[]) => {
    for (const [i, id] of ids.entries()) {
      const folder = { id, parent: ids[i - 1] ?? top.id, company: '', name: given[i] ?? '', owner: client.index }
      if (!model.folders.has(id)) model.addFolder(folder)
    }
    return true
  }
  return {
    kind: 'create a path',
    send: () => call('POST', `/v1/directory/${top.id}/folders`, { paths: [path] }),
    async apply({ body }) {
      const [{ id }] = body.data
      const reply = await call('GET', `/v1/directory/${id}`)
      const above: { id: string }[] | undefined = reply?.body.data.path
      return above !== undefined && add([...above.map((item) => item.id), id].slice(-path.length))
    },
    settle(state) {
      const ids = findPath(state, top.id, given)
      return ids.length === path.length && add(ids)
    },
  }
}

/** Returns the names of the folders of a path: a folder gets a number if a file has its name. */
function predictNames(model: Model, top: ModelFolder, path: string[]): string[] {
  let folder: ModelFolder | undefined = top
  return path.map((name) => {
    let given = name
    let taken = folder && model.findTaken(folder.id, '', name)
    for (let n = 1; folder && taken?.kind === 'file'; n++) {
      given = `${name} (${n})`
      taken = model.findTaken(folder.id, '', given)
    }
    folder = taken?.kind === 'folder' ? taken : undefined
    return folder?.name ?? given
  })
}

/** Returns the ids of the folders of a path, up to the first one that doesn't exist. */
function findPath(state: State, top: string, given: string[]): string[] {
  const ids: string[] = []
  for (const name of given) {
    const parent = ids.at(-1) ?? top
    const row = [...state.folders.values()].find(
      (row) => row.parent_id === parent && row.name === name && row.deleted_at === null,
    )
    if (!row) break
    ids.push(row.id)
  }
  return ids
}
