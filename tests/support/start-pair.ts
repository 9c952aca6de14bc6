import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from './free-port.ts'
import { runScript } from './start-cluster.ts'
import { startNeptune } from './start-neptune.ts'
import { query } from './start-postgres.ts'

/** What all pairs share, as cluster-setup.ts has started it. */
export interface Shared {
  /** For whoever administers PostgreSQL, and for Neptune, but for the name of the database. */
  postgresUrl: string
  databasesUrl: string
  s3: Record<string, string>
}

/** Set by `npm run cluster:e2e`. */
export const shared = (): Shared | undefined => {
  const text = process.env['NEPTUNE_CLUSTER']
  return text === undefined ? undefined : JSON.parse(text)
}

/**
 * Two nodes behind nginx, as docs/operating/cluster.md has them, on a database of their own; to be used as one Neptune is. `data` is the
 * data folder of another pair, which was stopped: this one begins with a copy of its rows.
 */
export async function startPair(
  { postgresUrl, databasesUrl, s3 }: Shared,
  settings: Record<string, string> = {},
  _wrapper: string[] = [],
  data?: string,
) {
  await using made = new AsyncDisposableStack() // what fails half-way leaves nothing behind
  const folder = mkdtempSync(join(tmpdir(), 'neptune-pair-'))
  made.defer(() => rmSync(folder, { recursive: true, force: true }))
  const database = `pair_${randomBytes(6).toString('hex')}`
  const template = data === undefined ? 'template1' : readFileSync(join(data, 'database'), 'utf8')
  await query(postgresUrl, `create database ${database} template ${template} owner neptune`)
  made.defer(async () => void (await query(postgresUrl, `drop database ${database} with (force)`)))
  // Letters lie in one folder, whichever node has written them.
  for (const name of ['data', 'data/outbox', 'other', 'nginx']) mkdirSync(join(folder, name), { mode: 0o700 })
  symlinkSync(join(folder, 'data/outbox'), join(folder, 'other/outbox'))
  writeFileSync(join(folder, 'data/database'), database)
  // The files of a copy are those of its template.
  const bucket = data === undefined ? database.replace('_', '-') : readFileSync(join(data, 'bucket'), 'utf8')
  writeFileSync(join(folder, 'data/bucket'), bucket)

  const port = await freePort([0, 1, 2])
  const all = {
    SECRET_KEY: 'tq0VnM2bX8sLr4yKcP7wZdE1uHfJ6gA9',
    DATABASE_URL: `${databasesUrl}/${database}`,
    S3_BUCKET: bucket,
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    TRUST_PROXY: '127.0.0.1',
    ...s3,
    ...settings,
  }
  const places = [
    { DATA_DIR: join(folder, 'data'), PORT: String(port + 1) },
    { DATA_DIR: join(folder, 'other'), PORT: String(port + 2) },
  ]
  const begin = () => Promise.all(places.map((place) => startNeptune({ ...all, ...place })))
  const lines = places.map(({ PORT }) => `server 127.0.0.1:${PORT} max_fails=3 fail_timeout=5s;\n`)
  writeFileSync(join(folder, 'nginx/nodes.conf'), lines.join(''))
  await runScript(folder, port, 'start', 'nginx')
  made.defer(() => runScript(folder, port, 'stop', 'nginx'))
  const nodes = await begin()
  for (const node of nodes) made.use(node)

  const whole = made.move()
  return {
    url: all.PUBLIC_URL,
    folder,
    databaseUrl: all.DATABASE_URL,
    output: () => nodes.map((node) => node.output()).join(''),
    process: { kill: (signal: NodeJS.Signals) => nodes.every((node) => node.process.kill(signal)) },
    ended: Promise.all(nodes.map((node) => node.ended)).then(([code]) => code ?? null),
    /** After both were killed: once more, where they were. */
    async again() {
      for (const node of await begin()) whole.use(node)
    },
    async stop() {
      await Promise.all(nodes.map((node) => node.stop()))
    },
    [Symbol.asyncDispose]: () => whole.disposeAsync(),
  }
}
