import type { Writable } from 'node:stream'

/** The size of the buffer that each client starts with. Small, so that a thousand very slow clients use little memory. */
const smallBytes = 16 * 1024
const largeBytes = 512 * 1024
const slowWriteMs = 1000

/** How many more clients may get large buffers. The limit bounds the memory that many slow clients can use. */
let largeLeft = 32
/** How many of the large buffers are reserved for clients that have read at least `fastAfterBytes`. */
const reservedForFast = 16
/** After how many bytes a client gets large buffers, while enough are left. */
const largeAfterBytes = 256 * 1024
/** After how many bytes a client counts as fast. One that reads nothing never does, because the socket buffers hold less. */
const fastAfterBytes = 8 * 1024 * 1024

const buffersByTarget = new WeakMap<Writable, ReturnType<typeof createBuffers>>()

/**
 * Returns the buffers for sending a response, which may consist of several files. Reusing buffers costs a third of what a stream
 * costs. A client starts with one small buffer. If it keeps reading, it gets two large ones, so that the next chunk is read while
 * the previous one is sent.
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
      const requiredBytes = largeLeft > reservedForFast ? largeAfterBytes : fastAfterBytes
      if (isClosed || hasTwo() || largeLeft === 0 || sentBytes < requiredBytes) return
      largeLeft--
      buffers = [Buffer.allocUnsafeSlow(largeBytes), Buffer.allocUnsafeSlow(largeBytes)]
    },
  }
}
