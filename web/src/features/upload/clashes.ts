import { api } from '@neptune/contract'
import { call } from '../../api/client.ts'
import type { PickedFile } from './picked-files.ts'
import type { Conflict } from './transfer.ts'

/** Beyond this nobody waits for an answer: both files are kept, which loses nothing. */
const mostNames = 2000
/** The most names that one call takes. */
const namesAtOnce = 200

/** Compares names as the server does: ignoring case, and dots and spaces at the end. */
const keyOf = (name: string) =>
  name
    .normalize('NFC')
    .replace(/[\s.]+$/, '')
    .toLowerCase()
    .replaceAll('ς', 'σ')

/** A name that is taken, as the person's own file writes it, and how many live links share the file that has it. */
export interface Clash {
  name: string
  links: number
}

/** The most links that the server counts. */
export const linksAtMost = 100

/**
 * Returns which of these names are taken in the directory. Returns none if there are too many to check, or if the server does
 * not answer.
 */
export async function findClashes(directory: string, files: readonly PickedFile[]): Promise<Clash[]> {
  const names = distinctNames(files)
  if (names.length > mostNames) return []
  try {
    const found: Clash[] = []
    for (let from = 0; from < names.length; from += namesAtOnce) {
      const body = { directory, names: names.slice(from, from + namesAtOnce) }
      found.push(...(await call(api.file.clashes, { body })).data)
    }
    return found
  } catch {
    return []
  }
}

/** Each name once, however often it is written. */
export function distinctNames(files: readonly PickedFile[]): string[] {
  const found = new Map<string, string>()
  for (const { file } of files) if (!found.has(keyOf(file.name))) found.set(keyOf(file.name), file.name)
  return [...found.values()]
}

/**
 * The files with what to do about each name. Where several files of one folder have the same name, only the first replaces:
 * the others would replace it in turn.
 */
export function withConflicts(files: readonly PickedFile[], choices: Readonly<Record<string, Conflict>>) {
  const replaced = new Set(
    Object.entries(choices)
      .filter(([, choice]) => choice === 'replace')
      .map(([name]) => keyOf(name)),
  )
  return files.map((picked) => ({
    ...picked,
    conflict: replaced.delete(keyOf(picked.file.name)) ? ('replace' as const) : ('keep' as const),
  }))
}
