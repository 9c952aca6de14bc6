import { execFile, execFileSync, spawn } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, expect, it } from 'vitest'

const root = join(import.meta.dirname, '../..')
const clone = mkdtempSync(join(tmpdir(), 'neptune-clone-')) // only its owner has access to this folder
afterAll(() => rmSync(clone, { recursive: true, force: true }))

function makeEnvironment() {
  const path = (process.env['PATH'] ?? '').split(':').filter((folder) => !folder.includes('node_modules'))
  return { HOME: process.env['HOME'], PATH: path.join(':'), PORT: '0' }
}

/** Runs `npm start` in the clone, with the machine's own Node. */
const runNpmStart = () => startProcess('npm', 'start')

function startProcess(program: string, ...args: string[]) {
  const child = spawn(program, args, { cwd: clone, env: makeEnvironment(), stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  const url = new Promise<string>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (chunk: string) => {
        output += chunk
        const [, found] = /^Neptune \S+ is ready at (\S+)$/m.exec(output) ?? []
        if (found) resolve(found)
      })
    }
    child.once('close', () => reject(new Error(output)))
  })
  return { child, url, ended, output: () => output }
}

/** Runs an operator command in the clone. Throws unless it succeeds. */
async function runNpxNeptune(...args: string[]) {
  const { stdout } = await promisify(execFile)('npx', ['neptune', ...args], { cwd: clone, env: makeEnvironment() })
  return stdout
}

it('npm start in a fresh clone installs the runtime dependencies, builds, prints the sign-in details once, and stops on SIGTERM and SIGKILL', async () => {
  const names = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '-z'], { cwd: root, encoding: 'utf8' }).split('\0')
  for (const name of names.filter((name) => name && existsSync(join(root, name)))) cpSync(join(root, name), join(clone, name))

  const first = runNpmStart()
  const page = await fetch(`${await first.url}/login`)
  expect(page.status).toBe(200)
  expect(await page.text()).toContain('<title>Neptune</title>')
  expect(first.output()).toContain('shown once')
  expect(readdirSync(join(clone, 'node_modules'))).not.toContain('vitest')
  first.child.kill('SIGTERM')
  expect(await first.ended).toBe(0)

  const second = runNpmStart()
  await expect(fetch(`${await second.url}/readyz`)).resolves.toMatchObject({ status: 200 })
  expect(second.output()).not.toMatch(/Password|Installing|Building/)
  expect(await runNpxNeptune('fsck')).toContain('Nothing is wrong.')
  second.child.kill('SIGTERM')
  expect(await second.ended).toBe(0)
  await expect(fetch(await second.url)).rejects.toThrow()

  // The script runs on the machine's own Node and starts Neptune with the Node of the project. Killing the script must also end Neptune.
  const third = startProcess('node', 'scripts/start.mjs')
  const url = await third.url
  third.child.kill('SIGKILL')
  await expect.poll(() => isServed(url)).toBe(false)
}, 600_000)

const isServed = (url: string) =>
  fetch(url).then(
    () => true,
    () => false,
  )
