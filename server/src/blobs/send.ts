import type { FileHandle } from 'node:fs/promises'
import { Readable, type Writable } from 'node:stream'
import type { ByteRange } from '../lib/byte-range.ts'
import { BlobError, type OpenBlob } from './blob-store.ts'
import { buffersFor } from './send-buffers.ts'

/** Of a file that is read as a stream. */
const pieceBytes = 512 * 1024

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
  let fail: (error: Error) => void = ignore
  const onClose = () => fail(new BlobError('cut', { cause: to.errored }))

  const readNext = async () => {
    const chunk = await readInto(buffers.next().subarray(0, end - position), file, position)
    position += chunk.length
    return chunk
  }
  const write = (chunk: Buffer) =>
    new Promise<void>((resolve, reject) => {
      fail = reject
      if (to.destroyed) return onClose()
      to.write(chunk, (error) => (error ? reject(new BlobError('cut', { cause: error })) : resolve()))
    })

  to.on('close', onClose)
  try {
    while (reading || position < end) {
      const chunk = await (reading ?? readNext())
      reading = buffers.areTwo() && position < end ? readNext() : undefined
      reading?.catch(ignore) // seen where it is awaited, which may be later
      const startedAt = performance.now()
      await write(chunk)
      buffers.taken(chunk.length, performance.now() - startedAt)
    }
  } finally {
    to.off('close', onClose)
    await reading?.catch(ignore) // a file is closed only when nobody reads from it any more
  }
}

/** Fills as much as the file gives. A file that ends early was cut after it was opened. */
async function readInto(buffer: Buffer, file: FileHandle, position: number): Promise<Buffer> {
  const { bytesRead } = await file.read(buffer, 0, buffer.length, position)
  if (bytesRead === 0) throw new BlobError('damaged')
  return buffer.subarray(0, bytesRead)
}

const ignore = () => {}
