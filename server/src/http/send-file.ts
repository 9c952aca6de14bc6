import { createHash } from 'node:crypto'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** A small file that is served from memory. */
export interface SmallFile {
  type: string
  /** Weak, because the plain and the compressed bytes share one tag. */
  etag: string
  plain: Buffer
  br: Buffer | undefined
  gzip: Buffer | undefined
}

export const contentTypes: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
  '.txt': 'text/plain; charset=utf-8',
  // Data of pdf.js.
  '.wasm': 'application/wasm',
  '.bcmap': 'application/octet-stream',
  '.pfb': 'application/octet-stream',
  '.ttf': 'font/ttf',
}

export const computeEtag = (bytes: Buffer) => `W/"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`

/** Creates a file from a text that the server generates. Compresses it as the build of the web app compresses its files. */
export function createTextFile(extension: '.html' | '.css', text: string): SmallFile {
  const plain = Buffer.from(text)
  const isLarge = plain.length > 1024
  return {
    type: contentTypes[extension] ?? '',
    etag: computeEtag(plain),
    plain,
    br: isLarge ? brotliCompressSync(plain, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: plain.length } }) : undefined,
    gzip: isLarge ? gzipSync(plain) : undefined,
  }
}

/** Sends a file. Browsers cache it forever if its URL contains a hash of its content (`isHashed`), and otherwise revalidate it. */
export function sendFile(request: FastifyRequest, reply: FastifyReply, file: SmallFile, isHashed: boolean) {
  const { 'if-none-match': ifNoneMatch = '', 'accept-encoding': accepted = '' } = request.headers
  const vary = reply.getHeader('vary')
  reply.headers({
    'content-type': file.type,
    'cache-control': isHashed ? 'public, max-age=31536000, immutable' : 'no-cache',
    vary: vary ? `${vary}, Accept-Encoding` : 'Accept-Encoding',
    etag: file.etag,
  })
  if (reply.statusCode === 200 && matchesEtag(ifNoneMatch, file.etag)) return reply.code(304).send()
  if (file.br && acceptsEncoding(accepted, 'br')) return reply.header('content-encoding', 'br').send(file.br)
  if (file.gzip && acceptsEncoding(accepted, 'gzip')) return reply.header('content-encoding', 'gzip').send(file.gzip)
  return reply.send(file.plain)
}

/** Uses the weak comparison of RFC 9110, because proxies that compress weaken the tag. */
function matchesEtag(ifNoneMatch: string, etag: string) {
  const removeWeakPrefix = (tag: string) => tag.trim().replace(/^W\//, '')
  return ifNoneMatch.trim() === '*' || ifNoneMatch.split(',').some((tag) => removeWeakPrefix(tag) === removeWeakPrefix(etag))
}

/** Returns whether the encoding is listed without `q=0`. */
const acceptsEncoding = (accepted: string, encoding: string) =>
  accepted.split(',').some((item) => {
    const [name = '', ...parameters] = item.split(';').map((part) => part.trim().toLowerCase())
    return name === encoding && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter))
  })
