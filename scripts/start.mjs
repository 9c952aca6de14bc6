// `npm start`: installs and builds if needed, then starts the server.
// npm sends signals to the shell it starts, which would die and leave the server running. So the script in package.json starts with `exec`;
// Windows has no `exec` and runs the part after `||`. The script also limits V8's semi-space, which would grow by 64 MiB with a thousand
// connections.
import { spawn } from 'node:child_process'
import { existsSync, realpathSync } from 'node:fs'
import module from 'node:module'
import { join } from 'node:path'
import { ensureBuilt, ensureInstalled, findNode, root } from './prepare.mjs'

if (existsSync(join(root, '.env'))) process.loadEnvFile(join(root, '.env'))
ensureInstalled({ dev: false })
ensureBuilt()

const node = findNode()
if (realpathSync(node) === realpathSync(process.execPath)) await serve()
else restartWith(node)

/** Runs the server in this process, so that it receives signals directly. */
async function serve() {
  exitWithParent()
  module.enableCompileCache?.(join(root, 'node_modules/.cache/neptune'))
  await import('../server/src/main.ts')
}

/** Starts this script again with the Node that npm installed, and forwards signals to it. */
function restartWith(node) {
  const stdio = ['inherit', 'inherit', 'inherit', 'ipc']
  const child = spawn(node, [...process.execArgv, join(root, 'scripts/start.mjs')], { stdio })
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGUSR2']) process.on(signal, () => child.kill(signal))
  child.on('exit', (code) => process.exit(code ?? 1))
}

/** Exits when the process that started this one with `restartWith` is killed, which closes the IPC channel. */
function exitWithParent() {
  if (!process.channel) return
  process.once('disconnect', () => process.exit(1))
  process.channel.unref()
}
