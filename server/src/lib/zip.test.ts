import { equal } from 'node:assert/strict'
import { crc32 } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { layoutZip, type ZipEntry } from './zip.ts'

const modifiedAt = new Date('2026-12-01T09:30:42Z')

interface Entry extends ZipEntry {
  content: (start: number, end: number) => Buffer
}

function entryOf(name: string, content: string | Buffer): Entry {
  const bytes = Buffer.from(content)
  return { name, size: bytes.length, crc32: crc32(bytes), modifiedAt, content: (start, end) => bytes.subarray(start, end) }
}

/** As long as you like, without the bytes. */
const unknownCrc = 0x12345678
const hugeEntry = (name: string, size: number): Entry => ({
  name,
  size,
  crc32: unknownCrc,
  modifiedAt,
  content: (start, end) => Buffer.alloc(end - start, name),
})

function archive(entries: Entry[]) {
  const layout = layoutZip(entries)
  const read = (start: number, end: number) => {
    const parts = [...layout.parts({ start, end })]
    return Buffer.concat(parts.map((part) => ('bytes' in part ? part.bytes : part.entry.content(part.start, part.end))))
  }
  return { length: layout.length, read, parts: layout.parts }
}

describe('an archive', () => {
  it.each([
    ['of nothing', []],
    ['of one file', [entryOf('report.txt', 'hello')]],
    ['of empty files', [entryOf('a', ''), entryOf('b', '')]],
    ['of names of the world', [entryOf('Grüße.txt', 'a'), entryOf('報告書.txt', 'b'), entryOf('👩‍👩‍👧.png', 'c')]],
  ])('%s is read back by another reader', (_, entries) => {
    const zip = archive(entries)
    expect(zip.read(0, zip.length)).toHaveLength(zip.length)
    expect(readZip(zip).map(({ name, bytes }) => [name, bytes.toString()])).toEqual(
      entries.map(({ name, size, content }) => [name, content(0, size).toString()]),
    )
  })

  it('tells when its files were made, to the second', () => {
    const [file] = readZip(archive([entryOf('a', 'a')]))
    expect(file?.modifiedAt).toEqual(modifiedAt)
    expect(file?.dosTime).toBe('2026-12-01 09:30:42')
  })

  it.each([
    ['2050-02-03T04:05:06Z', '2050-02-03 04:05:06'],
    ['1970-02-03T04:05:06Z', '1980-02-03 04:05:06'],
    ['2200-02-03T04:05:06Z', '2107-02-03 04:05:06'],
  ])('says %s as well as the format can', (date, dosTime) => {
    expect(readZip(archive([{ ...entryOf('a', 'a'), modifiedAt: new Date(date) }]))[0]?.dosTime).toBe(dosTime)
  })

  it('can be cut anywhere', () => {
    const zip = archive([entryOf('a.txt', 'hello'), entryOf('empty', ''), entryOf('ü', 'world'.repeat(20))])
    const whole = zip.read(0, zip.length)
    for (let start = 0; start <= zip.length; start++) {
      for (let end = start; end <= zip.length; end++) {
        if (!zip.read(start, end).equals(whole.subarray(start, end))) expect.fail(`bytes ${start} to ${end} differ`)
      }
    }
  })

  it('never hands out an empty part', () => {
    const zip = archive([entryOf('a.txt', ''), entryOf('b.txt', 'hello')])
    const sizes = [...zip.parts()].map((part) => ('bytes' in part ? part.bytes.length : part.end - part.start))
    expect(sizes.every((size) => size > 0)).toBe(true)
    expect([...zip.parts({ start: 5, end: 5 })]).toEqual([])
  })

  it('touches only the files a range lies in', () => {
    const zip = archive(Array.from({ length: 100 }, (_, i) => hugeEntry(`file ${i}`, 1e9)))
    const touched = [...zip.parts({ start: 50e9, end: 52e9 })].flatMap((part) => ('bytes' in part ? [] : [part.entry.name]))
    expect(touched).toEqual(['file 49', 'file 50', 'file 51'])
  })
})

describe('beyond the old limits', () => {
  it.each([
    ['just below four gibibytes', [hugeEntry('a', 0xfffffffe), hugeEntry('b', 3)]],
    ['the first size that is too large', [hugeEntry('a', 0xffffffff), hugeEntry('b', 3)]],
    ['files that are too large, and begin too late', [hugeEntry('a', 5 * 2 ** 30), hugeEntry('b', 3), hugeEntry('c', 2 ** 40)]],
    ['many files that are too large together', Array.from({ length: 9 }, (_, i) => hugeEntry(`${i}`, 2 ** 30))],
  ])('%s', (_, entries) => {
    expect(readZip(archive(entries)).map(({ name, size }) => [name, size])).toEqual(entries.map(({ name, size }) => [name, size]))
  })

  it.each([65_534, 65_535, 70_000])('%i files', (count) => {
    const zip = archive(Array.from({ length: count }, (_, i) => entryOf(`${i}.txt`, `${i}`)))
    const whole = zip.read(0, zip.length)
    const files = readZip({ length: zip.length, read: (start, end) => whole.subarray(start, end) })
    expect(files).toHaveLength(count)
    expect(files.at(-1)).toMatchObject({ name: `${count - 1}.txt`, size: `${count - 1}`.length })
  })

  it('a million files are laid out and joined in the middle within moments', () => {
    const entries = Array.from({ length: 1e6 }, (_, i) => hugeEntry(`file ${i}.bin`, 1e6))
    const started = process.cpuUsage()
    const layout = layoutZip(entries)
    const [first] = layout.parts({ start: 5e11, end: layout.length })
    const { user } = process.cpuUsage(started)
    expect(first).toHaveProperty('entry.name', 'file 499973.bin')
    expect(user / 1000).toBeLessThan(5000)
  })
})

