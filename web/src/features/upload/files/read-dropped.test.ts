import { describe, expect, it } from 'vitest'
import { listItems, mergePicked, removeItem } from './picked-files.ts'
import { readDropped } from './read-dropped.ts'

/** The content of a folder by name. A string is a file; null is a file that can’t be read. */
interface Tree {
  [name: string]: string | null | Tree
}

/** Imitates the entries of a drop. Like browsers, returns at most a hundred entries of a folder at a time. */
function createEntry(name: string, content: string | null | Tree): FileSystemEntry {
  if (content === null || typeof content === 'string') {
    const file = (resolve: (file: File) => void, reject: (error: Error) => void) =>
      content === null ? reject(new DOMException('', 'NotReadableError')) : resolve(new File([content], name))
    return { name, isFile: true, file } as unknown as FileSystemEntry
  }
  const createReader = () => {
    const rest = Object.entries(content).map(([name, content]) => createEntry(name, content))
    return { readEntries: (resolve: (entries: FileSystemEntry[]) => void) => resolve(rest.splice(0, 100)) }
  }
  return { name, isFile: false, createReader } as unknown as FileSystemEntry
}

const drop = (tree: Tree, hasHandles: boolean) =>
  ({
    items: Object.entries(tree).map(([name, content]) => ({
      kind: 'file',
      ...(hasHandles && {
        getAsFileSystemHandle: async () => ({ name, kind: typeof content === 'object' ? 'directory' : 'file' }),
      }),
      webkitGetAsEntry: () => createEntry(name, content),
      getAsFile: () => null,
    })),
  }) as unknown as DataTransfer

for (const hasHandles of [true, false]) {
  describe(`readDropped ${hasHandles ? 'with' : 'without'} handles`, () => {
    it('keeps the structure, empty folders, and the exact names', async () => {
      const tree = { 'note.txt': 'n', Год: { 'café.txt': '1', 'cafe\u0301.txt': '2', leer: {}, 東京: { 'ملف.pdf': '3' } } }
      const { files, emptyFolders, unreadable } = await readDropped(drop(tree, hasHandles))
      expect(files.map(({ path }) => path)).toEqual(['note.txt', 'Год/cafe\u0301.txt', 'Год/café.txt', 'Год/東京/ملف.pdf'])
      expect([emptyFolders, unreadable]).toEqual([['Год/leer'], []])
      expect(await files[1]?.file.text()).toBe('2')
    })
    it('skips the files of operating systems, and keeps a folder that has only these', async () => {
      const { files, emptyFolders } = await readDropped(
        drop({ a: { '.DS_Store': '', b: { 'Thumbs.db': '', 'DESKTOP.INI': '' } }, '.ds_store': '' }, hasHandles),
      )
      expect([files, emptyFolders]).toEqual([[], ['a/b']])
    })
    it('lists what can’t be read, and reads the rest', async () => {
      const { files, unreadable } = await readDropped(drop({ a: { 'bad.txt': null, 'good.txt': 'g' } }, hasHandles))
      expect([files.map(({ path }) => path), unreadable]).toEqual([['a/good.txt'], ['a/bad.txt']])
    })
    it('reads more than 10,000 files in more than 1,200 folders, and reports how many it has read', async () => {
      const tree: Tree = {}
      for (let folder = 0; folder < 1200; folder++) {
        const files = Array.from({ length: folder < 400 ? 9 : 8 }, (_, file) => [`${file}.txt`, 'x'])
        const top = `top ${folder % 12}`
        tree[top] = { ...(tree[top] as Tree), [`folder ${folder}`]: Object.fromEntries(files) }
      }
      tree['wide'] = Object.fromEntries(Array.from({ length: 950 }, (_, file) => [`${file}.txt`, 'x']))
      let reported = 0
      const { files } = await readDropped(drop(tree, hasHandles), (count) => {
        reported = count
      })
      expect([files.length, reported]).toEqual([10_950, 10_950])
      expect(new Set(files.map(({ path }) => path)).size).toBe(10_950)
    })
  })
}

it('gives the files of a dropped folder the handle of that folder', async () => {
  const { files } = await readDropped(drop({ a: { b: { 'c.txt': 'c' } } }, true))
  expect(files[0]?.handle).toMatchObject({ kind: 'directory', name: 'a' })
})

it('lists each dropped folder as one item, which can be removed', async () => {
  const first = await readDropped(drop({ a: { 'b.txt': 'bb', c: { 'd.txt': 'd' } }, 'e.txt': 'e' }, false))
  const picked = mergePicked(first, await readDropped(drop({ f: {} }, false)))
  const items = listItems(picked)
  expect(items.map(({ name, files, bytes }) => [name, files, bytes])).toEqual([
    ['a', 2, 3],
    ['e.txt', undefined, 1],
    ['f', 0, 0],
  ])
  const rest = items.slice(0, 1).concat(items.slice(2)).reduce(removeItem, picked)
  expect([rest.files.map(({ path }) => path), rest.emptyFolders]).toEqual([['e.txt'], []])
})
