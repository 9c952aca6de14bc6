import { expect, it } from 'vitest'
import { readRows } from './read-rows.ts'

/** Creates a function that reads a list with these pages, and records the cursors it is called with. */
const createList = (pages: number[][]) => {
  const cursors: (string | undefined)[] = []
  const read = async (cursor: string | undefined) => {
    cursors.push(cursor)
    const index = Number(cursor ?? 0)
    return { data: pages[index] ?? [], next: index + 1 < pages.length ? String(index + 1) : null }
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
