import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { extname, join, relative } from 'node:path'
import type { Page } from '@playwright/test'
import { enter, share } from './access-steps.ts'
import { addDirectory, addUser, test as base, expect, kim, openAsAdmin, signIn } from './fixtures.ts'

// What docs/spec.md says of the calls the web makes and no other story shows.

/** The web by itself, elsewhere than the API. */
const test = base.extend<{ web: { url: string; build: (api: string) => void } }>({
  web: async ({ browserName: _ }, use) => {
    const folder = mkdtempSync(join(tmpdir(), 'neptune-web-'))
    const types: Record<string, string> = { '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml' }
    const server = createServer((request, reply) => {
      const file = join(folder, new URL(request.url ?? '/', 'http://web').pathname)
      const found = statSync(file, { throwIfNoEntry: false })?.isFile() ? file : join(folder, 'index.html')
      reply.writeHead(200, { 'content-type': types[extname(found)] ?? 'text/html' }).end(readFileSync(found))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const address = server.address()
    await use({
      url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`,
      build: (api) => {
        const root = join(import.meta.dirname, '../..')
        const out = relative(join(root, 'web'), folder) // as the build takes it
        const words = [join(root, 'node_modules/vite/bin/vite.js'), 'build', 'web', '--outDir', out]
        execFileSync(process.execPath, words, { cwd: root, stdio: 'pipe', env: { ...process.env, VITE_API_URL: api } })
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

test('every call carries the token, but for those before there is one: restore, sign-in and the two of the access screen', async ({
  page,
  baseURL,
  context,
}) => {
  const link = await share(baseURL, 'LINK_DIRECTORY', { files: { 'a.txt': 'x' } })
  const calls = listen(page)
  await page.goto('/login')
  await signIn(page)
  const asked = (name: string) => expect.poll(() => calls.some((call) => call.name === name)).toBe(true)
  await asked('GET /v1/stats')
  await asked('GET /v1/file')
  for (const [name, call] of [
    ['Directories', 'GET /v1/directory'],
    ['Links', 'GET /v1/link'],
    ['Users', 'GET /v1/admin/user'],
  ] as const) {
    await page.getByRole('link', { name, exact: true }).click()
    await asked(call)
  }
  const [restore, login, ...rest] = calls
  expect(restore).toMatchObject({ name: 'POST /v1/identity/session', token: undefined })
  expect(login).toMatchObject({ name: 'POST /v1/identity/login', token: undefined })
  expect(login?.body).toEqual({ email: 'admin@acme.example', password: 'a long enough password', remember: false })
  const token = await page.evaluate(() => JSON.parse(sessionStorage.getItem('neptune.token') ?? '{}').token)
  for (const call of rest) expect(call.token, call.name).toBe(`Bearer ${token}`)

  const recipient = await context.newPage()
  const theirs = listen(recipient)
  await enter(recipient, link)
  await expect(recipient.getByText('a.txt')).toBeVisible()
  const open = [`GET /v1/link/${link.key}/info`, 'POST /v1/link/verify']
  expect(theirs.filter(({ token }) => token === undefined).map(({ name }) => name)).toEqual(open)
  const visit = await recipient.evaluate((key) => sessionStorage.getItem(`neptune.access.${key}`), link.key)
  for (const { name, token } of theirs.filter(({ name }) => !open.includes(name))) expect(token, name).toBe(`Bearer ${visit}`)
  expect(theirs.find(({ name }) => name === 'POST /v1/link/verify')?.body).toEqual({
    accessKey: link.key,
    accessCode: link.code.replaceAll('-', ''),
  })
})

test('lists are narrowed when there is something to narrow them to; directories say their company either way', async ({
  page,
  baseURL,
}) => {
  const { company } = await addUser(baseURL, 'Globex', kim)
  const { id } = await addDirectory(baseURL, 'Plans', {}, company)
  const calls = listen(page)
  const asked = async (path: string, call: string, name: string) => {
    calls.length = 0
    await page.goto(path)
    await expect.poll(() => calls.some((each) => each.name === call)).toBe(true)
    return calls.filter((each) => each.name === call).map(({ query }) => query.get(name))
  }
  await openAsAdmin(page, '/account')
  expect(await asked('/clients', 'GET /v1/admin/user', 'company')).toEqual([null])
  expect(await asked(`/clients?company=${company}`, 'GET /v1/admin/user', 'company')).toEqual([company])
  expect(await asked('/dashboard', 'GET /v1/file', 'directory')).toEqual([null])
  expect(await asked(`/directories/${id}`, 'GET /v1/file', 'directory')).toEqual([id])
  expect(await asked('/directories', 'GET /v1/directory', 'company')).toEqual([''])
  expect(await asked(`/directories?company=${company}`, 'GET /v1/directory', 'company')).toEqual([company])
})

test('what is downloaded is saved under the name its header has, as the type its content type contains', async ({
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
  const saves = async (name: string, type: string) => {
    await page.locator('li [data-opener]').filter({ hasText: name }).click()
    await expect(page).toHaveTitle(`${name} ${type}`)
  }
  await saves('a.json', 'application/json')
  await saves('b.pdf', 'application/pdf')
  await saves('c.png', 'image/png')
  await saves('d.xml', 'application/xml')
  await saves('e.txt', 'application/octet-stream')
  await saves('f.bin', 'application/octet-stream')
  await page.route(`**/v1/file/*`, async (route) => {
    const response = await route.fetch()
    const headers = { ...response.headers(), 'content-type': 'image/jpg', 'content-filename': 'f%C3%BCnf.jpg' }
    await route.fulfill({ response, headers })
  })
  await page.locator('li [data-opener]').filter({ hasText: 'e.txt' }).click()
  await expect(page).toHaveTitle('fünf.jpg image/jpeg')
})

test('all calls go to the API the web was built for, also on another origin', async ({ page, web, neptune }) => {
  web.build(neptune.url)
  const elsewhere: string[] = []
  page.on('request', (request) => {
    const { origin, pathname } = new URL(request.url())
    if (pathname.startsWith('/v1/') && origin !== neptune.url) elsewhere.push(request.url())
  })
  await page.goto(`${web.url}/login`)
  await signIn(page)
  await expect(page).toHaveURL(`${web.url}/dashboard`)
  await expect(page.getByText('No files yet.')).toBeVisible()
  const tab = await page.context().newPage()
  await tab.goto(`${web.url}/clients`)
  await expect(tab.getByRole('row').filter({ hasText: 'Administrator' })).toBeVisible()
  expect(elsewhere).toEqual([])
})

/** What a page asks the API for, from now on. */
function listen(page: Page): Call[] {
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
