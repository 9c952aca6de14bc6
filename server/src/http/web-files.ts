import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { screens } from '@neptune/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../lib/app-error.ts'
import { pagePolicy } from './headers.ts'

interface WebFile {
  type: string
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
}

/**
 * Serves the built web. Its few files are read once and looked up by exact name, so there is no path to climb out of.
 * Screens of the product get the page; anything else is not found, and a browser is shown so by the same page.
 */
export function addWebFiles(app: FastifyInstance, folder: string) {
  const files = readFiles(folder)
  const page = files.get('/index.html')
  const open = { config: { access: 'public' } } as const

  for (const [path, file] of files) {
    if (file !== page) app.get(path, open, async (request, reply) => sendFile(request, reply, file, path.startsWith('/assets/')))
  }
  for (const screen of page ? screens : []) {
    app.get(screen.replaceAll(/\{(\w+)\}/g, ':$1'), open, async (request, reply) => sendPage(request, reply, page as WebFile))
  }
  app.setNotFoundHandler(async (request, reply) => {
    if (!page || !wantsPage(request)) throw new AppError('route.not_found')
    return sendPage(request, reply.code(404), page)
  })
}

function sendPage(request: FastifyRequest, reply: FastifyReply, page: WebFile) {
  reply.header('content-security-policy', pagePolicy)
  if (request.url.startsWith('/access/')) reply.header('x-robots-tag', 'noindex')
  return sendFile(request, reply, page, false)
}

function sendFile(request: FastifyRequest, reply: FastifyReply, file: WebFile, isHashed: boolean) {
  reply.headers({
    'content-type': file.type,
    'cache-control': isHashed ? 'public, max-age=31536000, immutable' : 'no-cache',
    vary: 'accept-encoding',
    etag: file.etag,
  })
  if (request.headers['if-none-match'] === file.etag && reply.statusCode === 200) return reply.code(304).send()
  const accepted = request.headers['accept-encoding'] ?? ''
  if (file.br && /\bbr\b/.test(accepted)) return reply.header('content-encoding', 'br').send(file.br)
  if (file.gzip && /\bgzip\b/.test(accepted)) return reply.header('content-encoding', 'gzip').send(file.gzip)
  return reply.send(file.plain)
}

/** A person who mistyped an address sees our page say so; a program, or a hunt for `/.env`, gets a plain 404. */
function wantsPage({ method, url, headers }: FastifyRequest) {
  const path = url.split('?', 1)[0] ?? ''
  return (
    method === 'GET' && /\btext\/html\b/.test(headers.accept ?? '') && /^(\/[\w~-]+)+\/?$/.test(path) && !path.startsWith('/v1/')
  )
}

function readFiles(folder: string): Map<string, WebFile> {
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
        const etag = `"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`
        return [name, { type: types[extname(name)] ?? '', etag, plain, br: read(`${name}.br`), gzip: read(`${name}.gz`) }]
      }),
  )
}
