import type { FileKind } from '@neptune/contract'
import type { Db } from '../../db/database.ts'
import { limitToCompanies, limitToListed } from '../../db/queries/company-scope.ts'
import { isOneOf } from '../../db/queries/merged-companies.ts'
import { findByName } from '../../db/queries/name-search.ts'
import { contains, type PageRequest, type Rows, readPage, readPageOfShortList } from '../../db/queries/paging.ts'
import { allCompanies, type Reach } from '../../lib/actor.ts'
import { nameKey } from '../../lib/name-key.ts'
import { withNames } from './file.repo.ts'

interface FileRequest extends PageRequest {
  search?: string | undefined
  kind?: FileKind | undefined
  /** The ids of a company and a directory; empty for all. */
  company: string
  directory: string
  isTrash: boolean
}

const fileNames = { table: 'file', id: 'seq', index: 'file_search', indexId: 'rowid' } as const

const fileColumns = {
  columns: { created_at: 'file.created_at', name: 'file.name_key', size: 'file.size', deleted_at: 'file.deleted_at' },
  id: 'file.id',
}

/** Lists the files within the caller's reach that match a request. */
export async function listFiles(db: Db, request: FileRequest, reach: Reach) {
  const { kind, isTrash, requester } = request
  const search = request.search === undefined ? undefined : nameKey(request.search)
  const directory = await findRequestedDirectory(db, request, reach)
  if (directory === 'none') return { rows: [], next: null }
  const isByDate = /^-?created_at$/.test(request.sort ?? '')
  // Whether an index returns the files of this kind or directory in the requested order. The indexes on the kind are sorted by
  // date only, and outside the trash only. In the trash, the index on the directory is sorted by the time of deletion only.
  const isKindIndexed = kind !== undefined && !directory && !isTrash && isByDate
  const isDirectoryIndexed = directory !== undefined && (!isTrash || request.sort?.endsWith('deleted_at') === true)
  // `findRequestedDirectory` has already checked the company of a directory.
  const companies = directory
    ? { column: 'file.company_id', scope: allCompanies, requested: isDirectoryIndexed ? '' : directory.company_id }
    : { column: 'file.company_id', scope: reach, requested: request.company }
  const show = (rows: Rows<'file'>) =>
    withNames(rows)
      .where('directory.deleted_at', 'is', null)
      .$if(directory !== undefined && !isDirectoryIndexed, (q) => q.where('file.directory_id', '=', directory?.id ?? ''))
      .$if(kind !== undefined && !isKindIndexed, (q) => q.where('file.kind', '=', kind ?? 'other'))
      .$if(search !== undefined, (q) => q.where(contains('file.name_key', search ?? '')))
  const narrow = (rows: Rows<'file'>) => {
    let scope = rows.where('file.deleted_at', isTrash ? 'is not' : 'is', null)
    if (reach.file !== undefined) scope = scope.where('file.id', '=', reach.file)
    if (isKindIndexed) scope = scope.where('file.kind', '=', kind)
    return isDirectoryIndexed ? scope.where('file.directory_id', '=', directory.id) : scope
  }
  const candidates = search === undefined ? undefined : await findByName(db, fileNames, search, requester)
  if (candidates)
    return readPageOfShortList(show(limitToListed(narrow(selectFiles(db, candidates)), companies)), fileColumns, request)
  const isFiltered =
    search !== undefined || (kind !== undefined && !isKindIndexed) || (directory !== undefined && !isDirectoryIndexed)
  return readPage(db, { ...fileColumns, table: 'file', narrow, show, isFiltered, companies }, request)
}

/**
 * Returns the directory that the request or the reach names. Returns `none` if it doesn't exist, is in the trash, or is outside the
 * requested company or the caller's reach, and undefined if neither names one.
 */
async function findRequestedDirectory(db: Db, { directory, company }: FileRequest, reach: Reach) {
  const ids = [directory, reach.directory].filter(Boolean)
  if (ids.length === 0) return undefined
  let query = limitToCompanies(db.selectFrom('directory'), 'directory.company_id', reach)
    .select(['id', 'company_id'])
    .where('deleted_at', 'is', null)
  for (const id of ids) query = query.where('id', '=', id ?? '')
  if (company !== '') query = query.where('company_id', '=', company)
  return (await query.executeTakeFirst()) ?? 'none'
}

/** Selects the files with these `seq` values. The limit does not change the result, but keeps SQLite from choosing another plan. */
const selectFiles = (db: Db, seqs: (string | number)[]) => {
  const rows = db
    .selectFrom('file')
    .selectAll()
    .where(isOneOf(db, 'file.seq', seqs))
    .limit(seqs.length)
  return db.selectFrom(rows.as('file')) as unknown as Rows<'file'>
}
