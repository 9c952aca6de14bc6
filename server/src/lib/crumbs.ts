const few = 4096
const small = 8

/**
 * Says whether a body comes in crumbs. A chunk of one byte costs as much to hold and to pass on as one of 64 KiB, so whoever sends a
 * file like that means harm. Even a terminal that somebody types into sends more at a time, or fewer.
 */
export function createTinyChunkDetector() {
  let chunks = 0
  let bytes = 0
  return ({ length }: Uint8Array): boolean => {
    chunks += 1
    bytes += length
    return chunks > few && bytes < chunks * small
  }
}
