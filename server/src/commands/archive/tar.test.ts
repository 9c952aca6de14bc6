import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { readEntries, readEntry, type TarEntry, TarError, TarWriter } from './tar.ts'

const folder = mkdtempSync(join(tmpdir(), 'neptune-tar-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const listEntries = async (path: string) => {
  await using file = await open(path, 'r')
  const entries: TarEntry[] = []
  for await (const entry of readEntries(file)) entries.push(entry)
  return entries
}

it('writes archives that tar can list and `readEntries` can read, even beyond 8 GiB', async () => {
  const path = join(folder, 'large.tar')
  const large = 9 * 2 ** 30
  {
    await using file = await open(path, 'wx+')
    const tar = new TarWriter(file, new Date('2026-12-01T09:00:00Z'))
    await tar.add('small.json', Buffer.from('{}'))
    await tar.begin('blobs/large', large)
    tar.position += large // a sparse file, so that nothing has to be written
    await tar.add('end.json', Buffer.from('"end"'))
    await tar.finish()
  }
  expect((await listEntries(path)).map(({ name, size }) => [name, size])).toEqual([
    ['small.json', 2],
    ['blobs/large', large],
    ['end.json', 5],
  ])
  const lines = execFileSync('tar', ['tvf', path], { encoding: 'utf8' }).trim().split('\n')
  expect(lines.map((line) => line.split(/\s+/)[2])).toEqual(['2', String(large), '5'])
  await using file = await open(path, 'r')
  const end = (await listEntries(path)).at(-1)
  expect(end && (await readEntry(file, end)).toString()).toBe('"end"')
})

it('rejects truncated archives and other files', async () => {
  const path = join(folder, 'cut.tar')
  await using file = await open(path, 'wx+')
  const tar = new TarWriter(file, new Date())
  await tar.add('a', Buffer.alloc(1000))
  for (const size of [1500, 1536, 1000, 512, 300, 0]) {
    await file.truncate(size)
    await expect(listEntries(path)).rejects.toThrow(TarError)
  }
  await file.write(Buffer.alloc(2048, 'x'), 0, 2048, 0)
  await expect(listEntries(path)).rejects.toThrow(TarError)
})
