// `npm run dev`: the server on port 3000, restarted when its code changes, and the web on port 5173, updated as you type.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { ensureInstalled, nodeOrThis, root } from './prepare.mjs'

if (existsSync(join(root, '.env'))) process.loadEnvFile(join(root, '.env'))
ensureInstalled({ dev: true })
const node = nodeOrThis()
const run = (args, cwd) => spawn(node, args, { cwd: join(root, cwd), stdio: 'inherit' })
const children = [
  run(['--watch-path=server/src', '--watch-path=contract/src', 'server/src/main.ts'], '.'),
  run([join(root, 'node_modules/vite/bin/vite.js')], 'web'),
]
console.log('The web is at http://localhost:5173; it asks the server for everything else.')
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.on(signal, () => {
    for (const child of children) child.kill(signal)
  })
}
