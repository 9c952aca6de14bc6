import { expect, it } from 'vitest'
import { readRows } from './read-rows.ts'

/** Returns a list with these pages, and the cursors that were requested. */
const createList = (pages: number[][]) => {
  const cursors: (string | undefined)[] = []
  const read = async (cursor: string | undefined) => {
    cursors.push(cursor)
    const at = Number(cursor ?? 0)
    return { data: pages[at] ?? [], next: at + 1 < pages.length ? String(at + 1) : null }
  }
  return { cursors, read }
}

it('reads one page if it has rows', async () => {
  const { cursors, read } = createList([[1], [2]])
  expect(await readRows(read)).toEqual({ data: [1], next: '1' })
  expect(cursors).toEqual([undefined])
})

it('continues while pages are empty', async () => {
  const { read } = createList([[], [], [3, 4], [5]])
  expect(await readRows(read)).toEqual({ data: [3, 4], next: '3' })
  expect(await readRows(read, '1')).toEqual({ data: [3, 4], next: '3' })
})

it('continues until there are as many rows as wanted', async () => {
  const { read } = createList([[1], [], [3, 4], [5]])
  expect(await readRows(read, undefined, 3)).toEqual({ data: [1, 3, 4], next: '3' })
  expect(await readRows(read, undefined, 9)).toEqual({ data: [1, 3, 4, 5], next: null })
})

it('stops after fifty pages without a row, and returns where to continue', async () => {
  const { cursors, read } = createList(Array.from({ length: 200 }, () => []))
  expect(await readRows(read)).toEqual({ data: [], next: '50' })
  expect(cursors).toHaveLength(50)
})
