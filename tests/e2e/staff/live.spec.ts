import type { Browser, BrowserContext, Page } from '@playwright/test'
import { accessEndedMessage, addSharedLink, codeField, openSharedLink, resetLink } from '../access/access-steps.ts'
import { addDirectory, admin, asAdmin, expect, signIn, test } from '../fixtures.ts'

/** Opens a browser context whose pages, unlike those of other tests, have live connections. Counts the requests for these. */
async function openBrowser(browser: Browser, baseURL: string | undefined) {
  const context = await browser.newContext({ baseURL: baseURL ?? '' })
  await context.unroute('**/v1/live')
  let connections = 0
  context.on('request', (request) => {
    if (request.url().endsWith('/v1/live')) connections++
  })
  return { context, page: await context.newPage(), countConnections: () => connections }
}

/** Signs in, and waits until the page has a live connection. */
async function openLivePage(page: Page, path: string) {
  await page.goto(path)
  const connected = page.waitForResponse('**/v1/live')
  await signIn(page, { ...admin, remember: true })
  expect((await connected).status()).toBe(200)
}

async function addFile(baseURL: string | undefined, directory: string, name: string) {
  const form = new FormData()
  form.set('file', new Blob(['a file']), 'file')
  await asAdmin(baseURL)('PUT', `/v1/file/${directory}/${name}`, form)
}

const row = (page: Page, name: string) => page.getByText(name, { exact: true }).first()

test('shows files that others upload, without a reload', async ({ browser, baseURL }) => {
  const { id } = await addDirectory(baseURL, 'Plans', { 'first.txt': 'one' })
  const { context, page } = await openBrowser(browser, baseURL)
  await openLivePage(page, `/directories/${id}`)
  await expect(row(page, 'first.txt')).toBeVisible()
  await addFile(baseURL, id, 'second.txt')
  await expect(row(page, 'second.txt')).toBeVisible()
  await context.close()
})

test('shows a file that was uploaded while an older list was on its way', { tag: '@slow' }, async ({ browser, baseURL }) => {
  const { id } = await addDirectory(baseURL, 'Plans', { 'first.txt': 'one' })
  const { context, page } = await openBrowser(browser, baseURL)
  const read = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  await page.route(
    '**/v1/file?*',
    async (route) => {
      const response = await route.fetch()
      read.resolve()
      await released.promise
      await route.fulfill({ response })
    },
    { times: 1 },
  )
  await openLivePage(page, `/directories/${id}`)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Plans')
  await read.promise
  const changed = page.waitForResponse(`**/v1/directory/${id}`)
  await addFile(baseURL, id, 'second.txt')
  await changed
  released.resolve()
  await expect(row(page, 'second.txt')).toBeVisible()
  await context.close()
})

test('shows a recipient new files, and says when their access ends', { tag: '@slow' }, async ({ browser, baseURL }) => {
  const link = await addSharedLink(baseURL, 'LINK_DIRECTORY', { files: { 'first.txt': 'one' } })
  const { context, page } = await openBrowser(browser, baseURL)
  const connected = page.waitForResponse('**/v1/live')
  await openSharedLink(page, link)
  await connected
  await addFile(baseURL, link.directory, 'second.txt')
  await expect(row(page, 'second.txt')).toBeVisible()
  await resetLink(baseURL, link)
  await expect(page.getByRole('alert')).toHaveText(accessEndedMessage)
  await expect(codeField(page)).toBeFocused()
  await context.close()
})

test('uses one connection for all tabs, and opens it in another tab when its own is closed', { tag: '@slow' }, async ({
  browser,
  baseURL,
}) => {
  const { id } = await addDirectory(baseURL, 'Plans', { 'first.txt': 'one' })
  const { context, page, countConnections } = await openBrowser(browser, baseURL)
  await openLivePage(page, `/directories/${id}`)
  const second = await openTab(context, `/directories/${id}`)
  await addFile(baseURL, id, 'second.txt')
  for (const tab of [page, second]) await expect(row(tab, 'second.txt')).toBeVisible()
  expect(countConnections()).toBe(1)
  const connected = second.waitForResponse('**/v1/live')
  await page.close()
  await connected
  await addFile(baseURL, id, 'third.txt')
  await expect(row(second, 'third.txt')).toBeVisible()
  await context.close()
})

async function openTab(context: BrowserContext, path: string) {
  const page = await context.newPage()
  await page.goto(path)
  await expect(row(page, 'first.txt')).toBeVisible()
  return page
}

test('polls while disconnected, and shows changes live after connecting again', { tag: '@slow' }, async ({
  browser,
  baseURL,
}) => {
  const { id } = await addDirectory(baseURL, 'Offers', { 'first.txt': 'one' })
  const { context, page } = await openBrowser(browser, baseURL)
  let isBlocked = true
  await context.route('**/v1/live', (route) => (isBlocked ? route.fulfill({ status: 503 }) : route.fallback()))
  await page.goto(`/directories/${id}`)
  await signIn(page, admin)
  await expect(row(page, 'first.txt')).toBeVisible()
  await page.clock.install()
  await page.getByRole('link', { name: 'Links', exact: true }).click()
  await expect(page.getByText('No links yet.')).toBeVisible()
  const asked = page.waitForRequest(/\/v1\/link\?/)
  await page.clock.runFor(31_000)
  await asked
  isBlocked = false
  const connected = page.waitForResponse((response) => response.url().endsWith('/v1/live') && response.status() === 200)
  await page.clock.runFor(90_000)
  await connected
  await addSharedLink(baseURL)
  await page.clock.runFor(5_000)
  await expect(row(page, 'Plans')).toBeVisible()
  await context.close()
})
