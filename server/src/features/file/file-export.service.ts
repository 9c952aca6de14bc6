import type { api, FileExportLine, Parsed } from '@neptune/contract'
import type { Deps } from '../../deps.ts'
import { type CompanyScope, getCompanyScope, type Staff } from '../../lib/actor.ts'
import { AppError } from '../../lib/app-error.ts'
import { runInTurn } from '../../lib/concurrency/run-in-turn.ts'
import { type Requester, systemRequester } from '../../lib/concurrency/scan.ts'
import { type Export, noLines, takeExportSlot } from '../../lib/export.ts'
import { findDirectory, listDirectories } from '../directory/directory.repo.ts'
import { readRowsByFolder } from '../directory/folder-pages.service.ts'
import { findPaths } from '../directory/tree.repo.ts'
import { findReader } from '../identity/ticket.service.ts'
import { listFilesForExport } from './file.repo.ts'

type Filters = Parsed<typeof api.file.export>['query']

/** Opens an export of the files that the caller may see, one JSON object per line. */
export function openFileExport(
  deps: Deps,
  actor: Staff,
  filters: Filters,
  { isGone, isHead }: { isGone: () => boolean; isHead: boolean },
): Export {
  const exportInfo = {
    name: `files-${deps.now().toISOString().slice(0, 10)}.ndjson`,
    type: 'application/x-ndjson' as const,
    mayContinue: async () => (await findReader(deps, actor)) !== undefined,
  }
  if (isHead) return { ...exportInfo, lines: noLines(), [Symbol.dispose]: () => undefined }
  const slot = takeExportSlot(actor)
  const requester = { ...systemRequester, id: actor.userId, isGone }
  const findScope = async () => {
    const current = await findReader(deps, actor)
    if (current?.kind !== 'staff') throw new AppError('session.missing')
    return getCompanyScope(current)
  }
  return {
    ...exportInfo,
    lines: exportFiles(deps, filters, findScope, requester),
    [Symbol.dispose]: () => slot[Symbol.dispose](),
  }
}

/** Small enough to read and write within one slice. */
const pageSize = 1000

/**
 * Exports the files directory by directory, sorted by name in each. `findScope` is called for each page, because the caller's access may
 * change meanwhile.
 */
async function* exportFiles(
  deps: Deps,
  filters: Filters,
  findScope: () => Promise<CompanyScope>,
  requester: Requester,
): AsyncGenerator<string> {
  const inTurn = <T>(query: () => Promise<T>) => runInTurn(requester.id, query)
  for await (const directories of readDirectories(deps, filters, findScope, requester)) {
    const paths = await findPaths(deps.db, directories)
    const folders = directories.map((id) => ({ id, path: (paths.get(id) ?? []).map(({ name }) => `${name}/`).join('') }))
    const read = async (ids: string[], after: string | undefined, limit: number) =>
      listFilesForExport(deps.db, await findScope(), ids, after, limit)
    for await (const found of readRowsByFolder(folders, read, { inTurn, pageSize })) {
      if (requester.isGone()) return
      const lines = found.flatMap(({ folder, rows }) => rows.map((row) => formatLine(folder.path, row)))
      if (lines.length > 0) yield lines.join('')
    }
  }
}

type FileFound = Awaited<ReturnType<typeof listFilesForExport>>[number]

function formatLine(folder: string, { id, company_id, name, size, sha256, created_at }: FileFound): string {
  const line: FileExportLine = { id, company: company_id, path: folder + name, size, sha256, date_created: created_at }
  return `${JSON.stringify(line)}\n`
}

/** Yields the ids of the requested directory and of all folders below it. If no directory is requested, yields all ids. */
async function* readDirectories(
  { db }: Deps,
  { directory, company = '' }: Filters,
  findScope: () => Promise<CompanyScope>,
  requester: Requester,
): AsyncGenerator<string[]> {
  const parent = directory ? await findDirectory(db, directory, await findScope()) : undefined
  if (directory && (!parent || parent.deleted_at !== null || ![parent.company_id, ''].includes(company))) return
  if (parent) yield [parent.id]
  for (let cursor: string | undefined; ; ) {
    const page = {
      requester,
      limit: directoriesPerPage,
      cursor,
      sort: 'created_at',
      company,
      parent,
      isTrash: false,
      isDeep: true,
    }
    const { rows, next } = await listDirectories(db, page, await findScope())
    yield rows.map(({ id }) => id)
    if (next === null || requester.isGone()) return
    cursor = next
  }
}

const directoriesPerPage = 500
