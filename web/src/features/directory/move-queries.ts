import { api, type DirectoryRow, type FileRow } from '@neptune/contract'
import { call } from '../../api/client.ts'

/** The ids of files and folders. */
export interface ItemIds {
  files: readonly string[]
  directories: readonly string[]
}

/** Where items were before they were moved: what to move back, and to which directory. */
export type Origins = readonly (ItemIds & { to: string })[]

/** The limit of one call. */
const maxBatchSize = 200

/** Moves items in batches. Returns where they were. If a batch fails, those before it stay moved. */
export async function moveItems(items: ItemIds, to: string): Promise<Origins> {
  const moved: { files: { id: string; from: string }[]; directories: { id: string; from: string }[] } = {
    files: [],
    directories: [],
  }
  for (const batch of toBatches(items)) {
    const { data } = await call(api.move.move, { body: { ...batch, to } })
    moved.files.push(...data.files)
    moved.directories.push(...data.directories)
  }
  const origins = new Set([...moved.files, ...moved.directories].map(({ from }) => from))
  return [...origins].map((from) => ({
    to: from,
    files: moved.files.filter((file) => file.from === from).map(({ id }) => id),
    directories: moved.directories.filter((directory) => directory.from === from).map(({ id }) => id),
  }))
}

export async function moveBack(origins: Origins): Promise<void> {
  for (const { to, ...items } of origins) await moveItems(items, to)
}

/** Copies items in batches. Returns the ids of the copies. */
export async function copyItems(items: ItemIds, to: string): Promise<ItemIds> {
  const copies = { files: [] as string[], directories: [] as string[] }
  for (const batch of toBatches(items)) {
    const { data } = await call(api.copy.copy, { body: { ...batch, to } })
    copies.files.push(...data.files.map(({ id }) => id))
    copies.directories.push(...data.directories.map(({ id }) => id))
  }
  return copies
}

export const toIds = ({ files, folders }: { files: readonly FileRow[]; folders: readonly DirectoryRow[] }): ItemIds => ({
  files: files.map(({ id }) => id),
  directories: folders.map(({ id }) => id),
})

/** Splits items into batches, folders first. */
function toBatches({ files, directories }: ItemIds) {
  const all = [
    ...directories.map((id) => ({ kind: 'directories' as const, id })),
    ...files.map((id) => ({ kind: 'files' as const, id })),
  ]
  return Array.from({ length: Math.ceil(all.length / maxBatchSize) }, (_, index) => {
    const batch = all.slice(index * maxBatchSize, (index + 1) * maxBatchSize)
    const pick = (kind: 'files' | 'directories') => batch.filter((item) => item.kind === kind).map(({ id }) => id)
    return { files: pick('files'), directories: pick('directories') }
  })
}
