/** Bytes from `start` up to, but not including, `end`, as in `slice()`. Only HTTP headers include the last byte. */
export interface ByteRange {
  start: number
  end: number
}

/** The part of a representation to send: a range is sent with 206, `whole` with 200; `unsatisfiable` is 416. */
export type ResolvedRange = ByteRange | 'whole' | 'unsatisfiable'

/**
 * Evaluates `Range` and `If-Range` (RFC 9110). A header that is malformed or in another unit is ignored. A request for several
 * ranges gets the whole representation, which the RFC allows, so that no client can make the server assemble a thousand parts.
 */
export function resolveRange(
  headers: { range?: string | undefined; ifRange?: string | undefined },
  current: { size: number; etag: string; lastModified?: Date },
): ResolvedRange {
  if (headers.range === undefined || !matchesIfRange(headers.ifRange, current)) return 'whole'
  const [, first = '', last = ''] = /^\s*bytes\s*=\s*(\d*)-(\d*)\s*$/i.exec(headers.range) ?? []
  return first ? resolveIntRange(Number(first), last ? Number(last) : Infinity, current.size) : resolveSuffix(last, current.size)
}

/** Returns the `Content-Range` of a 206 or, without a range, of a 416. */
export const formatContentRange = (range: ByteRange | undefined, size: number) =>
  range ? `bytes ${range.start}-${range.end - 1}/${size}` : `bytes */${size}`

/** Compares strongly: a weak tag does not guarantee the same bytes, so a range could not be combined with what the client has. */
function matchesIfRange(ifRange: string | undefined, { etag, lastModified }: { etag: string; lastModified?: Date }): boolean {
  if (ifRange === undefined) return true
  const isTag = ifRange.startsWith('"') || ifRange.startsWith('W/')
  return isTag ? ifRange === etag && !etag.startsWith('W/') : ifRange === lastModified?.toUTCString()
}

function resolveIntRange(first: number, last: number, size: number): ResolvedRange {
  if (last < first) return 'whole'
  return first < size ? { start: first, end: Math.min(last + 1, size) } : 'unsatisfiable'
}

function resolveSuffix(suffix: string, size: number): ResolvedRange {
  // `-` alone is malformed. An empty representation has no last bytes, and a 206 cannot express an empty range.
  if (suffix === '' || (size === 0 && Number(suffix) > 0)) return 'whole'
  return Number(suffix) > 0 ? { start: Math.max(0, size - Number(suffix)), end: size } : 'unsatisfiable'
}
