import { getCurrentVersion, type ModelFile, type ModelFolder } from './model.ts'
import type { World } from './operation.ts'
import type { FileRow, FolderRow, State, VersionRow } from './state.ts'

/** Lists where the server's rows differ from the model: places, names, versions, totals, references and quotas. */
export function findDifferences({ model, companies, foreignCopies }: World, state: State): string[] {
  const expectedFolders = [...model.folders.values()].map((folder): [string, string] => [folder.id, describeFolder(folder)])
  const expectedFiles = [...model.files.values()].map((file): [string, string] => [file.id, describeFile(file)])
  const wrongCopies = foreignCopies.filter(({ copy, source }) => !source.history.includes(copy.history[0] ?? ''))
  return [
    ...compare('folder', expectedFolders, [...state.folders.values()].map(describeFolderRow)),
    ...compare('file', expectedFiles, [...state.files.values()].map(describeFileRow)),
    ...compare('older version', listOlderVersions(), state.versions.map(describeVersionRow)),
    ...compare(
      'references to',
      countReferences(),
      state.references.map(({ blob_id, refs }) => [blob_id, String(refs)]),
    ),
    ...compare(
      'bytes of',
      countBytes(),
      state.companies.map(({ id, bytes }): [string, string] => [id, String(bytes)]),
    ),
    ...wrongCopies.map(({ copy, source }) => `${copy.name} (${copy.id}) has bytes that ${source.id} never had`),
  ]

  function describeFolder(folder: ModelFolder): string {
    const path = model.getPath(folder)
    const { files, bytes } = model.computeTotals(folder)
    const place = `in ${folder.parent}, root ${path.at(-1)?.id}, depth ${path.length - 1}, company ${model.getCompany(folder)}`
    return `${folder.name} ${place}, trashed with ${folder.trashedWith}, ${files} files, ${bytes} bytes`
  }

  function describeFile(file: ModelFile): string {
    const { id, number, size, sha256 } = getCurrentVersion(file)
    const trashState = file.trashedAt === undefined ? 'listed' : 'in the trash'
    const place = `in ${file.parent}, company ${model.getCompany(file)}, ${trashState}`
    return `${file.name} ${place}, ${id} v${number}, ${size} bytes, ${sha256}`
  }

  function listOlderVersions() {
    return [...model.files.values()].flatMap((file) =>
      file.versions
        .slice(0, -1)
        .map(({ id, number, size, sha256 }): [string, string] => [`${file.id} ${id}`, `v${number}, ${size} bytes, ${sha256}`]),
    )
  }

  /** Counts the references to each blob that has more than one. An interrupted copy keeps its references until it is discarded. */
  function countReferences(): [string, string][] {
    const blobs = [...model.files.values()].flatMap(({ versions }) => versions.map(({ id }) => id))
    const all = Map.groupBy([...blobs, ...state.stagedFiles.map(({ blob_id }) => blob_id)], (id) => id)
    return [...all].filter(([, { length }]) => length > 1).map(([id, { length }]) => [id, String(length)])
  }

  function countBytes(): [string, string][] {
    const staged = (company: string) =>
      state.stagedFiles.filter(({ company_id }) => company_id === company).reduce((sum, { size }) => sum + size, 0)
    return companies.map((company) => [company, String(model.computeBytes(company) + staged(company))])
  }
}

function describeFolderRow(row: FolderRow): [string, string] {
  const place = `in ${row.parent_id}, root ${row.root_id}, depth ${row.depth}, company ${row.company_id}`
  const trashedWith = row.deleted_at === null ? undefined : (row.trashed_with ?? row.id)
  return [row.id, `${row.name} ${place}, trashed with ${trashedWith}, ${row.files} files, ${row.bytes} bytes`]
}

function describeFileRow(row: FileRow): [string, string] {
  const place = `in ${row.directory_id}, company ${row.company_id}, ${row.deleted_at === null ? 'listed' : 'in the trash'}`
  return [row.id, `${row.name} ${place}, ${row.blob_id} v${row.version}, ${row.size} bytes, ${row.sha256}`]
}

const describeVersionRow = ({ file_id, blob_id, number, size, sha256 }: VersionRow): [string, string] => [
  `${file_id} ${blob_id}`,
  `v${number}, ${size} bytes, ${sha256}`,
]

/** Compares the model's items with the server's by id. Returns a line for each difference. */
export function compare(what: string, expected: [string, string][], found: [string, string][]): string[] {
  const rest = new Map(found)
  const differences: string[] = []
  if (rest.size < found.length) differences.push(`${what}: the server lists something twice`)
  for (const [id, text] of expected) {
    const other = rest.get(id)
    if (other !== text) differences.push(`${what} ${id} should be: ${text}\n  but is: ${other ?? 'missing'}`)
    rest.delete(id)
  }
  return [...differences, ...[...rest].map(([id, text]) => `${what} ${id} should not exist: ${text}`)]
}
