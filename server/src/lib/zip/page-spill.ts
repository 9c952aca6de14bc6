import { type FileHandle, open, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { newId } from '../secrets.ts'

/** The maximum number of bytes to keep in memory. The rest goes to a file. */
const maxMemoryBytes = 256 * 1024
const lengthBytes = 4

export type PageSpill<Row> = ReturnType<typeof createPageSpill<Row>>

/**
 * Stores pages of rows that can be read repeatedly, in a fixed amount of memory however many there are. Small amounts stay in
 * memory; the rest goes to an unlinked file in `folder`, which disappears when the process ends.
 */
export function createPageSpill<Row>(folder: string) {
  /** The pages in memory, in the format of the file: the length of a page, then the page. So every second buffer is a page. */
  let memoryPages: Buffer[] = []
  let memoryBytes = 0
  let file: FileHandle | undefined
  let fileBytes = 0

  async function spill() {
    file ??= await openUnlinked(folder)
    const bytes = Buffer.concat(memoryPages)
    for (let done = 0; done < bytes.length; ) {
      done += (await file.write(bytes, done, bytes.length - done, fileBytes + done)).bytesWritten
    }
    fileBytes += bytes.length
    memoryPages = []
    memoryBytes = 0
  }

  return {
    async append(page: Row[]) {
      const bytes = Buffer.from(JSON.stringify(page))
      const length = Buffer.alloc(lengthBytes)
      length.writeUInt32LE(bytes.length)
      memoryPages.push(length, bytes)
      memoryBytes += lengthBytes + bytes.length
      if (memoryBytes > maxMemoryBytes) await spill()
    },

    /** Yields every page, from the first one on. */
    async *read(): AsyncGenerator<Row[]> {
      for (let position = 0; file && position < fileBytes; ) {
        const length = (await readExactly(file, position, lengthBytes)).readUInt32LE()
        yield JSON.parse((await readExactly(file, position + lengthBytes, length)).toString())
        position += lengthBytes + length
      }
      for (let i = 1; i < memoryPages.length; i += 2) yield JSON.parse(String(memoryPages[i]))
    },

    close: async () => file?.close(),
  }
}

async function openUnlinked(folder: string): Promise<FileHandle> {
  const path = join(folder, `spill-${newId()}`)
  const file = await open(path, 'wx+', 0o600)
  await unlink(path)
  return file
}

async function readExactly(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const buffer = Buffer.allocUnsafe(length)
  for (let done = 0; done < length; ) {
    const { bytesRead } = await file.read(buffer, done, length - done, position + done)
    if (bytesRead === 0) throw new Error('The spill file is shorter than expected')
    done += bytesRead
  }
  return buffer
}
