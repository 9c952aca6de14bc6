#!/usr/bin/env node
// `npx neptune …`: runs the operator commands. Plain JavaScript that also runs on Node 20: it starts itself again with the Node
// version that is installed with the packages.
import { spawn } from 'node:child_process'
import { existsSync, realpathSync } from 'node:fs'
import module from 'node:module'
import { join } from 'node:path'
import { findNode, root } from '../../scripts/prepare.mjs'

if (!existsSync(join(root, 'node_modules/.package-lock.json'))) {
  process.stderr.write('Neptune is not installed yet. Run npm start or npm ci in its folder first.\n')
  process.exit(2)
}

const node = findNode()
if (realpathSync(node) === realpathSync(process.execPath)) await run()
else restartWith(node)

/** Reads the settings from the project folder, like `npm start`. File names are relative to the working directory. */
async function run() {
  const workingDirectory = process.cwd()
  process.chdir(root)
  if (existsSync(join(root, '.env'))) process.loadEnvFile(join(root, '.env'))
  module.enableCompileCache?.(join(root, 'node_modules/.cache/neptune'))
  const { runCli } = await import('../src/cli.ts')
  process.exitCode = await runCli(process.argv.slice(2), workingDirectory)
}

function restartWith(node) {
  const child = spawn(node, process.argv.slice(1), { stdio: 'inherit' })
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('exit', (code) => process.exit(code ?? 1))
}
