// `npm run bench [-- words]`: tests/bench/bench.ts, on a bare clone too.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { ensureNginx } from './apt.mjs'
import { ensureBrowser } from './browser.mjs'
import { ensureBuilt, ensureInstalled, nodeOrThis, root } from './prepare.mjs'

ensureInstalled({ dev: true })
ensureBuilt()
if (!ensureNginx()) console.log('nginx cannot be installed here: its column stays empty.')
const words = [join(root, 'tests/bench/bench.ts'), ...process.argv.slice(2)]
const { status } = spawnSync(nodeOrThis(), words, { stdio: 'inherit', env: { ...process.env, CHROMIUM: ensureBrowser() } })
process.exit(status ?? 1)
