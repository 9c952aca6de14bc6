import type { api, Parsed } from '@neptune/contract'
import type { Deps } from '../../deps.ts'
import type { Staff } from '../../lib/actor.ts'
import { AppError } from '../../lib/app-error.ts'
import { getTargetDirectory } from '../directory/directory.service.ts'
import { lockDirectory } from '../directory/tree.repo.ts'
import { findFiles } from '../file/file.repo.ts'
import { getVisibleFile, isVisible } from '../file/file.service.ts'
import { hasVersion } from '../version/version.repo.ts'
import type { LinkRecord } from './link.repo.ts'

type Db = Deps['db']
type Target = Pick<LinkRecord, 'company_id' | 'directory_id' | 'file_id' | 'version' | 'name'> & {
  /** The files of a link to several files. Empty for other links. */
  files: string[]
}

export const createFieldError = (field: string, message: string) =>
  new AppError('request.invalid', { fields: [{ field, message }] })

/** Returns what to share. Throws if it doesn't exist or the caller may not see it. */
export async function getTarget(
  deps: Deps,
  actor: Staff,
  { linkType, directory, file, files, version }: Parsed<typeof api.link.create>['body'],
): Promise<Target> {
  if (linkType === 'LINK_FILE') {
    if (file !== undefined && files !== undefined) throw createFieldError('files', 'Send either file or files.')
    if (files) return getSeveralFiles(deps, actor, [...new Set(files)], { directory, version })
    if (file === undefined) throw createFieldError('file', 'Choose the file to share.')
    const { id, name, company_id, directory_id } = await getVisibleFile(deps, actor, file, version)
    if (directory !== undefined && directory !== directory_id) throw new AppError('file.not_found')
    return { company_id, directory_id, file_id: id, version: version ?? null, name, files: [] }
  }
  if (version !== undefined) throw createFieldError('version', 'Send a version only with type LINK_FILE.')
  if (file !== undefined) throw createFieldError('file', 'Send a file only with type LINK_FILE.')
  if (files !== undefined) throw createFieldError('files', 'Send files only with type LINK_FILE.')
  if (directory === undefined) throw createFieldError('directory', 'Choose the directory to share.')
  const { id, name, company_id } = await getTargetDirectory(deps, actor, directory)
  return { company_id, directory_id: id, file_id: null, version: null, name, files: [] }
}

/** Returns the target of a link to several files of a directory and the folders below. Its name is the directory's; only staff see it. */
async function getSeveralFiles(
  deps: Deps,
  actor: Staff,
  files: string[],
  { directory, version }: { directory: string | undefined; version: string | undefined },
): Promise<Target> {
  if (version !== undefined) throw createFieldError('version', 'Send a version only with a single file.')
  if (directory === undefined) throw createFieldError('directory', 'Send the directory that contains the files.')
  const { id, name, company_id } = await getTargetDirectory(deps, actor, directory)
  await requireFilesIn(deps.db, id, files)
  return { company_id, directory_id: id, file_id: null, version: null, name, files }
}

async function requireFilesIn(db: Db, directory: string, files: string[]): Promise<void> {
  const found = await findFiles(db, files, { directory })
  if (found.filter(isVisible).length < files.length) throw new AppError('file.not_found')
}

/** Locks the tree of the target, so that the target can't be trashed before the link is inserted. Throws if the target is gone. */
export async function lockTarget(trx: Db, { company_id, directory_id, file_id, version, files }: Target): Promise<void> {
  const directory = await lockDirectory(trx, directory_id)
  // The directory may have been moved to another company since it was read.
  if (directory?.company_id !== company_id) throw new AppError('directory.not_found')
  if (files.length > 0) await requireFilesIn(trx, directory_id, files)
  if (file_id === null) return
  const [file] = await findFiles(trx, [file_id], {})
  if (!file || file.deleted_at !== null || file.directory_id !== directory_id) throw new AppError('file.not_found')
  if (version !== null && !(await hasVersion(trx, file_id, version))) throw new AppError('version.not_found')
}
