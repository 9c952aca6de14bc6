/** A file in a tar archive. */
export interface ArchiveEntry {
  name: string
  bytes: Buffer
  /** The header it was read with. */
  header?: Buffer
}

export function parseTar(tar: Buffer): ArchiveEntry[] {
  const entries: ArchiveEntry[] = []
  for (let offset = 0; tar[offset] !== 0; ) {
    const header = tar.subarray(offset, offset + 512)
    const size = Number.parseInt(header.toString('latin1', 124, 135), 8)
    entries.push({
      name: header.toString('latin1', 0, 100).replace(/\0.*$/s, ''),
      bytes: tar.subarray(offset + 512, offset + 512 + size),
      header,
    })
    offset += 512 + Math.ceil(size / 512) * 512
  }
  return entries
}

/** Replaces the text of the named entry. */
export const editEntry = (entries: ArchiveEntry[], name: string, edit: (text: string) => string): ArchiveEntry[] =>
  entries.map((entry) => (entry.name === name ? { ...entry, bytes: Buffer.from(edit(entry.bytes.toString())) } : entry))

/** Builds a tar archive with correct lengths and checksums. */
export function buildTar(entries: ArchiveEntry[]): Buffer {
  const blocks = entries.flatMap(({ name, bytes, header }) => [
    makeHeader(name, bytes.length, header),
    bytes,
    Buffer.alloc((512 - (bytes.length % 512)) % 512),
  ])
  return Buffer.concat([...blocks, Buffer.alloc(1024)])
}

function makeHeader(name: string, size: number, template: Buffer = Buffer.alloc(512)): Buffer {
  const header = Buffer.from(template)
  header.fill(0, 0, 100).write(name, 0, 'latin1')
  header.write(`${size.toString(8).padStart(11, '0')}\0`, 124)
  header.write(' '.repeat(8), 148)
  const sum = header.reduce((sum, byte) => sum + byte, 0)
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return header
}
