import { equal } from 'node:assert/strict'
import { crc32 } from 'node:zlib'

/** The CRC-32 of an entry whose bytes are not available for a check. */
export const unknownCrc = 0x12345678

/** Reads a ZIP archive with code that is independent of the writer. Throws where the two headers of a file differ. */
export async function readZip({ length, read }: { length: number; read: (start: number, end: number) => Promise<Buffer> }) {
  const end = await read(length - 22, length)
  equal(end.readUInt32LE(0), 0x06054b50)
  let count = end.readUInt16LE(10)
  let size = end.readUInt32LE(12)
  let position = end.readUInt32LE(16)
  const isLarge = count === 0xffff || size === 0xffffffff || position === 0xffffffff
  if (isLarge) {
    const locator = await read(length - 42, length - 22)
    equal(locator.readUInt32LE(0), 0x07064b50)
    equal(locator.readUInt32LE(16), 1)
    const recordAt = Number(locator.readBigUInt64LE(8))
    const record = await read(recordAt, recordAt + 56)
    equal(record.readUInt32LE(0), 0x06064b50)
    equal(record.readBigUInt64LE(4), 44n)
    equal(recordAt + 56, length - 42)
    count = Number(record.readBigUInt64LE(32))
    size = Number(record.readBigUInt64LE(40))
    position = Number(record.readBigUInt64LE(48))
  }
  equal(position + size, length - (isLarge ? 98 : 22))

  const central = await read(position, position + size)
  const files = []
  let localAt = 0
  for (let start = 0; start < size; ) {
    const [nameLength, extraLength] = [central.readUInt16LE(start + 28), central.readUInt16LE(start + 30)]
    const header = central.subarray(start, start + 46 + nameLength + extraLength)
    const file = readHeader(header, 0x02014b50, 6, 46)
    equal(file.offset, localAt)
    const fixed = await read(localAt, localAt + 30)
    const localEnd = localAt + 30 + fixed.readUInt16LE(26) + fixed.readUInt16LE(28)
    const local = readHeader(await read(localAt, localEnd), 0x04034b50, 4, 30)
    equal(`${local.name} ${local.size} ${local.common}`, `${file.name} ${file.size} ${file.common}`)
    const bytes = file.size < 1000 ? await read(localEnd, localEnd + file.size) : Buffer.alloc(0)
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
  const extra = parseExtraFields(header.subarray(nameEnd))
  const isCentral = nameAt === 46
  const large = extra.get(0x0001)
  let zip64Read = 0
  const resolveZip64 = (value: number) => {
    if (value !== 0xffffffff || !large) return value
    zip64Read += 8
    return Number(large.readBigUInt64LE(zip64Read - 8))
  }
  const size = resolveZip64(header.readUInt32LE(common + 14))
  equal(resolveZip64(header.readUInt32LE(common + 18)), size)
  const offset = isCentral ? resolveZip64(header.readUInt32LE(42)) : 0
  equal(zip64Read, large?.length ?? 0)
  equal(header.readUInt16LE(common + 2) & 0x800, 0x800)
  const [time, day] = [header.readUInt16LE(common + 6), header.readUInt16LE(common + 8)]
  const padToTwo = (n: number) => String(n).padStart(2, '0')
  const seconds = extra.get(0x5455)?.readUInt32LE(1)
  return {
    name: header.toString('utf8', nameAt, nameEnd),
    size,
    offset,
    crc32: header.readUInt32LE(common + 10),
    common: header.toString('hex', common + 2, common + 22),
    modifiedAt: seconds === undefined ? undefined : new Date(seconds * 1000),
    dosTime: `${1980 + (day >> 9)}-${padToTwo((day >> 5) & 15)}-${padToTwo(day & 31)} ${padToTwo(time >> 11)}:${padToTwo((time >> 5) & 63)}:${padToTwo((time & 31) * 2)}`,
  }
}

function parseExtraFields(extra: Buffer): Map<number, Buffer> {
  const fields = new Map<number, Buffer>()
  for (let at = 0; at < extra.length; at += 4 + extra.readUInt16LE(at + 2)) {
    fields.set(extra.readUInt16LE(at), extra.subarray(at + 4, at + 4 + extra.readUInt16LE(at + 2)))
  }
  return fields
}
