// `npm run screenshots`: takes the screenshots in docs/images from a new installation with demo data.
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ensureBrowser } from './browser.mjs'
import { ensureBuilt, ensureInstalled, nodeOrThis, root } from './prepare.mjs'

ensureInstalled({ dev: true })
ensureBuilt()
const node = nodeOrThis()
if (realpathSync(node) !== realpathSync(process.execPath)) {
  process.exit(spawnSync(node, process.argv.slice(1), { stdio: 'inherit' }).status ?? 1)
}

// Not at the top of the file: a new clone has no packages yet.
const { chromium } = await import('@playwright/test')
const { admin, startNeptune } = await import('../tests/support/start-neptune.ts')

const images = join(root, 'docs/images')
const look = { locale: 'en-GB', colorScheme: 'light', deviceScaleFactor: 2, reducedMotion: 'reduce' }
const month = 30 * 24 * 60 * 60_000

mkdirSync(images, { recursive: true })
const folder = mkdtempSync(join(tmpdir(), 'neptune-screenshots-'))
try {
  const data = fillWithDemo()
  await using neptune = await startNeptune({}, [], data)
  const browser = await chromium.launch({ executablePath: ensureBrowser(), args: ['--no-sandbox', '--disable-gpu'] })
  try {
    await takeStaff(browser, neptune.url)
    await takeRecipient(browser, neptune.url)
  } finally {
    await browser.close()
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}

/** Returns a data folder with demo data. */
function fillWithDemo() {
  const data = join(folder, 'data')
  const env = { PATH: process.env.PATH, DATA_DIR: data, ADMIN_EMAIL: admin.email, ADMIN_PASSWORD: admin.password }
  const { status } = spawnSync(node, [join(root, 'server/bin/neptune.mjs'), 'demo'], { env, cwd: root, stdio: 'inherit' })
  if (status !== 0) throw new Error('The demo data could not be created.')
  return data
}

/** Takes a picture of the dashboard, as an admin sees it. */
async function takeStaff(browser, url) {
  const page = await browser.newPage({ ...look, baseURL: url, viewport: { width: 1280, height: 800 } })
  await page.goto('/login')
  await page.getByLabel('E-mail address').fill(admin.email)
  await page.getByLabel('Password', { exact: true }).fill(admin.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.waitForURL('**/dashboard')
  await page.getByRole('row').nth(5).waitFor()
  await take(page, 'staff.png')
}

/** Takes a picture of a shared directory on a phone. */
async function takeRecipient(browser, url) {
  const { key, accessCode } = await shareDirectory(url, 'Quay house')
  const page = await browser.newPage({
    ...look,
    baseURL: url,
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
  })
  await page.goto(`/access/${key}`)
  await page.getByPlaceholder('Access code').fill(accessCode)
  await page.getByRole('button', { name: 'Access Directory' }).click()
  await page
    .getByRole('button', { name: /^Actions for / })
    .first()
    .waitFor()
  await take(page, 'recipient.png')
}

async function take(page, name) {
  await page.waitForLoadState('networkidle') // thumbnails and fonts
  await page.screenshot({ path: join(images, name), animations: 'disabled' })
  console.log(`docs/images/${name}`)
}

/** Creates a link to a directory and returns its key and access code. */
async function shareDirectory(url, name) {
  let authorization
  const call = async (method, path, body) => {
    const headers = { ...(authorization && { authorization }), ...(body && { 'content-type': 'application/json' }) }
    const reply = await fetch(url + path, { method, headers, body: body && JSON.stringify(body) })
    if (!reply.ok) throw new Error(`${method} ${path}: ${await reply.text()}`)
    return reply.json()
  }
  const { token } = await call('POST', '/v1/identity/login', admin)
  authorization = `Bearer ${token}`
  const { data: directories } = await call('GET', `/v1/directory?search=${encodeURIComponent(name)}`)
  const { id: directory, company } = directories.find((row) => row.directory === name)
  const { data: reserved } = await call('POST', '/v1/link/initialise', { company, directory })
  const expiry = new Date(Date.now() + month).toISOString()
  await call('POST', '/v1/link', { linkType: 'LINK_DIRECTORY', directory, ...reserved, expiry })
  return reserved
}
