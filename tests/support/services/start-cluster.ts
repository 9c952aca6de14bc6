import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { admin } from '../start-neptune.ts'
import { startFaultyS3 } from './faulty-s3.ts'
import { findFreePort } from './free-port.ts'

const script = join(import.meta.dirname, '../../../scripts/cluster.sh')

type Command = 'start' | 'stop' | 'restart'
export type Cluster = Awaited<ReturnType<typeof startCluster>>

/**
 * Starts the setup of docs/operating/cluster.md with its script, in its own folder and on its own ports, until it is disposed of.
 * `isFaulty` puts a proxy that injects faults in front of the object store.
 */
export async function startCluster(moreSettings: Record<string, string> = {}, { isFaulty = false } = {}) {
  const services = await startPostgresAndSwift()
  const { folder, port, run } = services
  await run('start', 'settings')
  const settingsFile = join(folder, 'neptune.env')
  const readSettings = () => parseEnv(readFileSync(settingsFile, 'utf8')) as Record<string, string>
  const store = await startFaultyS3(readSettings()['S3_ENDPOINT'] ?? '')
  const extraSettings = {
    ADMIN_EMAIL: admin.email,
    ADMIN_PASSWORD: admin.password,
    LOG_LEVEL: 'warn',
    ...(isFaulty && { S3_ENDPOINT: store.endpoint }),
    ...moreSettings,
  }
  for (const [name, value] of Object.entries(extraSettings)) appendFileSync(settingsFile, `${name}='${value}'\n`)
  await run('start', 'node1', 'node2', 'nginx')

  const readPid = (name: string) => {
    const path = { postgres: 'postgres/postmaster.pid', nginx: 'nginx/nginx.pid' }[name] ?? `${name}.pid`
    return Number(readFileSync(join(folder, path), 'utf8').split('\n')[0])
  }
  return {
    ...services,
    store,
    /** The public URL, and the URL of each node. */
    url: `http://127.0.0.1:${port}`,
    nodes: [`http://127.0.0.1:${port + 1}`, `http://127.0.0.1:${port + 2}`] as [string, string],
    /** Settings for commands that an operator runs on the first node. */
    settings: { ...readSettings(), DATA_DIR: join(folder, 'node1') },
    readPid,
    readLog: (name: string) => readFileSync(join(folder, `${name}.log`), 'utf8'),
    async [Symbol.asyncDispose]() {
      await services[Symbol.asyncDispose]()
      await store[Symbol.asyncDispose]()
    },
  }
}

/** Starts PostgreSQL and Swift only. */
export async function startPostgresAndSwift() {
  const folder = mkdtempSync(join(tmpdir(), 'neptune-cluster-'))
  const port = await findFreePort([0, 1, 2, 3, 50, 51]) // the ports that the script uses
  const run = (command: Command, ...parts: string[]) => runScript(folder, port, command, ...parts)
  // Stops everything even if a test times out.
  const stopAll = () => spawnSync('sh', [script, 'stop', folder], { env: makeEnvironment(port), stdio: 'ignore' })
  process.once('exit', stopAll)
  await run('start', 'postgres', 'swift')
  return {
    folder,
    port,
    run,
    /** Connects as the PostgreSQL superuser. */
    postgresUrl: `postgres://postgres@/postgres?host=${encodeURIComponent(join(folder, 'postgres'))}&port=${port + 50}`,
    async [Symbol.asyncDispose]() {
      await run('stop')
      process.off('exit', stopAll)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Runs `scripts/cluster.sh …`. Writes its output to a file, because the processes it starts keep the output open. */
export async function runScript(folder: string, port: number, command: Command, ...parts: string[]) {
  const log = openSync(join(folder, 'script.log'), 'a')
  const child = spawn('sh', [script, command, folder, ...parts], { env: makeEnvironment(port), stdio: ['ignore', log, log] })
  const [code] = await once(child, 'exit')
  closeSync(log)
  if (code !== 0) throw new Error(`cluster.sh ${command} ${parts.join(' ')} failed:\n${readLogs(folder)}`)
}

const makeEnvironment = (port: number) => ({
  PATH: process.env['PATH'] ?? '',
  HOME: process.env['HOME'] ?? '',
  PORT: String(port),
})

const readLogs = (folder: string) =>
  ['script', 'node1', 'node2'].map((name) => {
    try {
      return readFileSync(join(folder, `${name}.log`), 'utf8').slice(-2000)
    } catch {
      return ''
    }
  })
