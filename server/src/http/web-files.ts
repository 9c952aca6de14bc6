import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { screens } from '@neptune/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../lib/app-error.ts'
import { createPageWriter, type PageBrand } from './branded-page.ts'
import { workerPolicy } from './headers.ts'
import { computeEtag, contentTypes, type SmallFile, sendFile } from './send-file.ts'

/** File names here contain a hash of the content, so the files never change. */
const assetsPrefix = '/assets/'

interface Options {
  folder: string
  /** The content security policy of the page. */
  policy: string
  /** Returns what to write into the page; undefined to send it as it was built. Returns the same object until something changes. */
  readBrand: () => Promise<PageBrand | undefined>
}

/**
 * Serves the built web app. Its few files are read once and looked up by exact name, so path traversal is impossible.
 * Every screen gets the same page. Any other path gets a 404, with that page if `wantsPage` returns true.
 */
export function addWebFiles(app: FastifyInstance, options: Options) {
  const files = readFiles(options.folder)
  const page = files.get('/index.html')
  const sendPage = page && createPageSender(page, options)
  const publicRoute = { config: { access: 'public' } } as const

  for (const [path, file] of files) {
    if (file !== page && !path.startsWith(assetsPrefix))
      app.get(path, publicRoute, async (request, reply) => sendFile(request, reply, file, false))
  }
  // One route for all assets, because registering a route takes longer than serving a file.
  app.get<{ Params: { '*': string } }>(`${assetsPrefix}*`, publicRoute, async (request, reply) => {
    const name = request.params['*']
    const file = files.get(`${assetsPrefix}${name}`)
    if (file && isWorker(name)) reply.header('content-security-policy', workerPolicy)
    return file ? sendFile(request, reply, file, true) : reply.callNotFound()
  })
  if (sendPage)
    for (const screen of Object.values(screens)) app.get(screen.replaceAll(/\{(\w+)\}/g, ':$1'), publicRoute, sendPage)
  app.setNotFoundHandler(async (request, reply) => {
    if (!sendPage || !wantsPage(request)) throw new AppError('route.not_found')
    return sendPage(request, reply.code(404))
  })
}

const isWorker = (name: string) => /\.worker\b.*\.m?js$/.test(name)

function createPageSender(page: SmallFile, { policy, readBrand }: Options) {
  const writePage = createPageWriter(page)
  return async (request: FastifyRequest, reply: FastifyReply) => {
    reply.headers({ 'content-security-policy': policy, 'x-robots-tag': 'noindex' }) // portals are not for search engines
    return sendFile(request, reply, writePage(await readBrand()), false)
  }
}

/** Returns whether a 404 is shown as a page. Programs, and scanners that look for `/.env`, get a problem document instead. */
function wantsPage({ method, url, headers }: FastifyRequest) {
  const path = url.split('?', 1)[0] ?? ''
  const isApi = path === '/v1' || path.startsWith('/v1/')
  const isSuspicious = /\/\.|%2e|%2f|%5c|%00|\\/i.test(path)
  return (method === 'GET' || method === 'HEAD') && /\btext\/html\b/.test(headers.accept ?? '') && !isApi && !isSuspicious
}

/** Caches the files by folder, because tests create many servers in one process. */
const cachedFolders = new Map<string, Map<string, SmallFile>>()

function readFiles(folder: string): Map<string, SmallFile> {
  const files = cachedFolders.get(folder) ?? readFolder(folder)
  cachedFolders.set(folder, files)
  return files
}

function readFolder(folder: string): Map<string, SmallFile> {
  if (!existsSync(folder)) return new Map()
  const names = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length).replaceAll('\\', '/'))
  const read = (name: string) => (names.includes(name) ? readFileSync(join(folder, name)) : undefined)
  return new Map(
    names
      .filter((name) => extname(name) in contentTypes)
      .map((name) => {
        const plain = readFileSync(join(folder, name))
        const type = contentTypes[extname(name)] ?? ''
        return [name, { type, etag: computeEtag(plain), plain, br: read(`${name}.br`), gzip: read(`${name}.gz`) }]
      }),
  )
}
