import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Fastify from 'fastify'
import { afterAll, describe, expect, it } from 'vitest'
import type { PageBrand } from './branded-page.ts'
import { addErrorHandler } from './errors.ts'
import { buildPagePolicy, workerPolicy } from './headers.ts'
import { addWebFiles } from './web-files.ts'

const folder = mkdtempSync(join(tmpdir(), 'neptune-web-'))
mkdirSync(join(folder, 'assets'))
for (const [name, text] of Object.entries({
  'index.html': '<title>Neptune</title>',
  'assets/a-1.js': 'plain',
  'assets/a-1.js.br': 'brotli',
  'assets/a-1.js.gz': 'gzipped',
  'assets/parser.worker.min-1.mjs': 'worker',
  '.built-from': 'private',
})) {
  writeFileSync(join(folder, name), text)
}
afterAll(() => rmSync(folder, { recursive: true }))

const app = Fastify()
addErrorHandler(app)
const brand = { current: undefined as PageBrand | undefined }
addWebFiles(app, { folder, policy: buildPagePolicy({}), readBrand: async () => brand.current })
const get = (url: string, headers = {}, method: 'GET' | 'HEAD' = 'GET') => app.inject({ method, url, headers })

describe('a web file', () => {
  it.each([
    ['br, gzip', 'brotli'],
    ['gzip, deflate', 'gzipped'],
    ['br;q=0, gzip;q=0.5', 'gzipped'],
    ['br;q=0, gzip;q=0.0', 'plain'],
    ['identity', 'plain'],
    ['', 'plain'],
  ])('is sent in an accepted encoding: %s', async (accepted, body) => {
    const reply = await get('/assets/a-1.js', { 'accept-encoding': accepted })
    expect(reply.body).toBe(body)
    expect(reply.headers['vary']).toBe('Accept-Encoding')
    expect(reply.headers['cache-control']).toBe('public, max-age=31536000, immutable')
  })

  it('has a policy that allows WebAssembly but no loading, if it is a worker', async () => {
    const reply = await get('/assets/parser.worker.min-1.mjs')
    expect(reply.headers['content-type']).toBe('text/javascript; charset=utf-8')
    expect(reply.headers['content-security-policy']).toBe(workerPolicy)
    expect(workerPolicy).not.toMatch(/connect-src|'unsafe|'self'/)
    expect((await get('/assets/a-1.js')).headers['content-security-policy']).toBeUndefined() // that of every reply, set elsewhere
  })

  it('is answered with 304 for a matching ETag, even if a proxy weakened it or sends several', async () => {
    const etag = String((await get('/assets/a-1.js')).headers['etag'])
    for (const ifNoneMatch of [etag, etag.replace('W/', ''), `"other", ${etag}`, '*']) {
      expect((await get('/assets/a-1.js', { 'if-none-match': ifNoneMatch })).statusCode).toBe(304)
    }
    expect((await get('/assets/a-1.js', { 'if-none-match': '"other"' })).statusCode).toBe(200)
  })
})

describe('an unknown path', () => {
  it.each(['/nowhere', '/grü', '/a b', '/x.html', '/assets/gone-2.js'])('%s is a 404 page in a browser', async (url) => {
    for (const method of ['GET', 'HEAD'] as const) {
      const reply = await get(encodeURI(url), { accept: 'text/html,*/*;q=0.8' }, method)
      expect(reply.statusCode).toBe(404)
      expect(reply.headers['content-type']).toContain('text/html')
    }
    expect((await get(encodeURI(url))).headers['content-type']).toBe('application/problem+json')
  })

  it.each(['/v1', '/v1/x', '/.env', '/.git/config', '/.built-from', '/a/..%2fb', '/a%5cb'])(
    '%s is a 404 problem document for every client',
    async (url) => {
      const reply = await get(url, { accept: 'text/html' })
      expect(reply.statusCode).toBe(404)
      expect(reply.headers['content-type']).toBe('application/problem+json')
    },
  )
})

it('serves the page for the path of a screen, with revalidation', async () => {
  const reply = await get('/access/some-key')
  expect(reply.body).toContain('Neptune')
  expect(reply.headers).toMatchObject({ 'cache-control': 'no-cache', 'x-robots-tag': 'noindex' })
})

it('writes the brand into every page, including the 404 page', async () => {
  const plain = await get('/login')
  brand.current = { title: 'Acme', data: {}, stylesheet: undefined, icon: undefined }
  for (const url of ['/login', '/access/some-key', '/nowhere']) {
    const reply = await get(url, { accept: 'text/html' })
    expect(reply.body).toBe('<title>Acme</title>')
    expect(reply.headers['etag']).not.toBe(plain.headers['etag'])
    expect(reply.headers['content-security-policy']).toBe(buildPagePolicy({}))
  }
  const { etag } = (await get('/login')).headers
  expect((await get('/login', { 'if-none-match': etag })).statusCode).toBe(304)
  expect((await get('/login', { 'if-none-match': plain.headers['etag'] })).statusCode).toBe(200)
  brand.current = undefined
  expect((await get('/login')).body).toBe(plain.body)
})
