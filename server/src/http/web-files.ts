import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { screens } from '@neptune/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../lib/app-error.ts'

interface WebFile {
  type: string
  /** Weak, because the plain and the compressed bytes share one tag. */
  etag: string
  plain: Buffer
  br: Buffer | undefined
  gzip: Buffer | undefined
}

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
  '.txt': 'text/plain; charset=utf-8',
}

/** File names here contain a hash of the content, so the files never change. */
const assetsPrefix = '/assets/'

/**
 * Serves the built web app. Its few files are read once and looked up by exact name, so path traversal is impossible.
 * Every screen gets the same page. Everything else is 404, also shown as that page if `wantsPage` says so.
 */
export function addWebFiles(app: FastifyInstance, folder: string, policy: string) {
  const files = readFiles(folder)
  const page = files.get('/index.html')
  const publicRoute = { config: { access: 'public' } } as const

  for (const [path, file] of files) {
    if (file !== page && !path.startsWith(assetsPrefix))
      app.get(path, publicRoute, async (request, reply) => sendFile(request, reply, file, false))
  }
  // One route for all assets, because registering a route takes longer than serving a file.
  app.get<{ Params: { '*': string } }>(`${assetsPrefix}*`, publicRoute, async (request, reply) => {
    const file = files.get(`${assetsPrefix}${request.params['*']}`)
    return file ? sendFile(request, reply, file, true) : reply.callNotFound()
  })
  for (const screen of page ? Object.values(screens) : []) {
    app.get(screen.replaceAll(/\{(\w+)\}/g, ':$1'), publicRoute, async (request, reply) =>
      sendPage(request, reply, page as WebFile, policy),
    )
  }
  app.setNotFoundHandler(async (request, reply) => {
    if (!page || !wantsPage(request)) throw new AppError('route.not_found')
    return sendPage(request, reply.code(404), page, policy)
  })
}

function sendPage(request: FastifyRequest, reply: FastifyReply, page: WebFile, policy: string) {
  reply.headers({ 'content-security-policy': policy, 'x-robots-tag': 'noindex' }) // portals are not for search engines
  return sendFile(request, reply, page, false)
}

function sendFile(request: FastifyRequest, reply: FastifyReply, file: WebFile, isHashed: boolean) {
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

/** Returns whether a 404 is shown as a page. Programs, and scanners that look for `/.env`, get a problem document instead. */
function wantsPage({ method, url, headers }: FastifyRequest) {
  const path = url.split('?', 1)[0] ?? ''
  const isApi = path === '/v1' || path.startsWith('/v1/')
  const isSuspicious = /\/\.|%2e|%2f|%5c|%00|\\/i.test(path)
  return (method === 'GET' || method === 'HEAD') && /\btext\/html\b/.test(headers.accept ?? '') && !isApi && !isSuspicious
}

/** Caches the files by folder, because tests create many servers in one process. */
const cachedFolders = new Map<string, Map<string, WebFile>>()

function readFiles(folder: string): Map<string, WebFile> {
  const files = cachedFolders.get(folder) ?? readFolder(folder)
  cachedFolders.set(folder, files)
  return files
}

function readFolder(folder: string): Map<string, WebFile> {
  if (!existsSync(folder)) return new Map()
  const names = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length).replaceAll('\\', '/'))
  const read = (name: string) => (names.includes(name) ? readFileSync(join(folder, name)) : undefined)
  return new Map(
    names
      .filter((name) => extname(name) in types)
      .map((name) => {
        const plain = readFileSync(join(folder, name))
        const etag = `W/"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`
        return [name, { type: types[extname(name)] ?? '', etag, plain, br: read(`${name}.br`), gzip: read(`${name}.gz`) }]
      }),
  )
}
