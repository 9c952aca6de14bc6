// `npm run screenshots`: takes the screenshots in docs/images from a new installation with demo data.
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { ensureBrowser } from './browser.mjs'
import { ensureBuilt, ensureInstalled, findNode, root } from './prepare.mjs'

ensureInstalled({ dev: true })
ensureBuilt()
const node = findNode()
if (realpathSync(node) !== realpathSync(process.execPath)) {
  process.exit(spawnSync(node, process.argv.slice(1), { stdio: 'inherit' }).status ?? 1)
}

// Not at the top of the file: a new clone has no packages yet.
const { chromium } = await import('@playwright/test')
const { admin, startNeptune } = await import('../tests/support/start-neptune.ts')

const images = join(root, 'docs/images')
const pageOptions = { locale: 'en-GB', colorScheme: 'light', deviceScaleFactor: 2, reducedMotion: 'reduce' }
const monthMs = 30 * 24 * 60 * 60_000

mkdirSync(images, { recursive: true })
const folder = mkdtempSync(join(tmpdir(), 'neptune-screenshots-'))
const cleanups = [() => rmSync(folder, { recursive: true, force: true })]
try {
  const neptune = await startNeptune({}, [], createDemoData())
  cleanups.push(() => neptune[Symbol.asyncDispose]())
  const browser = await chromium.launch({ executablePath: ensureBrowser(), args: ['--no-sandbox', '--disable-gpu'] })
  cleanups.push(() => browser.close())
  await captureDashboard(browser, neptune.url)
  await captureSharedDirectory(browser, neptune.url)
} finally {
  for (const cleanUp of cleanups.reverse()) await cleanUp()
}

/** Creates a data folder with demo data and returns its path. */
function createDemoData() {
  const data = join(folder, 'data')
  const env = { PATH: process.env.PATH, DATA_DIR: data, ADMIN_EMAIL: admin.email, ADMIN_PASSWORD: admin.password }
  const { status } = spawnSync(node, [join(root, 'server/bin/neptune.mjs'), 'demo'], { env, cwd: root, stdio: 'inherit' })
  if (status !== 0) throw new Error('The demo data could not be created.')
  return data
}

/** Takes a screenshot of the dashboard as an admin sees it. */
async function captureDashboard(browser, url) {
  const page = await browser.newPage({ ...pageOptions, baseURL: url, viewport: { width: 1280, height: 800 } })
  await page.goto('/login')
  await page.getByLabel('E-mail address').fill(admin.email)
  await page.getByLabel('Password', { exact: true }).fill(admin.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.waitForURL('**/dashboard')
  await page.getByRole('row').nth(5).waitFor()
  await saveScreenshot(page, 'staff.png')
}

/** Takes a screenshot of a shared directory on a phone. */
async function captureSharedDirectory(browser, url) {
  const call = await signIn(url)
  const { data: directories } = await call('GET', '/v1/directory?search=Quay%20house')
  const [directory] = directories
  await waitForThumbnails(call, directory)
  const { key, accessCode } = await createLink(call, directory)
  const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }
  const page = await browser.newPage({ ...pageOptions, ...phone, baseURL: url })
  await page.goto(`/access/${key}`)
  await page.getByPlaceholder('Access code').fill(accessCode)
  await page.getByRole('button', { name: 'Access Directory' }).click()
  const menus = page.getByRole('button', { name: /^Actions for / })
  await menus.first().waitFor()
  await page.mouse.move(0, 0) // so that no row looks pressed
  await saveScreenshot(page, 'recipient.png')
}

async function saveScreenshot(page, name) {
  await page.waitForLoadState('networkidle') // images and fonts
  await page.screenshot({ path: join(images, name), animations: 'disabled' })
  console.log(`docs/images/${name}`)
}

/** Returns a function that calls the API as the admin. */
async function signIn(url) {
  const request = async (method, path, body, headers) => {
    const type = body && { 'content-type': 'application/json' }
    const reply = await fetch(url + path, { method, headers: { ...headers, ...type }, body: body && JSON.stringify(body) })
    if (!reply.ok) throw new Error(`${method} ${path}: ${await reply.text()}`)
    return reply.json()
  }
  const { token } = await request('POST', '/v1/identity/login', admin)
  return (method, path, body) => request(method, path, body, { authorization: `Bearer ${token}` })
}

/** Waits until every image has its thumbnail, for a minute at most. The server draws them one by one in the background. */
async function waitForThumbnails(call, { id }) {
  for (let second = 0; second < 60; second++) {
    const { data: files } = await call('GET', `/v1/file?directory=${id}&kind=image&limit=200`)
    if (files.every(({ image }) => image !== null)) return
    await setTimeout(1000)
  }
}

/** Creates a link to a directory and returns its key and access code. */
async function createLink(call, { id, company }) {
  const { data: reserved } = await call('POST', '/v1/link/initialise', { company, directory: id })
  const expiry = new Date(Date.now() + monthMs).toISOString()
  await call('POST', '/v1/link', { linkType: 'LINK_DIRECTORY', directory: id, ...reserved, expiry })
  return reserved
}
