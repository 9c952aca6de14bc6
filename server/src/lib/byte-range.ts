/** Bytes from `start` up to, but not including, `end`: as slice() counts, everywhere in the code. Only headers count otherwise. */
export interface ByteRange {
  start: number
  end: number
}

/** What of a representation is asked for. `whole` is 200, a range 206, `unsatisfiable` 416. */
export type ResolvedRange = ByteRange | 'whole' | 'unsatisfiable'

/**
 * Reads `Range` and `If-Range` as RFC 9110 has it. A header that is malformed or in another unit counts as absent, and several
 * ranges get everything: that is allowed, and nobody can make us assemble a thousand pieces.
 */
export function resolveRange(
  headers: { range?: string | undefined; ifRange?: string | undefined },
  current: { size: number; etag: string; lastModified?: Date },
): ResolvedRange {
  if (headers.range === undefined || !stillHolds(headers.ifRange, current)) return 'whole'
  const [, first = '', last = ''] = /^\s*bytes\s*=\s*(\d*)-(\d*)\s*$/i.exec(headers.range) ?? []
  return first ? fromStart(Number(first), last ? Number(last) : Infinity, current.size) : fromEnd(last, current.size)
}

/** The header of a 206, or with no range that of a 416. */
export const contentRange = (range: ByteRange | undefined, size: number) =>
  range ? `bytes ${range.start}-${range.end - 1}/${size}` : `bytes */${size}`

/** A piece fits to what the client already has only if that came from the very same bytes; a weak tag does not promise that. */
function stillHolds(ifRange: string | undefined, { etag, lastModified }: { etag: string; lastModified?: Date }): boolean {
  if (ifRange === undefined) return true
  const isTag = ifRange.startsWith('"') || ifRange.startsWith('W/')
  return isTag ? ifRange === etag && !etag.startsWith('W/') : ifRange === lastModified?.toUTCString()
}

function fromStart(first: number, last: number, size: number): ResolvedRange {
  if (last < first) return 'whole'
  return first < size ? { start: first, end: Math.min(last + 1, size) } : 'unsatisfiable'
}

function fromEnd(suffix: string, size: number): ResolvedRange {
  // No digits at all is malformed. The last bytes of nothing are nothing, which no 206 can say.
  if (suffix === '' || (size === 0 && Number(suffix) > 0)) return 'whole'
  return Number(suffix) > 0 ? { start: Math.max(0, size - Number(suffix)), end: size } : 'unsatisfiable'
}
