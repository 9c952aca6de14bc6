import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import { hasNetworkNamespaces, spawnConfined } from './spawn-confined.ts'

/** Runs a script in confinement. Returns its exit status and output. */
async function run(script: string, ...args: string[]) {
  const child = await spawnConfined(['-e', script, ...args], new AbortController().signal)
  if (!child.stdout) throw new Error('the process has no output')
  const [output, [code]] = await Promise.all([text(child.stdout), once(child, 'close')])
  return { output, code: code as number | null }
}

it('kills a process that takes more memory than an image needs', async () => {
  const { output, code } = await run(`
    const kept = []
    for (let i = 1; i <= 32; i++) {
      kept.push(Buffer.alloc(64 * 2 ** 20, 1))
      require('node:fs').writeSync(1, 64 * i + ' ')
    }`)
  expect(code).not.toBe(0)
  expect(Number(output.trim().split(' ').at(-1))).toBeLessThan(1024)
})

it('passes on no environment variables, and allows no writes to files', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'neptune-confined-'))
  const script = `
    let fault = 'none'
    try { require('node:fs').writeFileSync(process.argv[1], 'x') } catch ({ code }) { fault = code }
    console.log(JSON.stringify({ fault, environment: Object.keys(process.env) }))`
  const { output } = await run(script, join(folder, 'file'))
  rmSync(folder, { recursive: true })
  const { fault, environment } = JSON.parse(output)
  expect(fault).toBe('EFBIG')
  expect(environment.filter((name: string) => !['PWD', 'OLDPWD', '_', 'SHLVL'].includes(name))).toEqual([]) // of the shell
})

it('blocks the network where the system supports namespaces', async () => {
  const listener = createServer((socket) => socket.end()).listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const { port } = listener.address() as { port: number }
  const { output } = await run(`
    const socket = require('node:net').connect(${port}, '127.0.0.1')
    socket.once('connect', () => { console.log('connected'); socket.destroy() }).once('error', ({ code }) => console.log(code))`)
  listener.close()
  expect(output.trim()).toBe((await hasNetworkNamespaces()) ? 'ENETUNREACH' : 'connected')
})
