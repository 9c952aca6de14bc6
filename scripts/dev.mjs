// `npm run dev`: runs the server on port 3000, restarted when its code changes, and the web app on port 5173 with hot reload.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { ensureInstalled, findNode, root } from './prepare.mjs'

if (existsSync(join(root, '.env'))) process.loadEnvFile(join(root, '.env'))
ensureInstalled({ dev: true })
const node = findNode()
const run = (args, cwd) => spawn(node, args, { cwd: join(root, cwd), stdio: 'inherit' })
const children = [
  run(['--watch-path=server/src', '--watch-path=contract/src', 'server/src/main.ts'], '.'),
  run([join(root, 'node_modules/vite/bin/vite.js')], 'web'),
]
console.log('The web app is at http://localhost:5173. It forwards API calls to the server.')
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.on(signal, () => {
    for (const child of children) child.kill(signal)
  })
}
