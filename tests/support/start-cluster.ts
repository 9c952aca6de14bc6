import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { startFaultyS3 } from './faulty-s3.ts'
import { freePort } from './free-port.ts'
import { admin } from './start-neptune.ts'

const script = join(import.meta.dirname, '../../scripts/cluster.sh')

type Command = 'start' | 'stop' | 'restart'
export type Cluster = Awaited<ReturnType<typeof startCluster>>

/**
 * The set-up of docs/operating/cluster.md, made by its script in a folder and on ports of its own; gone when disposed of. `isFaulty` puts
 * a store that can misbehave between the nodes and the real one.
 */
export async function startCluster(more: Record<string, string> = {}, { isFaulty = false } = {}) {
  const parts = await startParts()
  const { folder, port, run } = parts
  await run('start', 'settings')
  const file = join(folder, 'neptune.env')
  const settings = () => parseEnv(readFileSync(file, 'utf8')) as Record<string, string>
  const store = await startFaultyS3(settings()['S3_ENDPOINT'] ?? '')
  const ours = {
    ADMIN_EMAIL: admin.email,
    ADMIN_PASSWORD: admin.password,
    LOG_LEVEL: 'warn',
    ...(isFaulty && { S3_ENDPOINT: store.endpoint }),
    ...more,
  }
  for (const [name, value] of Object.entries(ours)) appendFileSync(file, `${name}='${value}'\n`)
  await run('start', 'node1', 'node2', 'nginx')

  const pidOf = (name: string) => {
    const path = { postgres: 'postgres/postmaster.pid', nginx: 'nginx/nginx.pid' }[name] ?? `${name}.pid`
    return Number(readFileSync(join(folder, path), 'utf8').split('\n')[0])
  }
  return {
    ...parts,
    store,
    /** Where people come in, and each node by itself. */
    url: `http://127.0.0.1:${port}`,
    nodes: [`http://127.0.0.1:${port + 1}`, `http://127.0.0.1:${port + 2}`] as [string, string],
    /** For commands, as an operator gives them on the first node. */
    settings: { ...settings(), DATA_DIR: join(folder, 'node1') },
    pidOf,
    log: (name: string) => readFileSync(join(folder, `${name}.log`), 'utf8'),
    async [Symbol.asyncDispose]() {
      await parts[Symbol.asyncDispose]()
      await store[Symbol.asyncDispose]()
    },
  }
}

/** PostgreSQL and Swift alone. */
export async function startParts() {
  const folder = mkdtempSync(join(tmpdir(), 'neptune-cluster-'))
  const port = await freePort([0, 1, 2, 3, 50, 51]) // as the script counts them
  const run = (command: Command, ...parts: string[]) => runScript(folder, port, command, ...parts)
  // A test that ran out of time leaves nothing running.
  const stopAll = () => spawnSync('sh', [script, 'stop', folder], { env: environment(port), stdio: 'ignore' })
  process.once('exit', stopAll)
  await run('start', 'postgres', 'swift')
  return {
    folder,
    port,
    run,
    /** For whoever administers PostgreSQL. */
    postgresUrl: `postgres://postgres@/postgres?host=${encodeURIComponent(join(folder, 'postgres'))}&port=${port + 50}`,
    async [Symbol.asyncDispose]() {
      await run('stop')
      process.off('exit', stopAll)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** `scripts/cluster.sh …`. What it starts goes on, so nobody may wait for the end of its output. */
export async function runScript(folder: string, port: number, command: Command, ...parts: string[]) {
  const log = openSync(join(folder, 'script.log'), 'a')
  const child = spawn('sh', [script, command, folder, ...parts], { env: environment(port), stdio: ['ignore', log, log] })
  const [code] = await once(child, 'exit')
  closeSync(log)
  if (code !== 0) throw new Error(`cluster.sh ${command} ${parts.join(' ')} failed:\n${tellOf(folder)}`)
}

const environment = (port: number) => ({
  PATH: process.env['PATH'] ?? '',
  HOME: process.env['HOME'] ?? '',
  PORT: String(port),
})

const tellOf = (folder: string) =>
  ['script', 'node1', 'node2'].map((name) => {
    try {
      return readFileSync(join(folder, `${name}.log`), 'utf8').slice(-2000)
    } catch {
      return ''
    }
  })
