import type { Writable } from 'node:stream'

/** Each client starts with one of these, so a thousand very slow clients use little memory. */
const smallBytes = 16 * 1024
const largeBytes = 512 * 1024
const slowWriteMs = 1000

/** How many more clients may get large buffers. Limits the memory that many slow clients can use. */
let largeLeft = 32
/** The last of the large buffers are reserved for clients that have read at least `fastAfterBytes`. */
const largeForFast = 16
const largeAfterBytes = 256 * 1024
/** More than the socket buffers between us and a client that reads nothing can hold. */
const fastAfterBytes = 8 * 1024 * 1024

const buffersByTarget = new WeakMap<Writable, ReturnType<typeof createBuffers>>()

/**
 * Returns the buffers for sending a response, which may consist of several files. Reusing them costs a third of a stream. A
 * client starts with one small buffer. One that keeps reading gets two large ones, so that the next chunk is read while the
 * last is sent.
 */
export function getSendBuffers(to: Writable) {
  const existing = buffersByTarget.get(to)
  if (existing) return existing
  const buffers = createBuffers()
  buffersByTarget.set(to, buffers)
  to.once('close', buffers.end)
  return buffers
}

function createBuffers() {
  let buffers = [Buffer.allocUnsafeSlow(smallBytes)]
  let turn = 0
  let sentBytes = 0
  let isClosed = false
  const hasTwo = () => buffers.length > 1
  const shrink = () => {
    if (hasTwo()) largeLeft++
    buffers = [Buffer.allocUnsafeSlow(smallBytes)]
    sentBytes = 0
  }
  return {
    hasTwo,
    end() {
      isClosed = true
      shrink()
    },
    next: () => buffers[turn++ % buffers.length] ?? Buffer.alloc(0),
    recordWrite(bytes: number, durationMs: number) {
      if (durationMs > slowWriteMs) return shrink()
      sentBytes += bytes
      const requiredBytes = largeLeft > largeForFast ? largeAfterBytes : fastAfterBytes
      if (isClosed || hasTwo() || largeLeft === 0 || sentBytes < requiredBytes) return
      largeLeft--
      buffers = [Buffer.allocUnsafeSlow(largeBytes), Buffer.allocUnsafeSlow(largeBytes)]
    },
  }
}
