import { api } from '@neptune/contract'
import { call } from '../../../api/client.ts'
import type { ConflictResolution } from '../state/upload-job.ts'
import type { PickedFile } from './picked-files.ts'

/** With more names, checking would take too long. Both files are kept then, so nothing is lost. */
const maxNames = 2000
/** The limit of one call. */
const maxNamesPerCall = 200

/** Normalizes a name for comparison as the server does: ignores case, and dots and spaces at the end. */
const normalizeName = (name: string) =>
  name
    .normalize('NFC')
    .replace(/[\s.]+$/, '')
    .toLowerCase()
    .replaceAll('ς', 'σ')

/**
 * A name that is taken, as written in the user’s own file. `links` is how many active links to the existing file would show a replacement,
 * and `pinned` how many keep showing an older version.
 */
export interface Clash {
  name: string
  /** The id of the file that has this name. */
  id: string
  links: number
  pinned: number
}

/** The server stops counting links here. */
export const maxCountedLinks = 100

/**
 * Returns which of these names are taken in the directory. Returns none if there are too many to check, or if the server does
 * not answer.
 */
export async function findClashes(directory: string, files: readonly PickedFile[]): Promise<Clash[]> {
  const names = getDistinctNames(files)
  if (names.length > maxNames) return []
  try {
    const clashes: Clash[] = []
    for (let start = 0; start < names.length; start += maxNamesPerCall) {
      const body = { directory, names: names.slice(start, start + maxNamesPerCall) }
      clashes.push(...(await call(api.file.clashes, { body })).data)
    }
    return clashes
  } catch {
    return []
  }
}

/** Returns each name once, ignoring differences in case. */
export function getDistinctNames(files: readonly PickedFile[]): string[] {
  const nameByKey = new Map<string, string>()
  for (const { file } of files) {
    const key = normalizeName(file.name)
    if (!nameByKey.has(key)) nameByKey.set(key, file.name)
  }
  return [...nameByKey.values()]
}

/**
 * Adds to each file how to handle a name that is taken. If several files have the same name, only the first one replaces: the others
 * would replace it in turn.
 */
export function addConflictResolutions(files: readonly PickedFile[], choices: Readonly<Record<string, ConflictResolution>>) {
  const namesToReplace = new Set(
    Object.entries(choices)
      .filter(([, choice]) => choice === 'replace')
      .map(([name]) => normalizeName(name)),
  )
  return files.map((picked) => ({
    ...picked,
    // `delete` returns true only for the first file with that name.
    conflict: namesToReplace.delete(normalizeName(picked.file.name)) ? ('replace' as const) : ('keep' as const),
  }))
}
