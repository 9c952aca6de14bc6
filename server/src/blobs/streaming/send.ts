import type { FileHandle } from 'node:fs/promises'
import { Readable, type Writable } from 'node:stream'
import type { ByteRange } from '../../lib/net/byte-range.ts'
import { BlobError, type OpenBlob } from '../blob-store.ts'
import { getSendBuffers } from './send-buffers.ts'

/** The size of one read when a file is streamed. */
const readBytes = 512 * 1024

/** A blob of at most this size is read when it is opened. That takes no more memory than the buffer of a slow client. */
export const smallBlobBytes = 16 * 1024

/** Wraps a blob that is already in memory. */
export function createMemoryBlob(bytes: Buffer): OpenBlob {
  const close = async () => undefined
  return {
    read: ({ start, end } = { start: 0, end: bytes.length }) =>
      Readable.from([bytes.subarray(start, end)], { objectMode: false }),
    async sendTo(to, { start, end } = { start: 0, end: bytes.length }) {
      using writer = createWriter(to)
      await writer.write(bytes.subarray(start, end))
    },
    close,
    [Symbol.asyncDispose]: close,
  }
}

export function createFileBlob(file: FileHandle, size: number): OpenBlob {
  const whole = { start: 0, end: size }
  const close = () => file.close()
  return {
    read(range = whole) {
      const stream = Readable.from(readFileChunks(file, range), { objectMode: false })
      return stream.once('close', () => close().catch(ignore))
    },
    sendTo: (to, range = whole) => sendFile(file, to, range),
    close,
    [Symbol.asyncDispose]: close,
  }
}

async function* readFileChunks(file: FileHandle, { start, end }: ByteRange) {
  for (let position = start; position < end; ) {
    const chunk = await readInto(Buffer.allocUnsafeSlow(Math.min(readBytes, end - position)), file, position)
    position += chunk.length
    yield chunk
  }
}

async function sendFile(file: FileHandle, to: Writable, { start, end }: ByteRange): Promise<void> {
  const buffers = getSendBuffers(to)
  let position = start
  let reading: Promise<Buffer> | undefined
  using writer = createWriter(to)
  const readNext = async () => {
    const chunk = await readInto(buffers.next().subarray(0, end - position), file, position)
    position += chunk.length
    return chunk
  }
  try {
    while (reading || position < end) {
      const chunk = await (reading ?? readNext())
      reading = buffers.hasTwo() && position < end ? readNext() : undefined
      reading?.catch(ignore) // handled where it is awaited, which may be later
      const startedAt = performance.now()
      await writer.write(chunk)
      buffers.recordWrite(chunk.length, performance.now() - startedAt)
    }
  } finally {
    await reading?.catch(ignore) // the file must not be closed during a read
  }
}

/** Writes one chunk after another. Fails with `cut` as soon as the other side disconnects. */
function createWriter(to: Writable): Disposable & { write(chunk: Buffer): Promise<void> } {
  let fail: (error: Error) => void = ignore
  const onClose = () => fail(new BlobError('cut', { cause: to.errored }))
  to.on('close', onClose)
  return {
    write: (chunk) =>
      new Promise<void>((resolve, reject) => {
        fail = reject
        if (to.destroyed) return onClose()
        to.write(chunk, (error) => (error ? reject(new BlobError('cut', { cause: error })) : resolve()))
      }),
    [Symbol.dispose]: () => void to.off('close', onClose),
  }
}

/** Reads into a buffer and returns the part that was filled. Fails if the file was truncated after it was opened. */
async function readInto(buffer: Buffer, file: FileHandle, position: number): Promise<Buffer> {
  const { bytesRead } = await file.read(buffer, 0, buffer.length, position)
  if (bytesRead === 0) throw new BlobError('damaged')
  return buffer.subarray(0, bytesRead)
}

const ignore = () => {}
