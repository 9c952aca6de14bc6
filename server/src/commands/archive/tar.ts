import type { FileHandle } from 'node:fs/promises'

// The part of the tar format (POSIX ustar) that a backup needs: regular files with short names.

const blockSize = 512
const chunkSize = 512 * 1024

export interface TarEntry {
  name: string
  size: number
  /** The offset of its bytes in the tar file. */
  offset: number
}

/** Writes one file after the other. After `begin`, the caller must write exactly the announced number of bytes, and call `end`. */
export class TarWriter {
  position = 0
  readonly #file: FileHandle
  readonly #mtime: Date

  constructor(file: FileHandle, mtime: Date) {
    this.#file = file
    this.#mtime = mtime
  }

  async begin(name: string, size: number): Promise<TarEntry> {
    await this.write(buildHeader(name, size, this.#mtime))
    return { name, size, offset: this.position }
  }

  async write(bytes: Uint8Array): Promise<void> {
    for (let at = 0; at < bytes.length; ) {
      const { bytesWritten } = await this.#file.write(bytes, at, bytes.length - at, this.position)
      at += bytesWritten
      this.position += bytesWritten
    }
  }

  /** Ends a file by padding its last block. */
  async end(): Promise<void> {
    await this.write(Buffer.alloc((blockSize - (this.position % blockSize)) % blockSize))
  }

  async add(name: string, bytes: Uint8Array): Promise<TarEntry> {
    const entry = await this.begin(name, bytes.length)
    await this.write(bytes)
    await this.end()
    return entry
  }

  /** Writes the two empty blocks that end an archive. */
  async finish(): Promise<void> {
    await this.write(Buffer.alloc(2 * blockSize))
  }
}

function buildHeader(name: string, size: number, mtime: Date): Buffer {
  const header = Buffer.alloc(blockSize)
  if (name.length > 100) throw new Error(`The name ${name} is too long for a tar file`)
  header.write(name, 0, 'latin1')
  header.write('0000600\0', 100)
  header.write('0000000\0', 108)
  header.write('0000000\0', 116)
  // Eleven octal digits end at 8 GiB. Larger sizes are binary, marked by the highest bit (a GNU extension).
  if (size < 8 ** 11) header.write(`${size.toString(8).padStart(11, '0')}\0`, 124)
  else {
    header[124] = 0x80
    header.writeBigUInt64BE(BigInt(size), 128)
  }
  header.write(
    `${Math.floor(mtime.getTime() / 1000)
      .toString(8)
      .padStart(11, '0')}\0`,
    136,
  )
  header.write('0', 156)
  header.write('ustar\x0000', 257, 'latin1')
  header.write(`${computeChecksum(header).toString(8).padStart(6, '0')}\0 `, 148)
  return header
}

/** Sums the bytes of a header, with the checksum field as spaces. */
function computeChecksum(header: Buffer): number {
  let sum = 8 * 0x20
  for (let i = 0; i < blockSize; i++) if (i < 148 || i >= 156) sum += header[i] ?? 0
  return sum
}

/** Yields every entry of a tar file, without its bytes. Throws if the file is not a tar or is cut off. */
export async function* readEntries(file: FileHandle): AsyncGenerator<TarEntry> {
  const { size: total } = await file.stat()
  for (let position = 0; ; ) {
    const header = await readAt(file, position, blockSize)
    if (header.every((byte) => byte === 0)) return
    if (Number.parseInt(header.toString('latin1', 148, 154), 8) !== computeChecksum(header)) throw new TarError()
    const name = header.toString('latin1', 0, 100).replace(/\0.*$/s, '')
    const isLarge = ((header[124] ?? 0) & 0x80) !== 0
    const size = isLarge ? Number(header.readBigUInt64BE(128)) : Number.parseInt(header.toString('latin1', 124, 135), 8)
    const offset = position + blockSize
    if (!Number.isSafeInteger(size) || size < 0 || offset + size > total) throw new TarError()
    yield { name, size, offset }
    position = offset + Math.ceil(size / blockSize) * blockSize
  }
}

export class TarError extends Error {
  override name = 'TarError'
}

export async function* readChunks(file: FileHandle, { offset, size }: TarEntry): AsyncGenerator<Buffer> {
  for (let at = 0; at < size; ) {
    const chunk = await readAt(file, offset + at, Math.min(chunkSize, size - at))
    at += chunk.length
    yield chunk
  }
}

/** Reads an entry that fits into memory. */
export const readEntry = (file: FileHandle, { offset, size }: TarEntry) => readAt(file, offset, size)

async function readAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(length)
  for (let at = 0; at < length; ) {
    const { bytesRead } = await file.read(bytes, at, length - at, position + at)
    if (bytesRead === 0) throw new TarError()
    at += bytesRead
  }
  return bytes
}
