import { expect, it } from 'vitest'
import { toNameColumns } from '../../lib/names/name-order.ts'
import { openTree, type Tree } from '../directory/testing.ts'

const folderCount = 30
const filesPerFolder = 40
/** More files than one query of a search reads. */
const filesOfLargeFolder = 4600
const filesBelow = folderCount * filesPerFolder + filesOfLargeFolder
/** The number of files elsewhere. In every order, they come before and after the files below the folder. */
const filesElsewhere = 2500
const at = (i: number) => new Date(Date.parse('2026-10-01T00:00:00Z') + i * 60_000).toISOString()
const idOf = (kind: string, i: number) => `${kind}${i}`.padEnd(22, 'x')

interface NewFile {
  name: string
  size: number
  created_at: string
  directory_id: string
}

/**
 * Returns the files to add to subfolders. Every 15th is a report. The large subfolder 0 gets the first files; the other subfolders get the
 * rest in turn, so that only 1 and 16 of them have reports.
 */
function listFilesBelow(folder: (i: number) => string): NewFile[] {
  return Array.from({ length: filesBelow }, (_, i) => ({
    name: `m ${i} ${i % 15 === 0 ? 'report' : 'letter'}`,
    size: 10_000 + ((i * 7919) % 500),
    created_at: at(10_000 + (i % 1000)),
    directory_id: folder(i < filesOfLargeFolder ? 0 : 1 + (i % folderCount)),
  }))
}

/** Adds a folder with the files of `listFilesBelow` to the database, and reports elsewhere and in the trash. */
async function fillTree({ deps: { db }, companyOf, kim, plans, other }: Tree) {
  const company_id = await companyOf(kim)
  const addDirectory = (id: string, parent_id: string, files: number, deleted_at: string | null = null) => {
    const name = `folder ${id}`
    const row = {
      id,
      root_id: plans,
      parent_id,
      depth: 2,
      company_id,
      name,
      ...toNameColumns(name),
      files,
      created_at: at(0),
      deleted_at,
    }
    return db.insertInto('directory').values(row).execute()
  }
  const folderId = (i: number) => idOf('folder', i)
  const top = folderId(99)
  await addDirectory(top, plans, filesBelow)
  for (let i = 0; i <= folderCount; i++) await addDirectory(folderId(i), top, i === 0 ? filesOfLargeFolder : filesPerFolder)
  await addDirectory(folderId(50), top, 20, at(0))
  await db.updateTable('directory').set({ files: filesBelow }).where('id', '=', plans).execute()
  const below = listFilesBelow(folderId)
  const elsewhere = Array.from({ length: filesElsewhere }, (_, i) => {
    const isFirst = i % 2 === 0
    const name = `${isFirst ? 'a' : 'z'} ${i} report`
    return { name, size: isFirst ? i : 20_000 + i, created_at: at(isFirst ? i : 20_000 + i), directory_id: other }
  })
  const inTrash = Array.from({ length: 20 }, (_, i) => ({
    ...{ name: `m trash ${i} report`, size: 10_000, created_at: at(10_000) },
    ...{ directory_id: folderId(i < 10 ? 50 : 1), deleted_at: i < 10 ? null : at(0) },
  }))
  const rows = [...below, ...elsewhere, ...inTrash].map((file, i) => ({
    ...{ ...file, id: idOf('file', i), blob_id: idOf('file', i), company_id, ...toNameColumns(file.name) },
    ...{ kind: 'text' as const, content_type: 'text/plain', sha256: '', crc32: 0, thumbnail: 'none' as const },
  }))
  for (let i = 0; i < rows.length; i += 1000)
    await db
      .insertInto('file')
      .values(rows.slice(i, i + 1000))
      .execute()
  return { top, folderId, reports: rows.slice(0, filesBelow).filter(({ name }) => name.endsWith('report')) }
}

async function readPages({ call }: Tree, path: string, who: Record<string, string>): Promise<string[]> {
  const names: string[] = []
  for (let cursor = ''; ; ) {
    const page = (await call('GET', path + cursor, who)).json()
    names.push(...page.data.map((row: { file_name: string }) => row.file_name))
    if (page.next === null) return names
    cursor = `&cursor=${encodeURIComponent(page.next)}`
  }
}

it('finds every match below a folder with many files, in every order and over pages, even if many files elsewhere match', async () => {
  await using tree = await openTree()
  const { top, folderId, reports } = await fillTree(tree)
  const rob = await tree.enter(await tree.share('LINK_DIRECTORY', { directory: top }))
  const sorts = { created_at: 'created_at', name: 'name_order', size: 'size' } as const
  for (const [sort, column] of Object.entries(sorts))
    for (const [sign, factor] of [
      ['', 1],
      ['-', -1],
    ] as const) {
      const compare = (a: string | number, b: string | number) => (a === b ? 0 : a < b ? -factor : factor)
      const expected = reports.toSorted((a, b) => compare(a[column], b[column]) || compare(a.id, b.id)).map(({ name }) => name)
      const path = `/v1/file?search=report&limit=150&sort=${sign}${sort}`
      expect(await readPages(tree, `${path}&directory=${top}`, tree.kim), sign + sort).toEqual(expected)
      expect(await readPages(tree, path, rob), sign + sort).toEqual(expected)
    }
  const inOne = reports.filter(({ directory_id }) => directory_id === folderId(1)).map(({ name }) => name)
  expect(inOne).toHaveLength(filesPerFolder)
  expect(await readPages(tree, `/v1/file?search=report&sort=name&directory=${folderId(1)}`, rob)).toEqual(inOne)
  expect(await readPages(tree, `/v1/file?search=report&directory=${tree.other}`, rob)).toEqual([])
  const rare = `/v1/file?directory=${top}&sort=name`
  expect(await readPages(tree, `${rare}&search=report%2044`, tree.kim)).toEqual(
    reports.filter(({ name }) => name.includes('44')).map(({ name }) => name),
  )
  expect(await readPages(tree, `${rare}&search=report%20qq`, tree.kim)).toEqual([])
  expect(await readPages(tree, `${rare}&search=report&kind=pdf`, tree.kim)).toEqual([])
})
