import { api, type DirectoryRow } from '@neptune/contract'
import { call } from '../../../api/client.ts'
import { getTopFolder } from './picked-files.ts'

const rowsPerPage = 200
/** The maximum number of pages of folders to read. Folders on later pages count as new. */
const maxPages = 25

/** Normalizes a name for comparison as the server does: ignores case, and dots and spaces at the end. */
export const normalizeName = (name: string) =>
  name
    .normalize('NFC')
    .replace(/[\s.]+$/, '')
    .toLowerCase()
    .replaceAll('ς', 'σ')

export const getPathKey = (path: string) => path.split('/').map(normalizeName).join('/')

/** Returns the ids of the folders that already exist below a directory, by path. */
export async function findFolders(directory: string, paths: readonly string[]): Promise<Map<string, string>> {
  const wanted = new Map(paths.map((path) => [getPathKey(path), path]))
  const idByPath = new Map<string, string>()
  const record = (key: string, id: string) => {
    const path = wanted.get(key)
    if (path !== undefined) idByPath.set(path, id)
  }
  if (paths.length === 0) return idByPath
  const topKeys = new Set(paths.map((path) => normalizeName(getTopFolder(path) ?? path)))
  for (const top of await listFolders({ parent: directory })) {
    const topKey = normalizeName(top.directory)
    if (!topKeys.has(topKey)) continue
    record(topKey, top.id)
    if (![...wanted.keys()].some((key) => key.startsWith(`${topKey}/`))) continue
    for (const folder of await listFolders({ parent: top.id, folders: 'true' }))
      record(getPathKey([...getNamesBelow(folder, directory), folder.directory].join('/')), folder.id)
  }
  return idByPath
}

/** Returns the names of the folders between a directory and a folder in it. */
function getNamesBelow({ path }: DirectoryRow, directory: string): string[] {
  const start = path.findIndex(({ id }) => id === directory)
  return path.slice(start + 1).map(({ name }) => name)
}

async function listFolders(query: { parent: string; folders?: 'true' }): Promise<DirectoryRow[]> {
  const folders: DirectoryRow[] = []
  let cursor: string | undefined
  for (let page = 0; page < maxPages; page++) {
    const { data, next } = await call(api.directory.list, { query: { ...query, limit: rowsPerPage, cursor } })
    folders.push(...data)
    if (next === null) break
    cursor = next
  }
  return folders
}
