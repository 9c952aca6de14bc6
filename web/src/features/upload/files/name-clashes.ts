import { api } from '@neptune/contract'
import { call } from '../../../api/client.ts'
import type { ConflictResolution } from '../state/upload-job.ts'
import { findFolders, getPathKey, normalizeName } from './existing-folders.ts'
import { getFolderPath, type PickedFile } from './picked-files.ts'
import { runInParallel } from './run-in-parallel.ts'

/** More names are not checked, because that would take too long. The server then keeps both files, so nothing is lost. */
const maxNames = 20_000
/** How many names one call accepts. */
const maxNamesPerCall = 200
const parallelCalls = 4

/**
 * A chosen file whose name is taken. `links` is how many working links to the existing file would show the replacement, and `pinned` how
 * many would keep showing an earlier version.
 */
export interface Clash {
  name: string
  /** The path of the chosen file’s folder; empty if it isn’t in a folder. */
  folder: string
  /** The id of the existing file. */
  id: string
  links: number
  pinned: number
}

/** The server stops counting links here. */
export const maxCountedLinks = 100

/**
 * Returns which of these names are taken in the directory and in its folders. Returns none if there are too many to check, or if the
 * server does not answer.
 */
export async function findClashes(directory: string, files: readonly PickedFile[]): Promise<Clash[]> {
  const namesByFolder = groupNames(files)
  if (files.length > maxNames) return []
  try {
    const folders = [...namesByFolder.keys()].filter((folder) => folder !== '')
    const idByFolder = await findFolders(directory, folders)
    idByFolder.set('', directory)
    const queries = [...namesByFolder].flatMap(([folder, names]) => {
      const id = idByFolder.get(folder)
      return id === undefined ? [] : splitNames(names).map((part) => ({ folder, body: { directory: id, names: part } }))
    })
    const clashes: Clash[] = []
    await runInParallel(queries, parallelCalls, async ({ folder, body }) => {
      const { data } = await call(api.file.clashes, { body })
      clashes.push(...data.map((clash) => ({ ...clash, folder })))
    })
    return clashes.sort((a, b) => a.folder.localeCompare(b.folder))
  } catch {
    return []
  }
}

/** Returns the names of the files in each folder, each name once, ignoring differences in case. */
export function groupNames(files: readonly PickedFile[]): Map<string, string[]> {
  const namesByFolder = new Map<string, Map<string, string>>()
  for (const { file, path } of files) {
    const folder = getFolderPath(path)
    const names = namesByFolder.get(folder) ?? new Map<string, string>()
    namesByFolder.set(folder, names)
    const key = normalizeName(file.name)
    if (!names.has(key)) names.set(key, file.name)
  }
  return new Map([...namesByFolder].map(([folder, names]) => [folder, [...names.values()]]))
}

const splitNames = (names: readonly string[]) =>
  Array.from({ length: Math.ceil(names.length / maxNamesPerCall) }, (_, index) =>
    names.slice(index * maxNamesPerCall, (index + 1) * maxNamesPerCall),
  )

/** Returns the path of the chosen file. */
export const getClashPath = ({ folder, name }: Pick<Clash, 'folder' | 'name'>) => (folder === '' ? name : `${folder}/${name}`)

/**
 * Adds to each file what to do if its name is taken. `choices` has the user’s choices by path. If several files have the same name, only
 * the first one replaces the existing file; the others would replace the first one in turn.
 */
export function addConflictResolutions(files: readonly PickedFile[], choices: ReadonlyMap<string, ConflictResolution>) {
  const pathsToReplace = new Set([...choices].filter(([, choice]) => choice === 'replace').map(([path]) => getPathKey(path)))
  return files.map((picked) => ({
    ...picked,
    // `delete` returns true only for the first file with that name.
    conflict: pathsToReplace.delete(getPathKey(picked.path)) ? ('replace' as const) : ('keep' as const),
  }))
}
