import type { Deps } from '../../deps.ts'
import { getReach, type Reader, type Recipient, requireRight, sharesSeveralFiles } from '../../lib/actor.ts'
import { AppError } from '../../lib/app-error.ts'
import { withNumber } from '../../lib/names/file-name.ts'
import { toNameKey } from '../../lib/names/name-key.ts'
import { findDirectory, findFoldersWithin, hasDamagedFiles } from '../directory/directory.repo.ts'
import { getVisibleDirectory } from '../directory/directory.service.ts'
import { type FileRecord, findFiles } from '../file/file.repo.ts'
import { isVisible } from '../file/file.service.ts'
import { createTicket } from '../identity/ticket.service.ts'
import { listLinkFiles } from '../link/link.repo.ts'
import { rejectTooManyZips } from '../throttle/zip-limit.service.ts'

/** What a ZIP contains: a directory, files and folders of it, or the files of a link to several files. */
export interface ZipSource {
  id: string
  company_id: string
  /** The name of the directory, for the audit log and webhooks. */
  name: string
  /** The name of the archive, without its extension. */
  archive: string
  /** The directories in the ZIP. The contents of a directory without a name are at the root of the archive. */
  directories: { id: string; name: string | null; created_at: string }[]
  /** The files at the root of the archive. */
  files: FileRecord[]
  /** The chosen files and folders, which the audit log counts. Empty if everything in the directory is in the ZIP. */
  items: string[]
}

type Chosen = Pick<ZipSource, 'files' | 'directories'>

/**
 * Finds what to put into a ZIP: the given files and folders in a directory, or everything in it. Throws `directory.not_found` or
 * `file.not_found` if the caller may not see it.
 */
export async function findZipSource(deps: Deps, actor: Reader, id: string, chosen: readonly string[] = []): Promise<ZipSource> {
  requireRight(actor, 'list')
  const items = [...new Set(chosen)]
  if (actor.kind === 'recipient' && sharesSeveralFiles(actor.link)) return findSharedFiles(deps, actor, id, items)
  const { company_id, name } = await getVisibleDirectory(deps, actor, id)
  const whole: Chosen = { directories: [{ id, name: null, created_at: '' }], files: [] }
  return { id, company_id, name, archive: name, items, ...(items.length > 0 ? await findItems(deps, id, items) : whole) }
}

/** Finds files and folders that are in a directory, or in the folders below. */
async function findItems(deps: Deps, directory: string, items: string[]): Promise<Chosen> {
  const files = (await findFiles(deps.db, items, { directory })).filter(isVisible)
  const directories = await findFoldersWithin(deps.db, items, directory)
  if (files.length + directories.length < items.length) throw new AppError('file.not_found')
  const taken = new Set<string>()
  return { directories: withDistinctNames(directories, taken), files: withDistinctNames(files, taken) }
}

/** Finds the files of a link to several files. Names the archive `files`, because recipients don't learn the name of the directory. */
async function findSharedFiles(deps: Deps, actor: Recipient, id: string, chosen: string[]): Promise<ZipSource> {
  const { key, companyId: company_id, directoryId } = actor.link
  const wanted = chosen.length > 0 ? chosen : await listLinkFiles(deps.db, key)
  const files = id === directoryId ? await findFiles(deps.db, wanted, getReach(actor)) : []
  const shared = files.filter(isVisible)
  const directory = await findDirectory(deps.db, id, {})
  if (!directory || shared.length === 0) throw new AppError('directory.not_found')
  if (shared.length < chosen.length) throw new AppError('file.not_found')
  const items = shared.map((file) => file.id)
  return {
    id,
    company_id,
    name: directory.name,
    archive: 'files',
    directories: [],
    files: withDistinctNames(shared, new Set()),
    items,
  }
}

type Named = { id: string; name: string; name_key: string }

const compareNames = (a: Named, b: Named) => (a.name_key < b.name_key || (a.name_key === b.name_key && a.id < b.id) ? -1 : 1)

/** Returns the items by name. Items from several folders can have the same name: all but the first get a number. */
function withDistinctNames<Item extends Named>(items: Item[], taken: Set<string>): Item[] {
  return items.toSorted(compareNames).map((item) => {
    let { name } = item
    for (let n = 1; taken.has(toNameKey(name)); n++) name = withNumber(item.name, n)
    taken.add(toNameKey(name))
    return { ...item, name }
  })
}

export async function createZipTicket(
  deps: Deps,
  actor: Reader,
  id: string,
  chosen: { files: string[]; directories: string[] },
): Promise<{ url: string }> {
  const items = [...chosen.directories, ...chosen.files]
  const { directories, files } = await findZipSource(deps, actor, id, items)
  // Checked here already, because a browser does not show why a download failed.
  rejectTooManyZips(actor)
  const damaged = await Promise.all(directories.map((directory) => hasDamagedFiles(deps.db, directory.id)))
  if (damaged.includes(true) || files.some(({ damaged_at }) => damaged_at !== null)) throw new AppError('directory.damaged')
  return { url: `/v1/download/${createTicket(deps, actor, { kind: 'zip', id, items })}` }
}
