import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { extname, join, relative } from 'node:path'
import type { Page } from '@playwright/test'
import { addSharedLink, openSharedLink } from '../access/access-steps.ts'
import { opener } from '../files/directory-steps.ts'
import { addCompanyWithUser, addDirectory, test as base, expect, kim, openAsAdmin, signIn } from '../fixtures.ts'

// Covers sentences of the specification (see docs/spec.md) about the web's API calls that no other test covers.

/** Serves the web from a different origin than the API. */
const test = base.extend<{ web: { url: string; build: (api: string) => void } }>({
  web: async ({ browserName: _ }, use) => {
    const folder = mkdtempSync(join(tmpdir(), 'neptune-web-'))
    const types: Record<string, string> = { '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml' }
    const server = createServer((request, reply) => {
      const file = join(folder, new URL(request.url ?? '/', 'http://web').pathname)
      const served = statSync(file, { throwIfNoEntry: false })?.isFile() ? file : join(folder, 'index.html')
      reply.writeHead(200, { 'content-type': types[extname(served)] ?? 'text/html' }).end(readFileSync(served))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const address = server.address()
    await use({
      url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`,
      build: (api) => {
        const root = join(import.meta.dirname, '../../..')
        const out = relative(join(root, 'web'), folder) // the build expects a path relative to web/
        const args = [join(root, 'node_modules/vite/bin/vite.js'), 'build', 'web', '--outDir', out]
        execFileSync(process.execPath, args, { cwd: root, stdio: 'pipe', env: { ...process.env, VITE_API_URL: api } })
      },
    })
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
    rmSync(folder, { recursive: true, force: true })
  },
  settings: async ({ web }, use) => use({ CORS_ORIGINS: web.url }),
})

interface Call {
  name: string
  query: URLSearchParams
  token: string | undefined
  body: unknown
}

test('sends the token with every call except those of the sign-in screen and the two of the access screen', async ({
  page,
  baseURL,
  context,
}) => {
  const link = await addSharedLink(baseURL, 'LINK_DIRECTORY', { files: { 'a.txt': 'x' } })
  const calls = recordCalls(page)
  await page.goto('/login')
  await signIn(page)
  const expectCall = (name: string) => expect.poll(() => calls.some((call) => call.name === name)).toBe(true)
  await expectCall('GET /v1/stats')
  await expectCall('GET /v1/file')
  for (const [name, call] of [
    ['Directories', 'GET /v1/directory'],
    ['Links', 'GET /v1/link'],
    ['Users', 'GET /v1/admin/user'],
  ] as const) {
    await page.getByRole('link', { name, exact: true }).click()
    await expectCall(call)
  }
  const signInCalls = ['POST /v1/identity/session', 'GET /v1/identity/provider', 'POST /v1/identity/login']
  const isOfSignIn = ({ name }: Call) => signInCalls.includes(name)
  expect(calls.filter(({ token }) => token === undefined).map(({ name }) => name)).toEqual(signInCalls)
  const login = calls.find(({ name }) => name === 'POST /v1/identity/login')
  expect(login?.body).toEqual({ email: 'admin@acme.example', password: 'a long enough password', remember: false })
  const token = await page.evaluate(() => JSON.parse(sessionStorage.getItem('neptune.token') ?? '{}').token)
  for (const call of calls.filter((call) => !isOfSignIn(call))) expect(call.token, call.name).toBe(`Bearer ${token}`)

  const recipient = await context.newPage()
  const recipientCalls = recordCalls(recipient)
  await openSharedLink(recipient, link)
  await expect(recipient.getByText('a.txt')).toBeVisible()
  const publicCalls = [`GET /v1/link/${link.key}/info`, 'POST /v1/link/verify']
  expect(recipientCalls.filter(({ token }) => token === undefined).map(({ name }) => name)).toEqual(publicCalls)
  const visit = await recipient.evaluate((key) => sessionStorage.getItem(`neptune.access.${key}`), link.key)
  for (const { name, token } of recipientCalls.filter(({ name }) => !publicCalls.includes(name)))
    expect(token, name).toBe(`Bearer ${visit}`)
  expect(recipientCalls.find(({ name }) => name === 'POST /v1/link/verify')?.body).toEqual({
    accessKey: link.key,
    accessCode: link.code.replaceAll('-', ''),
  })
})

test('sends list filters only when set, except that directory lists always send the company', { tag: '@slow' }, async ({
  page,
  baseURL,
}) => {
  const { company } = await addCompanyWithUser(baseURL, 'Globex', kim)
  const { id } = await addDirectory(baseURL, 'Plans', {}, company)
  const calls = recordCalls(page)
  const readParameter = async (path: string, call: string, name: string) => {
    calls.length = 0
    await page.goto(path)
    await expect.poll(() => calls.some((each) => each.name === call)).toBe(true)
    return calls.filter((each) => each.name === call).map(({ query }) => query.get(name))
  }
  await openAsAdmin(page, '/account')
  expect(await readParameter('/clients', 'GET /v1/admin/user', 'company')).toEqual([null])
  expect(await readParameter(`/clients?company=${company}`, 'GET /v1/admin/user', 'company')).toEqual([company])
  expect(await readParameter('/dashboard', 'GET /v1/file', 'directory')).toEqual([null])
  expect(await readParameter(`/directories/${id}`, 'GET /v1/file', 'directory')).toEqual([id])
  expect(await readParameter('/directories', 'GET /v1/directory', 'company')).toEqual([''])
  expect(await readParameter(`/directories?company=${company}`, 'GET /v1/directory', 'company')).toEqual([company])
})

test('saves a download with the name from its header and the type mapped from its content type', { tag: '@slow' }, async ({
  page,
  baseURL,
}) => {
  const png = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')
  const files = { 'a.json': '{}', 'b.pdf': '%PDF-1.7', 'c.png': png, 'd.xml': '<a/>', 'e.txt': 'text', 'f.bin': '\0' }
  const { id } = await addDirectory(baseURL, 'Plans', files)
  await page.addInitScript(() => {
    HTMLAnchorElement.prototype.click = function () {
      document.title = `${this.download} ${this.type}`
    }
  })
  await openAsAdmin(page, `/directories/${id}`)
  const expectSavedAs = async (name: string, type: string) => {
    await opener(page, name).click()
    await expect(page).toHaveTitle(`${name} ${type}`)
  }
  await expectSavedAs('a.json', 'application/json')
  await expectSavedAs('b.pdf', 'application/pdf')
  await expectSavedAs('c.png', 'image/png')
  await expectSavedAs('d.xml', 'application/xml')
  await expectSavedAs('e.txt', 'application/octet-stream')
  await expectSavedAs('f.bin', 'application/octet-stream')
  await page.route(`**/v1/file/*`, async (route) => {
    const response = await route.fetch()
    const headers = { ...response.headers(), 'content-type': 'image/jpg', 'content-filename': 'f%C3%BCnf.jpg' }
    await route.fulfill({ response, headers })
  })
  await opener(page, 'e.txt').click()
  await expect(page).toHaveTitle('fünf.jpg image/jpeg')
})

test('sends all calls to the API that the web was built for, even on another origin', { tag: '@slow' }, async ({
  page,
  web,
  neptune,
}) => {
  web.build(neptune.url)
  const otherCalls: string[] = []
  page.on('request', (request) => {
    const { origin, pathname } = new URL(request.url())
    if (pathname.startsWith('/v1/') && origin !== neptune.url) otherCalls.push(request.url())
  })
  await page.goto(`${web.url}/login`)
  await signIn(page)
  await expect(page).toHaveURL(`${web.url}/dashboard`)
  await expect(page.getByText('No files yet.')).toBeVisible()
  const tab = await page.context().newPage()
  await tab.goto(`${web.url}/clients`)
  await expect(tab.getByRole('row').filter({ hasText: 'Administrator' })).toBeVisible()
  expect(otherCalls).toEqual([])
})

/** Records the page's API calls from now on. */
function recordCalls(page: Page): Call[] {
  const calls: Call[] = []
  page.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url())
    if (!pathname.startsWith('/v1/')) return
    const { authorization } = request.headers()
    const body = request.method() === 'POST' ? request.postDataJSON() : undefined
    calls.push({ name: `${request.method()} ${pathname}`, query: searchParams, token: authorization, body })
  })
  return calls
}
