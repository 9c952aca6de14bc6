import { crc32, deflateRawSync } from 'node:zlib'

/** Returns a ZIP with these files, in this order. The first one is not compressed, as OpenDocument requires. */
export function makeZip(files: Record<string, Buffer | string>): Buffer {
  const bodies: Buffer[] = []
  const index: Buffer[] = []
  let offset = 0
  for (const [position, [name, content]] of Object.entries(files).entries()) {
    const bytes = Buffer.from(content)
    const isStored = position === 0
    const packed = isStored ? bytes : deflateRawSync(bytes)
    const fields = Buffer.alloc(26)
    fields.writeUInt16LE(20, 0)
    fields.writeUInt16LE(isStored ? 0 : 8, 4)
    fields.writeUInt16LE(0x5a21, 8) // a date
    fields.writeUInt32LE(crc32(bytes), 10)
    fields.writeUInt32LE(packed.length, 14)
    fields.writeUInt32LE(bytes.length, 18)
    fields.writeUInt16LE(name.length, 22)
    const tail = Buffer.alloc(14)
    tail.writeUInt32LE(offset, 10)
    const body = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), fields, Buffer.from(name), packed])
    index.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\x00', 'latin1'), fields, tail, Buffer.from(name)]))
    bodies.push(body)
    offset += body.length
  }
  const directory = Buffer.concat(index)
  const end = Buffer.alloc(18)
  end.writeUInt16LE(index.length, 4)
  end.writeUInt16LE(index.length, 6)
  end.writeUInt32LE(directory.length, 8)
  end.writeUInt32LE(offset, 12)
  return Buffer.concat([...bodies, directory, Buffer.from('PK\x05\x06', 'latin1'), end])
}
