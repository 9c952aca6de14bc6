// `npm run demo`: fills a new installation with five companies and a month of their work, then serves it.
// Refuses a DATA_DIR that has anything in it. `npm run demo -- --files 100` for fewer files.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { ensureBuilt, ensureInstalled, nodeOrThis, root } from './prepare.mjs'

ensureInstalled({ dev: false })
ensureBuilt()
const { status } = spawnSync(nodeOrThis(), [join(root, 'server/bin/neptune.mjs'), 'demo', ...process.argv.slice(2)], {
  stdio: 'inherit',
})
if (status !== 0) process.exit(status ?? 1)
await import('./start.mjs')
