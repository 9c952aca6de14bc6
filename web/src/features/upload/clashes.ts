import { api } from '@neptune/contract'
import { call } from '../../api/client.ts'
import type { PickedFile } from './picked-files.ts'
import type { Conflict } from './transfer.ts'

/** Beyond this nobody waits for an answer: both files are kept, which loses nothing. */
const mostNames = 2000

/** Names are alike as the server sees it: whatever their case, without dots and spaces at the end. */
const keyOf = (name: string) =>
  name
    .normalize('NFC')
    .replace(/[\s.]+$/, '')
    .toLowerCase()
    .replaceAll('ς', 'σ')

/** Which of these names the directory has already. None, if it has too many to look through or cannot be asked. */
export async function findClashes(directory: string, files: readonly PickedFile[]): Promise<string[]> {
  const taken = await namesIn(directory).catch(() => new Set<string>())
  return clashesIn(files, taken)
}

/** Each name once, as the person's own file writes it. */
export function clashesIn(files: readonly PickedFile[], taken: ReadonlySet<string>): string[] {
  const found = new Map<string, string>()
  for (const { file } of files)
    if (taken.has(keyOf(file.name)) && !found.has(keyOf(file.name))) found.set(keyOf(file.name), file.name)
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

async function namesIn(directory: string): Promise<Set<string>> {
  const names = new Set<string>()
  let cursor: string | undefined
  do {
    const { data, next } = await call(api.file.list, { query: { directory, sort: 'name', limit: 200, cursor } })
    for (const { file_name } of data) names.add(keyOf(file_name))
    cursor = next ?? undefined
  } while (cursor !== undefined && names.size < mostNames)
  return cursor === undefined ? names : new Set()
}
