import type { Deps } from '../../deps.ts'
import { type Reader, type Recipient, reachOf, requireRight, sharesSeveralFiles } from '../../lib/actor.ts'
import { AppError } from '../../lib/app-error.ts'
import { withNumber } from '../../lib/file-name.ts'
import { nameKey } from '../../lib/name-key.ts'
import { findDirectory, hasDamagedFiles } from '../directory/directory.repo.ts'
import { getVisibleDirectory } from '../directory/directory.service.ts'
import { type FileRecord, findFiles } from '../file/file.repo.ts'
import { isVisible } from '../file/file.service.ts'
import { createTicket } from '../identity/ticket.service.ts'
import { listLinkFiles } from '../link/link.repo.ts'
import { rejectTooManyZips } from '../throttle/zip-limit.service.ts'

/** What a ZIP contains: a directory, or the files of a link to several files. */
export interface ZipSource {
  id: string
  company_id: string
  /** The name of the directory, for the audit log and webhooks. */
  name: string
  /** The name of the archive, without its extension. */
  archive: string
  /** The directories whose contents are in it. */
  directories: string[]
  /** The files at its top. */
  files: FileRecord[]
}

/** Finds what to put into a ZIP. Throws `directory.not_found` if the caller may not see it. */
export async function findZipSource(deps: Deps, actor: Reader, id: string): Promise<ZipSource> {
  requireRight(actor, 'list')
  if (actor.kind === 'recipient' && sharesSeveralFiles(actor.link)) return findSharedFiles(deps, actor, id)
  const { company_id, name } = await getVisibleDirectory(deps, actor, id)
  return { id, company_id, name, archive: name, directories: [id], files: [] }
}

/** Recipients of several files don't learn the name of their directory, so the archive has another one. */
async function findSharedFiles(deps: Deps, actor: Recipient, id: string): Promise<ZipSource> {
  const { key, companyId: company_id, directoryId } = actor.link
  const files = id === directoryId ? await findFiles(deps.db, await listLinkFiles(deps.db, key), reachOf(actor)) : []
  const shared = files.filter(isVisible)
  const directory = await findDirectory(deps.db, id, {})
  if (!directory || shared.length === 0) throw new AppError('directory.not_found')
  return { id, company_id, name: directory.name, archive: 'files', directories: [], files: withDistinctNames(shared) }
}

/** Returns the files by name. Files from several folders can have the same name: all but the first get a number. */
function withDistinctNames(files: FileRecord[]): FileRecord[] {
  const taken = new Set<string>()
  const sorted = files.toSorted((a, b) => a.name_key.localeCompare(b.name_key) || (a.id < b.id ? -1 : 1))
  return sorted.map((file) => {
    let name = file.name
    for (let n = 1; taken.has(nameKey(name)); n++) name = withNumber(file.name, n)
    taken.add(nameKey(name))
    return { ...file, name }
  })
}

/** Returns whether the caller can still see what is in a ZIP that is being sent. */
export async function isZipReachable(deps: Deps, actor: Reader, id: string): Promise<boolean> {
  try {
    return Boolean(await findZipSource(deps, actor, id))
  } catch (error) {
    if (error instanceof AppError) return false
    throw error
  }
}

export async function createZipTicket(deps: Deps, actor: Reader, id: string): Promise<{ url: string }> {
  const { directories, files } = await findZipSource(deps, actor, id)
  // Checked here already, because a browser does not show why a download failed.
  rejectTooManyZips(actor)
  const damaged = await Promise.all(directories.map((directory) => hasDamagedFiles(deps.db, directory)))
  if (damaged.includes(true) || files.some(({ damaged_at }) => damaged_at !== null)) throw new AppError('directory.damaged')
  return { url: `/v1/download/${createTicket(deps, actor, { kind: 'zip', id })}` }
}
