import type { ByteRange } from './byte-range.ts'

/** One file of the archive. Names must be unique, and safe to extract; see zip-names.ts. */
export interface ZipEntry {
  name: string
  size: number
  crc32: number
  modifiedAtMs: number
}

/** A piece of the archive: bytes made here, or a range of one of its files. */
export type ZipPart<E extends ZipEntry> = { bytes: Buffer } | ({ entry: E } & ByteRange)

interface ZipLayout {
  count: number
  /** Where the central directory starts and ends. */
  centralAt: number
  centralEnd: number
  length: number
}

/**
 * Adds up the length of an archive, entry by entry, in the order in which they are sent. Files are stored uncompressed, and
 * their sizes and CRC-32s are known, so every byte is fixed beforehand: the length can be announced, and any range can be sent
 * without producing the bytes before it.
 */
export function measureZip() {
  let count = 0
  let localBytes = 0
  let centralBytes = 0
  return {
    add(entry: ZipEntry) {
      centralBytes += centralLength(entry, localBytes)
      localBytes += localLength(entry) + entry.size
      count++
    },
    finish(): ZipLayout {
      const centralEnd = localBytes + centralBytes
      const end = endRecords(count, localBytes, centralEnd)
      return { count, centralAt: localBytes, centralEnd, length: centralEnd + end.length }
    },
  }
}

/** A part of the archive before it is cut to a range. */
interface Piece<E extends ZipEntry> {
  at: number
  length: number
  part: ZipPart<E>
}

/**
 * Yields what a range of the archive consists of, in order. The entries are read page by page, and twice if the range reaches into the
 * central directory, so no more than a page of them is in memory. Both times they must be the ones that were measured.
 */
export async function* zipParts<E extends ZipEntry>(
  layout: ZipLayout,
  readPages: () => AsyncIterable<readonly E[]>,
  range: ByteRange = { start: 0, end: layout.length },
): AsyncGenerator<ZipPart<E>> {
  for await (const { at, length, part } of piecesOf(layout, readPages, range)) {
    const start = Math.max(0, range.start - at)
    const end = Math.min(length, range.end - at)
    if (start < end) yield 'bytes' in part ? { bytes: part.bytes.subarray(start, end) } : { ...part, start, end }
  }
}

async function* piecesOf<E extends ZipEntry>(
  { count, centralAt, centralEnd }: ZipLayout,
  readPages: () => AsyncIterable<readonly E[]>,
  range: ByteRange,
): AsyncGenerator<Piece<E>> {
  if (range.start < centralAt) yield* localPieces(readPages(), range)
  if (range.end <= centralAt) return
  yield* centralPieces(readPages(), centralAt, range)
  const bytes = endRecords(count, centralAt, centralEnd)
  yield { at: centralEnd, length: bytes.length, part: { bytes } }
}

/** Local headers and files. */
async function* localPieces<E extends ZipEntry>(pages: AsyncIterable<readonly E[]>, range: ByteRange): AsyncGenerator<Piece<E>> {
  let at = 0
  for await (const page of pages) {
    for (const entry of page) {
      if (at >= range.end) return
      const dataAt = at + localLength(entry)
      if (dataAt + entry.size > range.start) {
        yield { at, length: dataAt - at, part: { bytes: localHeader(entry) } }
        yield { at: dataAt, length: entry.size, part: { entry, start: 0, end: entry.size } }
      }
      at = dataAt + entry.size
    }
  }
}

/** The headers of the central directory, a page at a time: one by one, each would take a write. */
async function* centralPieces<E extends ZipEntry>(
  pages: AsyncIterable<readonly E[]>,
  centralAt: number,
  range: ByteRange,
): AsyncGenerator<Piece<E>> {
  let at = centralAt
  let localAt = 0
  for await (const page of pages) {
    if (at >= range.end) return
    const headers: Buffer[] = []
    for (const entry of page) {
      headers.push(centralHeader(entry, localAt))
      localAt += localLength(entry) + entry.size
    }
    const bytes = Buffer.concat(headers)
    yield { at, length: bytes.length, part: { bytes } }
    at += bytes.length
  }
}

// The format: https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT, sections 4.3.7, 4.3.12, 4.3.14 to 16, 4.5.3.

/** What does not fit into 32 or 16 bits is written as all ones there, and its value in the ZIP64 fields. */
const max32 = 0xffffffff
const max16 = 0xffff
const to32 = (n: number) => Math.min(n, max32)
const to16 = (n: number) => Math.min(n, max16)

/** Our names are UTF-8. */
const utf8Flag = 0x800
/** Written on Unix, so that the mode below counts: a plain file, rw-r--r--. */
const madeBy = (3 << 8) | 45
const fileMode = 0o100644 * 0x10000

const needsVersion = (isLarge: boolean) => (isLarge ? 45 : 20)

const localLength = (entry: ZipEntry) => 30 + Buffer.byteLength(entry.name) + timeLength(entry) + zip64Length(entry.size, 0)

const centralLength = (entry: ZipEntry, offset: number) =>
  46 + Buffer.byteLength(entry.name) + timeLength(entry) + zip64Length(entry.size, offset)