/** A reader written from the format's description, sharing nothing with the writer. Fails where the two headers of a file differ. */
function readZip({ length, read }: { length: number; read: (start: number, end: number) => Buffer }) {
  const end = read(length - 22, length)
  equal(end.readUInt32LE(0), 0x06054b50)
  let count = end.readUInt16LE(10)
  let size = end.readUInt32LE(12)
  let position = end.readUInt32LE(16)
  const isLarge = count === 0xffff || size === 0xffffffff || position === 0xffffffff
  if (isLarge) {
    const locator = read(length - 42, length - 22)
    equal(locator.readUInt32LE(0), 0x07064b50)
    equal(locator.readUInt32LE(16), 1)
    const recordAt = Number(locator.readBigUInt64LE(8))
    const record = read(recordAt, recordAt + 56)
    equal(record.readUInt32LE(0), 0x06064b50)
    equal(record.readBigUInt64LE(4), 44n)
    equal(recordAt + 56, length - 42)
    count = Number(record.readBigUInt64LE(32))
    size = Number(record.readBigUInt64LE(40))
    position = Number(record.readBigUInt64LE(48))
  }
  equal(position + size, length - (isLarge ? 98 : 22))

  const central = read(position, position + size)
  const files = []
  let localAt = 0
  for (let start = 0; start < size; ) {
    const [nameLength, extraLength] = [central.readUInt16LE(start + 28), central.readUInt16LE(start + 30)]
    const header = central.subarray(start, start + 46 + nameLength + extraLength)
    const file = readHeader(header, 0x02014b50, 6, 46)
    equal(file.offset, localAt)
    const fixed = read(localAt, localAt + 30)
    const localEnd = localAt + 30 + fixed.readUInt16LE(26) + fixed.readUInt16LE(28)
    const local = readHeader(read(localAt, localEnd), 0x04034b50, 4, 30)
    equal(`${local.name} ${local.size} ${local.common}`, `${file.name} ${file.size} ${file.common}`)
    const bytes = file.size < 1000 ? read(localEnd, localEnd + file.size) : Buffer.alloc(0)
    if (bytes.length === file.size && file.crc32 !== unknownCrc) equal(crc32(bytes), file.crc32)
    files.push({ ...file, bytes })
    localAt = localEnd + file.size
    start += header.length
  }
  equal(localAt, position)
  equal(files.length, count)
  return files
}

function readHeader(header: Buffer, signature: number, common: number, nameAt: number) {
  equal(header.readUInt32LE(0), signature)
  const nameEnd = nameAt + header.readUInt16LE(common + 22)
  const extra = fieldsOf(header.subarray(nameEnd))
  const isCentral = nameAt === 46
  const large = extra.get(0x0001)
  let taken = 0
  const orLarge = (value: number) => {
    if (value !== 0xffffffff || !large) return value
    taken += 8
    return Number(large.readBigUInt64LE(taken - 8))
  }
  const size = orLarge(header.readUInt32LE(common + 14))
  equal(orLarge(header.readUInt32LE(common + 18)), size)
  const offset = isCentral ? orLarge(header.readUInt32LE(42)) : 0
  equal(taken, large?.length ?? 0)
  equal(header.readUInt16LE(common + 2) & 0x800, 0x800)
  const [time, day] = [header.readUInt16LE(common + 6), header.readUInt16LE(common + 8)]
  const two = (n: number) => String(n).padStart(2, '0')
  const seconds = extra.get(0x5455)?.readUInt32LE(1)
  return {
    name: header.toString('utf8', nameAt, nameEnd),
    size,
    offset,
    crc32: header.readUInt32LE(common + 10),
    common: header.toString('hex', common + 2, common + 22),
    modifiedAt: seconds === undefined ? undefined : new Date(seconds * 1000),
    dosTime: `${1980 + (day >> 9)}-${two((day >> 5) & 15)}-${two(day & 31)} ${two(time >> 11)}:${two((time >> 5) & 63)}:${two((time & 31) * 2)}`,
  }
}

function fieldsOf(extra: Buffer): Map<number, Buffer> {
  const fields = new Map<number, Buffer>()
  for (let at = 0; at < extra.length; at += 4 + extra.readUInt16LE(at + 2)) {
    fields.set(extra.readUInt16LE(at), extra.subarray(at + 4, at + 4 + extra.readUInt16LE(at + 2)))
  }
  return fields
}
