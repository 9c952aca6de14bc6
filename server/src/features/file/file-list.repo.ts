import type { FileKind } from '@neptune/contract'
import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import { limitToCompanies, limitToListed } from '../../db/queries/company-scope.ts'
import { isSharedBy } from '../../db/queries/link-files.ts'
import { isOneOf } from '../../db/queries/merged-companies.ts'
import { findByName } from '../../db/queries/name-search.ts'
import { type PageRequest, type Rows, readPage, readPageOfShortList } from '../../db/queries/paging.ts'
import { isWithin } from '../../db/queries/tree.ts'
import { containsWords, containsWordsOrCompany } from '../../db/queries/word-search.ts'
import { allCompanies, type Reach } from '../../lib/actor.ts'
import { findCompaniesByWord } from '../company/company.repo.ts'
import { fileColumns, fileNames, selectFilesBySeq, withNames } from './file.repo.ts'
import { searchFolder } from './folder-search.repo.ts'

interface FileRequest extends PageRequest {
  search?: string | undefined
  kind?: FileKind | undefined
  /** The ids of a company and a directory; empty for all. */
  company: string
  directory: string
  /** The key of a link to several files. If set, only its files are listed. */
  link: string | undefined
  isTrash: boolean
}

/** Lists the files within the caller's reach that match a request. */
export async function listFiles(db: Db, request: FileRequest, reach: Reach) {
  const { kind, isTrash, requester, search } = request
  const directory = await findRequestedDirectory(db, request, reach)
  if (directory === 'none') return { rows: [], next: null }
  if (directory && search !== undefined && !isTrash && reach.file === undefined)
    return searchFolder(db, directory, { ...request, search })
  const isByDate = /^-?created_at$/.test(request.sort ?? '')
  // Whether an index returns the files of this kind or directory in the requested order. The indexes on the kind are sorted by
  // date only, and outside the trash only. In the trash, the index on the directory is sorted by the time of deletion only.
  const isKindIndexed = kind !== undefined && !directory && !isTrash && isByDate
  // A search in a directory also finds the files in the folders below.
  const isDeep = directory !== undefined && search !== undefined
  const isDirectoryIndexed = directory !== undefined && !isDeep && (!isTrash || request.sort?.endsWith('deleted_at') === true)
  // `findRequestedDirectory` has already checked the company of a directory.
  const companies = directory
    ? { column: 'file.company_id', scope: allCompanies, requested: isDirectoryIndexed ? '' : directory.company_id }
    : { column: 'file.company_id', scope: reach, requested: request.company }
  // In a list of one company, the name of the company would match every file.
  const findsCompanies = !directory && !request.company && reach.company === undefined
  const show = (rows: Rows<'file'>) =>
    withNames(rows)
      .where(isTrash ? isInLiveTree : sql<boolean>`directory.deleted_at is null`)
      .$if(directory !== undefined && !isDeep && !isDirectoryIndexed, (q) =>
        q.where('file.directory_id', '=', directory?.id ?? ''),
      )
      .$if(isDeep, (q) =>
        q.where('directory.root_id', '=', directory?.root_id ?? '').where(isWithin('file.directory_id', directory?.id ?? '')),
      )
      .$if(kind !== undefined && !isKindIndexed, (q) => q.where('file.kind', '=', kind ?? 'other'))
      .$if(search !== undefined, (q) => q.where(buildSearchCondition(search ?? '', findsCompanies)))
  const narrow = (rows: Rows<'file'>) => {
    let scope = rows.where('file.deleted_at', isTrash ? 'is not' : 'is', null)
    if (reach.file !== undefined) scope = scope.where('file.id', '=', reach.file)
    if (isKindIndexed) scope = scope.where('file.kind', '=', kind)
    return isDirectoryIndexed ? scope.where('file.directory_id', '=', directory.id) : scope
  }
  const link = reach.link ?? request.link
  const candidates =
    link !== undefined
      ? await findSeqsOfLink(db, link)
      : search === undefined
        ? undefined
        : await findCandidates(db, search, findsCompanies, requester)
  if (candidates)
    return readPageOfShortList(show(limitToListed(narrow(selectFilesBySeq(db, candidates)), companies)), fileColumns, request)
  const isFiltered =
    search !== undefined || (kind !== undefined && !isKindIndexed) || (directory !== undefined && !isDirectoryIndexed)
  return readPage(db, { ...fileColumns, table: 'file', narrow, show, isFiltered, companies }, request)
}

/** Builds the condition of a search: each word is in the file's name or, with `findsCompanies`, in the name of its company. */
const buildSearchCondition = (search: string, findsCompanies: boolean) =>
  findsCompanies ? containsWordsOrCompany(['file.name_key'], 'file.company_id', search) : containsWords(['file.name_key'], search)

/** Returns the `seq` of all files that may match a search, if they are few and an index finds them. */
async function findCandidates(db: Db, search: string, findsCompanies: boolean, requester: PageRequest['requester']) {
  const companies = findsCompanies ? await findCompaniesByWord(db, search, requester) : []
  // No company's name contains any of the words, so the file's name must contain all of them.
  if (companies.every(({ ids }) => ids?.length === 0)) return findByName(db, fileNames, search, requester)
  for (const { word, ids } of companies) {
    const named = ids && (await findByName(db, fileNames, word, requester))
    const rows = named && (await findSeqsOf(db, ids))
    if (rows && named.length + rows.length <= maxCandidates) return [...new Set([...named, ...rows])]
  }
  return undefined
}

/** More candidates than this are not worth sorting for every page. */
const maxCandidates = 5000

/** Returns the `seq` of the files of these companies, at most `maxCandidates + 1`. */
async function findSeqsOf(db: Db, companies: string[]): Promise<number[]> {
  if (companies.length === 0) return []
  const files = db
    .selectFrom('file')
    .select('seq')
    .where(isOneOf(db, 'file.company_id', companies))
  return (await files.limit(maxCandidates + 1).execute()).map(({ seq }) => seq)
}

/** Returns the `seq` of the files of a link to several files. */
const findSeqsOfLink = async (db: Db, link: string): Promise<number[]> =>
  (await db.selectFrom('file').select('seq').where(isSharedBy(link)).execute()).map(({ seq }) => seq)

/**
 * A trashed file is listed even if its folder is in the trash, too, because it can be restored elsewhere; but not if its top-level
 * directory is.
 */
const isInLiveTree = sql<boolean>`exists (select 1 from directory as top where top.id = directory.root_id and top.deleted_at is null)`

/**
 * Returns the directory that the request or the reach names. Returns `none` if it doesn't exist, is in the trash, or is outside the
 * requested company or the caller's reach, and undefined if neither names one.
 */
async function findRequestedDirectory(db: Db, { directory, company }: FileRequest, reach: Reach) {
  // A link to several files shows them as one list, and no directory.
  if (reach.link !== undefined) return directory ? 'none' : undefined
  const id = directory || reach.directory
  if (!id) return undefined
  let query = limitToCompanies(db.selectFrom('directory'), 'directory.company_id', reach)
    .select(['id', 'company_id', 'root_id', 'files'])
    .where('deleted_at', 'is', null)
    .where('id', '=', id)
  if (reach.directory !== undefined) query = query.where(isWithin('directory.id', reach.directory))
  if (company !== '') query = query.where('company_id', '=', company)
  const found = await query.executeTakeFirst()
  return found ? { ...found, files: Number(found.files) } : 'none'
}
