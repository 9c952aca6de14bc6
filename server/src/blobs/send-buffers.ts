import type { Writable } from 'node:stream'

/** A thousand readers who take next to nothing hold one each. */
const small = 16 * 1024
const large = 512 * 1024
const slowAfter = 1000

/** How many may have large buffers at a time, so that a crowd of slow clients cannot make us hold more than this. */
let largeLeft = 32
/** While there are more than these, whoever has taken a little gets some; these are for those who have taken much. */
const forProven = 16
const little = 256 * 1024
/** More than the sockets between us and a client that reads nothing would swallow. */
const much = 8 * 1024 * 1024

const kept = new WeakMap<Writable, ReturnType<typeof openBuffers>>()

/**
 * What an answer is sent with, from file to file if it has several: the same buffers again and again, which costs a third of a stream.
 * A client begins with a small one. Who keeps taking gets two large ones, so that the next is read while the last is sent.
 */
export function buffersFor(to: Writable) {
  const known = kept.get(to)
  if (known) return known
  const buffers = openBuffers()
  kept.set(to, buffers)
  to.once('close', buffers.end)
  return buffers
}

function openBuffers() {
  let buffers = [Buffer.allocUnsafeSlow(small)]
  let turn = 0
  let taken = 0
  let isOver = false
  const areTwo = () => buffers.length > 1
  const shrink = () => {
    if (areTwo()) largeLeft++
    buffers = [Buffer.allocUnsafeSlow(small)]
    taken = 0
  }
  return {
    areTwo,
    end() {
      isOver = true
      shrink()
    },
    next: () => buffers[turn++ % buffers.length] ?? Buffer.alloc(0),
    taken(bytes: number, milliseconds: number) {
      if (milliseconds > slowAfter) return shrink()
      taken += bytes
      if (isOver || areTwo() || largeLeft === 0 || taken < (largeLeft > forProven ? little : much)) return
      largeLeft--
      buffers = [Buffer.allocUnsafeSlow(large), Buffer.allocUnsafeSlow(large)]
    },
  }
}
