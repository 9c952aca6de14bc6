// `npm run bench [-- args]`: runs tests/bench/bench.ts, also on a fresh clone.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { ensureNginx } from './apt.mjs'
import { ensureBrowser } from './browser.mjs'
import { ensureBuilt, ensureInstalled, findNode, root } from './prepare.mjs'

ensureInstalled({ dev: true })
ensureBuilt()
if (!ensureNginx()) console.log('nginx could not be installed. Its column in the results stays empty.')
const args = [join(root, 'tests/bench/bench.ts'), ...process.argv.slice(2)]
const { status } = spawnSync(findNode(), args, { stdio: 'inherit', env: { ...process.env, CHROMIUM: ensureBrowser() } })
process.exit(status ?? 1)
