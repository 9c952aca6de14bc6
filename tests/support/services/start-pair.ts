import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startNeptune } from '../start-neptune.ts'
import { findFreePort } from './free-port.ts'
import { runScript } from './start-cluster.ts'
import { query } from './start-postgres.ts'

/** The services that all pairs share, started by cluster-setup.ts. */
export interface SharedServices {
  /** Connects as the PostgreSQL superuser. */
  postgresUrl: string
  /** The URL for Neptune, without the name of the database. */
  databasesUrl: string
  s3: Record<string, string>
}

/** Returns the shared services if the tests run with `npm run cluster:e2e`. */
export const readSharedServices = (): SharedServices | undefined => {
  const text = process.env['NEPTUNE_CLUSTER']
  return text === undefined ? undefined : JSON.parse(text)
}

/**
 * Starts two nodes behind nginx, as in docs/operating/cluster.md, with their own database. Takes the same parameters as
 * `startNeptune`, but ignores the wrapper; `PORT` is that of nginx, and the next two are those of the nodes. `data` is the data folder of
 * another, stopped pair: the new pair starts with a copy of its rows.
 */
export async function startPair(
  { postgresUrl, databasesUrl, s3 }: SharedServices,
  settings: Record<string, string> = {},
  _wrapper: string[] = [],
  data?: string,
) {
  await using cleanup = new AsyncDisposableStack() // cleans up if the start fails halfway
  const folder = mkdtempSync(join(tmpdir(), 'neptune-pair-'))
  cleanup.defer(() => rmSync(folder, { recursive: true, force: true }))
  const database = `pair_${randomBytes(6).toString('hex')}`
  const template = data === undefined ? 'template1' : readFileSync(join(data, 'database'), 'utf8')
  await query(postgresUrl, `create database ${database} template ${template} owner neptune`)
  cleanup.defer(async () => void (await query(postgresUrl, `drop database ${database} with (force)`)))
  // Both nodes write emails to one folder.
  for (const name of ['data', 'data/outbox', 'other', 'nginx']) mkdirSync(join(folder, name), { mode: 0o700 })
  symlinkSync(join(folder, 'data/outbox'), join(folder, 'other/outbox'))
  writeFileSync(join(folder, 'data/database'), database)
  // A copy uses the bucket of its template, because only the rows are copied.
  const bucket = data === undefined ? database.replace('_', '-') : readFileSync(join(data, 'bucket'), 'utf8')
  writeFileSync(join(folder, 'data/bucket'), bucket)

  const port = Number(settings['PORT'] ?? (await findFreePort([0, 1, 2])))
  const commonSettings = {
    SECRET_KEY: 'tq0VnM2bX8sLr4yKcP7wZdE1uHfJ6gA9',
    DATABASE_URL: `${databasesUrl}/${database}`,
    S3_BUCKET: bucket,
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    TRUST_PROXY: '127.0.0.1',
    ...s3,
    ...settings,
  }
  const nodeSettings = [
    { DATA_DIR: join(folder, 'data'), PORT: String(port + 1) },
    { DATA_DIR: join(folder, 'other'), PORT: String(port + 2) },
  ]
  const startNodes = (changed: Record<string, string> = {}) =>
    Promise.all(nodeSettings.map((ownSettings) => startNeptune({ ...commonSettings, ...changed, ...ownSettings })))
  const lines = nodeSettings.map(({ PORT }) => `server 127.0.0.1:${PORT} max_fails=3 fail_timeout=5s;\n`)
  writeFileSync(join(folder, 'nginx/nodes.conf'), lines.join(''))
  await runScript(folder, port, 'start', 'nginx')
  cleanup.defer(() => runScript(folder, port, 'stop', 'nginx'))
  const nodes = await startNodes()
  for (const node of nodes) cleanup.use(node)

  const resources = cleanup.move()
  return {
    url: commonSettings.PUBLIC_URL,
    folder,
    databaseUrl: commonSettings.DATABASE_URL,
    output: () => nodes.map((node) => node.output()).join(''),
    process: { kill: (signal: NodeJS.Signals) => nodes.every((node) => node.process.kill(signal)) },
    ended: Promise.all(nodes.map((node) => node.ended)).then(([code]) => code ?? null),
    /** Restarts both nodes after they were killed. */
    async restart(changed: Record<string, string>) {
      for (const node of await startNodes(changed)) resources.use(node)
    },
    async stop() {
      await Promise.all(nodes.map((node) => node.stop()))
    },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  }
}
