const minChunks = 4096
const tinyBytes = 8

/**
 * Returns a function to call with each chunk of a body; it returns true once the body arrives in tiny chunks. Buffering and
 * passing on one byte costs as much as 64 KiB, so a client that uploads a file like that is an attack. Even someone typing into a
 * terminal sends larger chunks, or fewer.
 */
export function createTinyChunkDetector() {
  let chunks = 0
  let bytes = 0
  return ({ length }: Uint8Array): boolean => {
    chunks += 1
    bytes += length
    return chunks > minChunks && bytes < chunks * tinyBytes
  }
}
