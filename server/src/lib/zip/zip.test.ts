import { crc32 } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { readZip, unknownCrc } from '../testing.ts'
import { generateZipParts, measureZip, type ZipEntry, type ZipPart } from './zip.ts'

const modifiedAtMs = Date.parse('2026-12-01T09:30:42Z')

interface Entry extends ZipEntry {
  content: (start: number, end: number) => Buffer
}

function createEntry(name: string, content: string | Buffer): Entry {
  const bytes = Buffer.from(content)
  return { name, size: bytes.length, crc32: crc32(bytes), modifiedAtMs, content: (start, end) => bytes.subarray(start, end) }
}

/** Creates an entry of any size, whose bytes are generated when they are read. */
const createHugeEntry = (name: string, size: number): Entry => ({
  name,
  size,
  crc32: unknownCrc,
  modifiedAtMs,
  content: (start, end) => Buffer.alloc(end - start, name),
})

/** Creates an archive. A page has three entries by default, so that most archives have several pages. */
function createArchive<E extends ZipEntry>(entries: E[], pageSize = 3) {
  const measure = measureZip()
  for (const entry of entries) measure.add(entry)
  const layout = measure.finish()
  async function* pages() {
    for (let at = 0; at < entries.length; at += pageSize) yield entries.slice(at, at + pageSize)
  }
  return {
    length: layout.length,
    async parts(start = 0, end = layout.length) {
      const parts: ZipPart<E>[] = []
      for await (const part of generateZipParts(layout, pages, { start, end })) parts.push(part)
      return parts
    },
  }
}

async function read(zip: { parts: (start?: number, end?: number) => Promise<ZipPart<Entry>[]> }, start?: number, end?: number) {
  const parts = await zip.parts(start, end)
  return Buffer.concat(parts.map((part) => ('bytes' in part ? part.bytes : part.entry.content(part.start, part.end))))
}

/** Creates an archive and reads it back, without the bytes of files that are too large for memory. */
async function readEntries(entries: Entry[]) {
  const zip = createArchive(entries, 1000)
  const isSmall = zip.length < 1e8
  const whole = isSmall ? await read(zip) : Buffer.alloc(0)
  if (isSmall) expect(whole).toHaveLength(zip.length)
  return readZip({
    length: zip.length,
    read: async (start, end) => (isSmall ? whole.subarray(start, end) : read(zip, start, end)),
  })
}

describe('an archive', () => {
  it.each([
    ['without files', []],
    ['of one file', [createEntry('report.txt', 'hello')]],
    ['of empty files', [createEntry('a', ''), createEntry('b', '')]],
    [
      'of files with names in several scripts',
      [createEntry('Grüße.txt', 'a'), createEntry('報告書.txt', 'b'), createEntry('👩‍👩‍👧.png', 'c')],
    ],
  ])('%s is read back by another reader', async (_, entries) => {
    expect((await readEntries(entries)).map(({ name, bytes }) => [name, bytes.toString()])).toEqual(
      entries.map(({ name, size, content }) => [name, content(0, size).toString()]),
    )
  })

  it('stores the modification times of its files, to the second', async () => {
    const [file] = await readEntries([createEntry('a', 'a')])
    expect(file?.modifiedAt).toEqual(new Date(modifiedAtMs))
    expect(file?.dosTime).toBe('2026-12-01 09:30:42')
  })

  it.each([
    ['2050-02-03T04:05:06Z', '2050-02-03 04:05:06'],
    ['1970-02-03T04:05:06Z', '1980-02-03 04:05:06'],
    ['2200-02-03T04:05:06Z', '2107-02-03 04:05:06'],
  ])('stores %s as precisely as the format allows', async (date, dosTime) => {
    const [file] = await readEntries([{ ...createEntry('a', 'a'), modifiedAtMs: Date.parse(date) }])
    expect(file?.dosTime).toBe(dosTime)
  })

  it('can be read from any range', async () => {
    const entries = [
      createEntry('a.txt', 'hello'),
      createEntry('empty', ''),
      createEntry('ü', 'world'.repeat(8)),
      createEntry('c', 'c'),
    ]
    const zip = createArchive(entries)
    const whole = await read(zip)
    for (let start = 0; start <= zip.length; start++) {
      for (let end = start; end <= zip.length; end++) {
        if (!(await read(zip, start, end)).equals(whole.subarray(start, end))) expect.fail(`bytes ${start} to ${end} differ`)
      }
    }
  })

  it('never yields an empty part', async () => {
    const zip = createArchive([createEntry('a.txt', ''), createEntry('b.txt', 'hello')])
    const sizes = (await zip.parts()).map((part) => ('bytes' in part ? part.bytes.length : part.end - part.start))
    expect(sizes.every((size) => size > 0)).toBe(true)
    expect(await zip.parts(5, 5)).toEqual([])
  })

  it('reads only the files within a range', async () => {
    const zip = createArchive(Array.from({ length: 100 }, (_, i) => createHugeEntry(`file ${i}`, 1e9)))
    const readFiles = (await zip.parts(50e9, 52e9)).flatMap((part) => ('bytes' in part ? [] : [part.entry.name]))
    expect(readFiles).toEqual(['file 49', 'file 50', 'file 51'])
  })
})

describe('an archive near and beyond the 32-bit limits', () => {
  it.each([
    ['the largest size below the limit', [createHugeEntry('a', 0xfffffffe), createHugeEntry('b', 3)]],
    ['the first size that is too large', [createHugeEntry('a', 0xffffffff), createHugeEntry('b', 3)]],
    [
      'sizes and offsets that are too large',
      [createHugeEntry('a', 5 * 2 ** 30), createHugeEntry('b', 3), createHugeEntry('c', 2 ** 40)],
    ],
    ['offsets that are too large because of many files', Array.from({ length: 9 }, (_, i) => createHugeEntry(`${i}`, 2 ** 30))],
  ])('can have %s', async (_, entries) => {
    expect((await readEntries(entries)).map(({ name, size }) => [name, size])).toEqual(
      entries.map(({ name, size }) => [name, size]),
    )
  })

  it.each([65_534, 65_535, 70_000])('can have %i files', async (count) => {
    const files = await readEntries(Array.from({ length: count }, (_, i) => createEntry(`${i}.txt`, `${i}`)))
    expect(files).toHaveLength(count)
    expect(files.at(-1)).toMatchObject({ name: `${count - 1}.txt`, size: `${count - 1}`.length })
  })

  it('can have a million files, and be read from the middle quickly', async () => {
    const entries = Array.from({ length: 1e6 }, (_, i) => ({ name: `file ${i}.bin`, size: 1e6, crc32: unknownCrc, modifiedAtMs }))
    const started = process.cpuUsage()
    const [first] = await createArchive(entries, 1000).parts(5e11, 5e11 + 1)
    const { user } = process.cpuUsage(started)
    expect(first).toHaveProperty('entry.name', 'file 499973.bin')
    expect(user / 1000).toBeLessThan(5000)
  })
})
