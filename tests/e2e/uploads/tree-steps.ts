import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TestInfo } from '@playwright/test'
import { runConcurrently } from '../../support/run-concurrently.ts'
import { asAdmin } from '../fixtures.ts'
import { sha256 } from './upload-steps.ts'

/** The content of every file by path, and the paths of folders without files. */
export interface Tree {
  files: Record<string, string>
  emptyFolders: string[]
}

/** Names in eight scripts, and with characters that take several code points. */
const names = [
  'Verträge',
  'Δελτία',
  'Договоры',
  'חוזים',
  'عقود',
  'अनुबंध',
  '契約書類',
  '계약서',
  'cafe\u0301',
  '👩‍👩‍👧 family',
  "it's 100 % (new) #1 & more",
]

/**
 * Describes a folder named Archive with many files in many folders. Some folders are empty, and one contains more files than a browser
 * lists at a time.
 */
export function describeTree({ files, folders }: { files: number; folders: number }): Tree {
  const paths: string[] = []
  for (let i = 0; paths.length < folders; i++) {
    const name = `${names[i % names.length]} ${i}`
    // A third of the folders are at the top. The others are in an earlier folder, up to six levels deep.
    const parent = i % 3 === 0 ? undefined : paths[Math.floor(i / 3)]
    paths.push(parent && parent.split('/').length < 6 ? `${parent}/${name}` : `Archive/${name}`)
  }
  const parents = new Set(paths.map((path) => path.slice(0, path.lastIndexOf('/'))))
  const emptyFolders = paths.filter((path, i) => i % 40 === 7 && !parents.has(path))
  const used = paths.filter((path) => !emptyFolders.includes(path))
  const entries = Array.from({ length: files }, (_, i): [string, string] => {
    // Every folder gets a file, a twentieth of all files go to the first folder, and the rest are spread evenly.
    const folder = (i >= used.length && i % 20 === 0 ? used[0] : used[i % used.length]) ?? ''
    return [`${folder}/${names[(i * 7) % names.length]} ${i}.txt`, `file ${i}`]
  })
  return { files: Object.fromEntries(entries), emptyFolders }
}

/** Writes the tree to the test's output folder. Returns the path of its top folder. */
export function writeTree(info: TestInfo, { files, emptyFolders }: Tree, top = 'Archive'): string {
  const root = info.outputPath('tree')
  for (const path of emptyFolders) mkdirSync(join(root, path), { recursive: true })
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(join(root, path, '..'), { recursive: true })
    writeFileSync(join(root, path), content)
  }
  return join(root, top)
}

/** Normalizes paths: a server may store names in either form of Unicode. */
const normalize = (paths: Iterable<string>) => [...paths].map((path) => path.normalize('NFC')).sort()

/** The names and hashes that the server must have. */
export const getExpectedTree = ({ files, emptyFolders }: Tree) => ({
  files: Object.fromEntries(Object.entries(files).map(([path, content]) => [path.normalize('NFC'), sha256(content)])),
  emptyFolders: normalize(emptyFolders),
})

/** Reads everything below a directory through the API. */
export async function readTree(baseURL: string | undefined, directory: string) {
  const call = asAdmin(baseURL)
  const readAll = async (path: string) => {
    const rows = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const { data, next } = await call('GET', `${path}&limit=200${cursor && `&cursor=${encodeURIComponent(cursor)}`}`)
      rows.push(...data)
      cursor = next
    }
    return rows
  }
  const folders = await readAll(`/v1/directory?parent=${directory}&folders=true`)
  const paths = new Map<string, string>([[directory, '']])
  for (const { id, directory: name, path } of folders) {
    const names = path
      .slice(path.findIndex((item: { id: string }) => item.id === directory) + 1)
      .map((item: { name: string }) => item.name)
    paths.set(id, [...names, name].join('/'))
  }
  const files: Record<string, string> = {}
  const emptyFolders: string[] = []
  const withChildren = new Set([...paths.values()].map((path) => path.slice(0, Math.max(0, path.lastIndexOf('/')))))
  const readFolder = async (id: string, path: string) => {
    const rows = await readAll(`/v1/file?directory=${id}`)
    for (const { file_name, sha256 } of rows) files[`${path ? `${path}/` : ''}${file_name}`.normalize('NFC')] = sha256
    if (rows.length === 0 && id !== directory && !withChildren.has(path)) emptyFolders.push(path)
  }
  await runConcurrently(
    4,
    [...paths].map(
      ([id, path]) =>
        () =>
          readFolder(id, path),
    ),
  )
  return { files, emptyFolders: normalize(emptyFolders) }
}
