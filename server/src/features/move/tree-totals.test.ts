import { expect, it } from 'vitest'
import { openTree, type Tree } from '../directory/testing.ts'
import { checkFiles, type Finding } from '../integrity/integrity.service.ts'
import { dayMs } from '../link/testing.ts'
import { emptyTrash } from '../trash/trash.service.ts'

/** A file or folder in the model of the trees. */
interface Item {
  id: string
  parent: string | undefined
  size: number
  isFolder: boolean
  /** The id of the item that was deleted: this item, or a folder that contains it. Undefined if it is not in the trash. */
  trashedWith: string | undefined
}

/** Returns a generator of numbers below `max` that depend only on the seed. */
function createRandom(seed: number) {
  let state = seed
  return (max: number) => {
    state = (state * 1103515245 + 12345) % 2147483648
    return Math.floor((state / 2147483648) * max)
  }
}

function createModel(roots: string[]) {
  const items = new Map<string, Item>()
  const add = (item: Item) => items.set(item.id, item)
  for (const id of roots) add({ id, parent: undefined, size: 0, isFolder: true, trashedWith: undefined })
  const childrenOf = (id: string) => [...items.values()].filter(({ parent }) => parent === id)
  const isLive = ({ trashedWith }: Item) => trashedWith === undefined
  const below = (id: string): Item[] => childrenOf(id).flatMap((item) => [item, ...below(item.id)])
  return {
    items,
    add,
    below,
    listLive: (kind: 'folder' | 'file') =>
      [...items.values()].filter((item) => item.isFolder === (kind === 'folder') && isLive(item)),
    trashed: () => [...items.values()].filter(({ id, trashedWith }) => trashedWith === id),
    /** Moves an item and everything below it to the trash. What is already there remains separate. */
    trash(id: string) {
      for (const item of [items.get(id), ...below(id)]) if (item && isLive(item)) item.trashedWith = id
    },
    restore(id: string, parent: string | undefined) {
      for (const item of items.values()) if (item.trashedWith === id) item.trashedWith = undefined
      const item = items.get(id)
      if (item) item.parent = parent
    },
    liveAncestor(id: string): string | undefined {
      for (let at = items.get(id)?.parent; at !== undefined; at = items.get(at)?.parent)
        if (items.get(at)?.trashedWith === undefined) return at
      return undefined
    },
    totals(id: string) {
      const files = below(id).filter((item) => !item.isFolder && isLive(item))
      return { files: files.length, size: files.reduce((sum, { size }) => sum + size, 0) }
    },
  }
}

async function findFaults({ deps }: Tree): Promise<Finding[]> {
  const found: Finding[] = []
  await checkFiles(deps, { isScrub: false, isRepair: false, isAlone: false, report: (finding) => void found.push(finding) })
  return found
}

it('counts the files of every directory correctly after random changes', async () => {
  await using tree = await openTree()
  const empty = await tree.addDirectory(tree.kim, 'Empty')
  const target = await tree.addDirectory(tree.kim, 'Target')
  const model = createModel([empty, target])
  const random = createRandom(7)
  const pick = <T>(list: T[]): T | undefined => list[random(list.length)]
  const pickFolder = () => pick(model.listLive('folder'))?.id ?? empty
  const steps: Record<string, () => Promise<void>> = {
    async create() {
      const parent = pickFolder()
      const reply = await tree.send('POST', '/v1/directory', tree.kim, { directory: `f${model.items.size}`, parent })
      expect(reply.status).toBe(200)
      model.add({ id: reply.data.id, parent, size: 0, isFolder: true, trashedWith: undefined })
    },
    async upload() {
      const parent = pickFolder()
      const name = 'x'.repeat(1 + random(20))
      const { id } = await tree.upload(parent, name)
      model.add({ id, parent, size: name.length, isFolder: false, trashedWith: undefined })
    },
    async move() {
      const item = pick([...model.listLive('folder'), ...model.listLive('file')].filter(({ parent }) => parent !== undefined))
      const to = pickFolder()
      if (!item) return
      const isInside = to === item.id || model.below(item.id).some(({ id }) => id === to)
      const { status } = await tree.move({ [item.isFolder ? 'directories' : 'files']: [item.id], to } as { to: string })
      expect(status).toBe(isInside ? 409 : 200)
      if (!isInside) item.parent = to
    },
    async trash() {
      const item = pick([...model.listLive('folder'), ...model.listLive('file')].filter(({ parent }) => parent !== undefined))
      if (!item) return
      await tree.send('DELETE', `/v1/${item.isFolder ? 'directory' : 'file'}/${item.id}`, tree.kim)
      model.trash(item.id)
    },
    async restore() {
      const item = pick(model.trashed())
      const parent = item && model.liveAncestor(item.id)
      if (!item || parent === undefined) return
      const reply = item.isFolder
        ? await tree.send('POST', `/v1/directory/${item.id}/restore`, tree.kim)
        : await tree.send('POST', '/v1/file/restore', tree.kim, { ids: [item.id] })
      expect(reply.status).toBe(200)
      model.restore(item.id, parent)
    },
    async purge() {
      if (random(4) > 0) return
      tree.advance(40 * dayMs)
      await emptyTrash(tree.deps)
      for (const { id } of model.trashed())
        for (const gone of [id, ...model.below(id).map((item) => item.id)]) model.items.delete(gone)
    },
  }
  const names = ['create', 'create', 'upload', 'upload', 'upload', 'move', 'move', 'trash', 'restore', 'restore', 'purge']
  for (let step = 0; step < 150; step++) {
    await steps[pick(names) ?? 'create']?.()
    if (step % 10 !== 9) continue
    for (const { id } of model.listLive('folder')) expect(await tree.readTotals(id), `step ${step}`).toEqual(model.totals(id))
    expect(await findFaults(tree), `step ${step}`).toEqual([])
  }
})
