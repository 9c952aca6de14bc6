import { DatabaseSync } from 'node:sqlite'
import { beginFilling, computeSize, findFirstRecords, makeId, makeTimestamp, prepareToAddFiles } from './fill-sqlite.ts'
import { makeNameOrder } from './name-order.ts'

/** How many folders are in each folder, from the top level down. Each folder of the last level has a hundred files. */
const folders = [10, 10, 100]
const filesPerFolder = 100

/** The ids of directories and folders in the tree. */
export interface Tree {
  root: string
  /** Two of the ten folders of the root, each with a tenth of the files. */
  branches: [string, string]
  /** A folder with a hundredth of the files, in the second branch. */
  section: string
  /** A folder of the last level. */
  leaf: string
  /** Top-level directories: one with as many files as a leaf, and an empty one. */
  flat: string
  empty: string
}

/**
 * Adds a tree of folders to a SQLite database that Neptune has created, without file contents. `share` is the share of 1,000,000 files to
 * add.
 */
export function fillTree(path: string, share = 1): Tree {
  using db = new DatabaseSync(path)
  const { company } = findFirstRecords(db)
  const addFile = prepareToAddFiles(db, company)
  const addDirectory = db.prepare(
    `insert into directory (id, root_id, parent_id, depth, company_id, name, name_key, name_order, files, bytes, created_at)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const setTotals = db.prepare('update directory set files = ?, bytes = ? where id = ?')
  const finish = beginFilling(db)
  let [files, bytes] = [0, 0]
  const byDepth: string[][] = [[], [], [], []]
  const addFiles = (directory: string) => {
    for (let i = 0; i < filesPerFolder; i++) {
      bytes += computeSize(files)
      addFile(files++, directory)
    }
  }
  /** Adds a directory with everything below it, and returns its id. */
  const add = (name: string, depth: number, parent: string | null, root: string | null, hasFolders = true): string => {
    const id = makeId()
    const [filesBefore, bytesBefore] = [files, bytes]
    addDirectory.run(id, root ?? id, parent, depth, company, name, name, makeNameOrder(name), 0, 0, makeTimestamp(0))
    const count = Math.max(1, Math.round((folders[depth] ?? 0) * (depth === 2 ? share : 1)))
    if (!hasFolders) addFiles(id)
    else if (depth === folders.length) addFiles(id)
    else for (let i = 1; i <= count; i++) add(`folder ${i}`, depth + 1, id, root ?? id)
    setTotals.run(files - filesBefore, bytes - bytesBefore, id)
    byDepth[depth]?.push(id)
    return id
  }
  const root = add('tree', 0, null, null)
  const [branch = '', other = ''] = byDepth[1] ?? []
  // `byDepth` has all sections of the first branch before those of the second.
  const section = byDepth[2]?.[folders[1] ?? 0] ?? ''
  const leaf = byDepth[3]?.at(-1) ?? ''
  const flat = add('flat', 0, null, null, false)
  const empty = makeId()
  addDirectory.run(empty, empty, null, 0, company, 'empty', 'empty', 'empty', 0, 0, makeTimestamp(0))
  db.prepare('update company set bytes = ? where id = ?').run(bytes, company)
  finish()
  return { root, branches: [branch, other], section, leaf, flat, empty }
}
