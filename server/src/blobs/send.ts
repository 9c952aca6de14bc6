import type { FileHandle } from 'node:fs/promises'
import { Readable, type Writable } from 'node:stream'
import type { ByteRange } from '../lib/byte-range.ts'
import { BlobError, type OpenBlob } from './blob-store.ts'

/** A thousand readers who take next to nothing hold one each. */
const small = 16 * 1024
const large = 512 * 1024
/** More than the sockets between us and a client that reads nothing would swallow. */
const provenAfter = 8 * 1024 * 1024
const slowAfter = 1000

/** How many transfers may have large buffers at a time, so that a crowd of slow clients cannot make us hold more than this. */
let largeLeft = 32

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
    const chunk = await readInto(Buffer.allocUnsafeSlow(Math.min(large, end - position)), file, position)
    position += chunk.length
    yield chunk
  }
}

/**
 * Writes a piece of a file into a socket. The same buffers are used again and again, which costs a third of a stream. A client begins with
 * one small buffer; one that keeps taking gets two large ones, so that the next is read while the last is sent.
 */
async function sendFile(file: FileHandle, to: Writable, { start, end }: ByteRange): Promise<void> {
  let buffers = [Buffer.allocUnsafeSlow(Math.min(small, end - start))]
  let position = start
  let turn = 0
  let proven = 0
  let reading: Promise<Buffer> | undefined
  let fail: (error: Error) => void = ignore
  const onClose = () => fail(new BlobError('cut', { cause: to.errored }))

  const readNext = async () => {
    const buffer = buffers[turn++ % buffers.length] ?? Buffer.alloc(0)
    const chunk = await readInto(buffer.subarray(0, end - position), file, position)
    position += chunk.length
    return chunk
  }
  const write = (chunk: Buffer) =>
    new Promise<void>((resolve, reject) => {
      fail = reject
      if (to.destroyed) return onClose()
      to.write(chunk, (error) => (error ? reject(new BlobError('cut', { cause: error })) : resolve()))
    })
  const grow = () => {
    if (buffers.length > 1 || largeLeft === 0) return
    largeLeft--
    buffers = [Buffer.allocUnsafeSlow(large), Buffer.allocUnsafeSlow(large)]
  }
  const shrink = () => {
    if (buffers.length > 1) largeLeft++
    buffers = [Buffer.allocUnsafeSlow(small)]
  }

  to.on('close', onClose)
  try {
    while (reading || position < end) {
      const chunk = await (reading ?? readNext())
      reading = buffers.length > 1 && position < end ? readNext() : undefined
      reading?.catch(ignore) // seen where it is awaited, which may be later
      const startedAt = performance.now()
      await write(chunk)
      const isSlow = performance.now() - startedAt > slowAfter
      proven = isSlow ? 0 : proven + chunk.length
      if (isSlow) shrink()
      else if (proven >= provenAfter) grow()
    }
  } finally {
    to.off('close', onClose)
    await reading?.catch(ignore) // a file is closed only when nobody reads from it any more
    if (buffers.length > 1) largeLeft++
  }
}

/** Fills as much as the file gives. A file that ends early was cut after it was opened. */
async function readInto(buffer: Buffer, file: FileHandle, position: number): Promise<Buffer> {
  const { bytesRead } = await file.read(buffer, 0, buffer.length, position)
  if (bytesRead === 0) throw new BlobError('damaged')
  return buffer.subarray(0, bytesRead)
}

const ignore = () => {}