function zip64Length(size: number, offset: number): number {
  const numbers = (size < max32 ? 0 : 2) + (offset < max32 ? 0 : 1)
  return numbers === 0 ? 0 : 4 + 8 * numbers
}

function localHeader(entry: ZipEntry): Buffer {
  const header = Buffer.alloc(30)
  const zip64 = zip64Field(entry.size < max32 ? [] : [entry.size, entry.size])
  header.writeUInt32LE(0x04034b50, 0)
  writeCommon(header, 4, entry, zip64.length > 0)
  return withNameAndExtra(header, 26, entry, zip64)
}

function centralHeader(entry: ZipEntry, offset: number): Buffer {
  const header = Buffer.alloc(46)
  const zip64 = zip64Field([...(entry.size < max32 ? [] : [entry.size, entry.size]), ...(offset < max32 ? [] : [offset])])
  header.writeUInt32LE(0x02014b50, 0)
  header.writeUInt16LE(madeBy, 4)
  writeCommon(header, 6, entry, zip64.length > 0)
  header.writeUInt32LE(fileMode, 38)
  header.writeUInt32LE(to32(offset), 42)
  return withNameAndExtra(header, 28, entry, zip64)
}

/** What the local and the central header of a file share. */
function writeCommon(header: Buffer, start: number, entry: ZipEntry, isLarge: boolean) {
  header.writeUInt16LE(needsVersion(isLarge), start)
  header.writeUInt16LE(utf8Flag, start + 2)
  header.writeUInt16LE(0, start + 4) // stored
  header.writeUInt32LE(dosTime(new Date(entry.modifiedAtMs)), start + 6)
  header.writeUInt32LE(entry.crc32, start + 10)
  header.writeUInt32LE(to32(entry.size), start + 14)
  header.writeUInt32LE(to32(entry.size), start + 18)
}

function withNameAndExtra(header: Buffer, lengthsAt: number, entry: ZipEntry, zip64: Buffer): Buffer {
  const name = Buffer.from(entry.name)
  const time = timeField(entry)
  header.writeUInt16LE(name.length, lengthsAt)
  header.writeUInt16LE(time.length + zip64.length, lengthsAt + 2)
  return Buffer.concat([header, name, time, zip64])
}

/** The numbers that fit nowhere else, the two sizes always together. */
function zip64Field(numbers: number[]): Buffer {
  if (numbers.length === 0) return nothing
  const field = Buffer.alloc(4 + 8 * numbers.length)
  field.writeUInt16LE(0x0001, 0)
  field.writeUInt16LE(8 * numbers.length, 2)
  for (const [i, number] of numbers.entries()) field.writeBigUInt64LE(BigInt(number), 4 + 8 * i)
  return field
}

const nothing = Buffer.alloc(0)

/** DOS wrote local time, of nobody knows where, by two seconds. Ours is UTC, so that the bytes do not depend on the server's zone. */
function dosTime(date: Date): number {
  const year = Math.min(Math.max(date.getUTCFullYear(), 1980), 2107)
  const day = ((year - 1980) << 9) | ((date.getUTCMonth() + 1) << 5) | date.getUTCDate()
  const time = (date.getUTCHours() << 11) | (date.getUTCMinutes() << 5) | (date.getUTCSeconds() >> 1)
  return day * 0x10000 + time
}

/** The field by which most programs know the true instant. It ends in 2038; later dates have the DOS time alone. */
function timeField(entry: ZipEntry): Buffer {
  if (timeLength(entry) === 0) return nothing
  const field = Buffer.from([0x55, 0x54, 5, 0, 1, 0, 0, 0, 0])
  field.writeUInt32LE(secondsOf(entry), 5)
  return field
}

const timeLength = (entry: ZipEntry) => (secondsOf(entry) >= 0 && secondsOf(entry) <= 0x7fffffff ? 9 : 0)
const secondsOf = ({ modifiedAtMs }: ZipEntry) => Math.floor(modifiedAtMs / 1000)

/** The end of the archive, before it the same in ZIP64 where the numbers ask for it. */
function endRecords(count: number, centralStart: number, centralEnd: number): Buffer {
  const size = centralEnd - centralStart
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(to16(count), 8)
  end.writeUInt16LE(to16(count), 10)
  end.writeUInt32LE(to32(size), 12)
  end.writeUInt32LE(to32(centralStart), 16)
  if (count < max16 && size < max32 && centralStart < max32) return end

  const record = Buffer.alloc(56)
  record.writeUInt32LE(0x06064b50, 0)
  record.writeBigUInt64LE(44n, 4) // the length of what follows
  record.writeUInt16LE(madeBy, 12)
  record.writeUInt16LE(45, 14)
  record.writeBigUInt64LE(BigInt(count), 24)
  record.writeBigUInt64LE(BigInt(count), 32)
  record.writeBigUInt64LE(BigInt(size), 40)
  record.writeBigUInt64LE(BigInt(centralStart), 48)
  const locator = Buffer.alloc(20)
  locator.writeUInt32LE(0x07064b50, 0)
  locator.writeBigUInt64LE(BigInt(centralEnd), 8)
  locator.writeUInt32LE(1, 16)
  return Buffer.concat([record, locator, end])
}
