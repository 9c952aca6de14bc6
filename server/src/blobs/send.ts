import type { FileHandle } from 'node:fs/promises'
import { Readable, type Writable } from 'node:stream'
import type { ByteRange } from '../lib/byte-range.ts'
import { BlobError, type OpenBlob } from './blob-store.ts'
import { buffersFor } from './send-buffers.ts'

/** Of a file that is read as a stream. */
const pieceBytes = 512 * 1024

/** What has no more is read as it is opened: it takes no more memory than a slow client's buffer. */
export const wholeBytes = 16 * 1024

/** One that is in memory already. */
export function heldBlob(bytes: Buffer): OpenBlob {
  const close = async () => undefined
  return {
    read: ({ start, end } = { start: 0, end: bytes.length }) =>
      Readable.from([bytes.subarray(start, end)], { objectMode: false }),
    async sendTo(to, { start, end } = { start: 0, end: bytes.length }) {
      using writer = writerTo(to)
      await writer.write(bytes.subarray(start, end))
    },
    close,
    [Symbol.asyncDispose]: close,
  }
}

export function openBlob(file: FileHandle, size: number): OpenBlob {
  const whole = { start: 0, end: size }
  const close = () => file.close()
  return {
    read(range = whole) {
      const stream = Readable.from(chunksOf(file, range), { objectMode: false })
      return stream.once('close', () => close().catch(ignore))
    },
    sendTo: (to, range = whole) => sendFile(file, to, range),
    close,
    [Symbol.asyncDispose]: close,
  }
}

async function* chunksOf(file: FileHandle, { start, end }: ByteRange) {
  for (let position = start; position < end; ) {
    const chunk = await readInto(Buffer.allocUnsafeSlow(Math.min(pieceBytes, end - position)), file, position)
    position += chunk.length
    yield chunk
  }
}

/** Writes a piece of a file into a socket. */
async function sendFile(file: FileHandle, to: Writable, { start, end }: ByteRange): Promise<void> {
  const buffers = buffersFor(to)
  let position = start
  let reading: Promise<Buffer> | undefined
  using writer = writerTo(to)
  const readNext = async () => {
    const chunk = await readInto(buffers.next().subarray(0, end - position), file, position)
    position += chunk.length
    return chunk
  }
  try {
    while (reading || position < end) {
      const chunk = await (reading ?? readNext())
      reading = buffers.areTwo() && position < end ? readNext() : undefined
      reading?.catch(ignore) // seen where it is awaited, which may be later
      const startedAt = performance.now()
      await writer.write(chunk)
      buffers.taken(chunk.length, performance.now() - startedAt)
    }
  } finally {
    await reading?.catch(ignore) // a file is closed only when nobody reads from it any more
  }
}

/** Writes one chunk after the other, and fails with `cut` as soon as the other side goes away. */
function writerTo(to: Writable): Disposable & { write(chunk: Buffer): Promise<void> } {
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

/** Fills as much as the file gives. A file that ends early was cut after it was opened. */
async function readInto(buffer: Buffer, file: FileHandle, position: number): Promise<Buffer> {
  const { bytesRead } = await file.read(buffer, 0, buffer.length, position)
  if (bytesRead === 0) throw new BlobError('damaged')
  return buffer.subarray(0, bytesRead)
}

const ignore = () => {}
