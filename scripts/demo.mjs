// `npm run demo`: fills a new installation with demo data (five companies, one month of activity) and starts the server.
// DATA_DIR must be empty. `npm run demo -- --files 100` creates fewer files.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { ensureBuilt, ensureInstalled, findNode, root } from './prepare.mjs'

ensureInstalled({ dev: false })
ensureBuilt()
const { status } = spawnSync(findNode(), [join(root, 'server/bin/neptune.mjs'), 'demo', ...process.argv.slice(2)], {
  stdio: 'inherit',
})
if (status !== 0) process.exit(status ?? 1)
await import('./start.mjs')
