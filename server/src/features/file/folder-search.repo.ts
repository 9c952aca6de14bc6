import type { FileKind } from '@neptune/contract'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import { isOneOf } from '../../db/queries/merged-companies.ts'
import { findByName } from '../../db/queries/name-search.ts'
import { type PageRequest, type Rows, readPage, readPageOfShortList } from '../../db/queries/paging.ts'
import { isWithin, selectLiveSubtree } from '../../db/queries/tree.ts'
import { containsWords } from '../../db/queries/word-search.ts'
import { allCompanies } from '../../lib/actor.ts'
import { fileColumns, fileNames, selectFilesBySeq, withNames } from './file.repo.ts'
import { findMatchesOfPage, listFoldersBelow } from './folder-matches.repo.ts'

interface SearchRequest extends PageRequest {
  search: string
  kind?: FileKind | undefined
}

interface SearchedDirectory {
  id: string
  root_id: string
  company_id: string
  /** The number of files in it and in the folders below. */
  files: number
}

/** In a directory with at most this many files, all of them are candidates. */
const maxCandidates = 5000
/**
 * For more candidates than this, reads the folders below the directory, unless there are more folders than candidates. Otherwise walks up
 * the tree from each candidate.
 */
const maxWalks = 100
/** If a large directory has more folders than this, and no index helps, a search only scans the list of the company. */
const maxReadFolders = 20_000
/** How many files of the company are scanned before the folders are read. */
const scannedFiles = { first: 250, max: 2000 }

/**
 * Searches a directory that the caller may see, and the folders below. If the directory is small, or an index finds few files whose
 * names match, filters those files. Otherwise scans the start of the company's list and, if too few files there match, reads the folders.
 */
export async function searchFolder(db: Db, directory: SearchedDirectory, request: SearchRequest) {
  const { search, requester } = request
  const isMatch = buildSearchCondition(request)
  const show = (rows: Rows<'file'>, isInFolder?: RawBuilder<boolean>) => {
    const shown = withNames(rows).where('directory.deleted_at', 'is', null).where(isMatch)
    return isInFolder ? shown.where(isInFolder) : shown
  }
  const narrow = (rows: Rows<'file'>) => rows.where('file.deleted_at', 'is', null)
  const listRows = (rows: Rows<'file'>, isInFolder?: RawBuilder<boolean>) =>
    readPageOfShortList(show(narrow(rows), isInFolder), fileColumns, request)

  if (directory.files <= maxCandidates) return listRows(selectFilesBySeq(db, await listSeqsIn(db, directory.id)))
  const named = await findByName(db, fileNames, search, requester)
  if (named) {
    const folders = named.length > maxWalks ? await listFoldersBelow(db, directory.id, named.length) : undefined
    const ids = folders?.map(({ id }) => id)
    return listRows(selectFilesBySeq(db, named), ids ? isOneOf(db, 'file.directory_id', ids) : isBelow(directory))
  }
  const scan = (more: Partial<PageRequest> = {}, maxRows = requester.maxRows) =>
    readPage(
      db,
      {
        ...fileColumns,
        table: 'file',
        narrow,
        show: (rows) => show(rows, isBelow(directory)),
        isFiltered: true,
        companies: { column: 'file.company_id', scope: allCompanies, requested: directory.company_id },
      },
      { ...request, ...more, requester: { ...requester, maxRows } },
    )
  const start = await scanStart(scan, request.limit)
  if (start) return start
  const folders = await listFoldersBelow(db, directory.id, maxReadFolders)
  const ids = folders && (await findMatchesOfPage(db, folders, request, isMatch))
  if (!ids) return scan()
  const found = db.selectFrom('file').where(isOneOf(db, 'file.id', ids)) as unknown as Rows<'file'>
  return listRows(found, isBelow(directory))
}

function buildSearchCondition({ search, kind }: SearchRequest) {
  const isNamed = containsWords(['file.name_key'], search)
  return kind === undefined ? isNamed : sql<boolean>`(file.kind = ${kind} and ${isNamed})`
}

/** Scans the start of a list to fill a page. If many files there match, scans further. Returns undefined if the page isn't full then. */
async function scanStart<Page extends { rows: unknown[]; next: string | null }>(
  scan: (more: Partial<PageRequest>, maxRows: number) => Promise<Page>,
  limit: number,
): Promise<Page | undefined> {
  const isComplete = ({ rows, next }: Page) => rows.length === limit || next === null
  const first = await scan({}, scannedFiles.first)
  if (isComplete(first)) return first
  const isPromising = first.rows.length * (scannedFiles.max / scannedFiles.first) >= limit
  const more = isPromising ? await scan({}, scannedFiles.max) : first
  return isComplete(more) ? more : undefined
}

/** Builds the condition that a file is in a directory or in a folder below. Walks up only within the same top-level directory. */
const isBelow = ({ id, root_id }: SearchedDirectory) =>
  id === root_id
    ? sql<boolean>`directory.root_id = ${root_id}`
    : sql<boolean>`case when directory.root_id = ${root_id} then ${isWithin('directory.id', id)} else false end`

/** Returns the `seq` of the files in a directory and in the folders below. */
async function listSeqsIn(db: Db, id: string): Promise<number[]> {
  const rows = db
    .selectFrom('file')
    .select('seq')
    .where(sql<boolean>`file.directory_id in ${selectLiveSubtree(id)}`)
  return (await rows.where('deleted_at', 'is', null).execute()).map(({ seq }) => seq)
}
