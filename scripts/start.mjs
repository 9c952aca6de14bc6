// `npm start`: on a bare clone installs and builds, then serves. Afterwards it only serves.
// npm passes signals on to the shell it starts, which would die of them and leave the server alone; so the script in package.json
// begins with `exec`, and Windows, which has none, takes what stands after `||`.
// It also bounds the space for young objects, which would grow by 64 MiB as soon as a thousand people are connected.
import { spawn } from 'node:child_process'
import { existsSync, realpathSync } from 'node:fs'
import module from 'node:module'
import { join } from 'node:path'
import { ensureBuilt, ensureInstalled, nodeOrThis, root } from './prepare.mjs'

if (existsSync(join(root, '.env'))) process.loadEnvFile(join(root, '.env'))
ensureInstalled({ dev: false })
ensureBuilt()

const node = nodeOrThis()
if (realpathSync(node) === realpathSync(process.execPath)) await serve()
else handOver(node)

/** In this very process, so that signals reach the server and nobody else. */
async function serve() {
  endWithParent()
  module.enableCompileCache?.(join(root, 'node_modules/.cache/neptune'))
  await import('../server/src/main.ts')
}

/** The first start began on the machine's own Node; the right one is here now. */
function handOver(node) {
  const stdio = ['inherit', 'inherit', 'inherit', 'ipc']
  const child = spawn(node, [...process.execArgv, join(root, 'scripts/start.mjs')], { stdio })
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGUSR2']) process.on(signal, () => child.kill(signal))
  child.on('exit', (code) => process.exit(code ?? 1))
}

/** Whoever kills the process that handed over to us means us; the line between the two breaks with it. */
function endWithParent() {
  if (!process.channel) return
  process.once('disconnect', () => process.exit(1))
  process.channel.unref()
}
