import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setPriority } from 'node:os'
import { join } from 'node:path'
import { waitForExitCode } from './exit-code.ts'
import { createScratchFolder } from './scratch-folder.ts'

/** Memory in KiB, CPU time in seconds, the size of each written file in blocks of 512 bytes, descriptors. No core dumps. */
const ulimits = 'ulimit -d 1048576; ulimit -t 60; ulimit -f 131072; ulimit -n 256; ulimit -c 0'

const namespaces = ['--user', '--map-root-user', '--mount', '--net', '--ipc', '--uts', '--pid', '--fork', '--kill-child']

interface Options {
  /** The only folder that the program can write to, mounted as /job. */
  folder: string
  /** The top-level folder that contains the program and its libraries, such as /usr. */
  tree: string
  environment?: Record<string, string>
  /** Kills the program and everything that it started. */
  signal: AbortSignal
}

/**
 * Starts an installed program that reads untrusted input. The program has no network access, sees only system files and `folder`, and has
 * limits on memory, CPU time and written bytes. Its environment is empty, and its priority is low. Throws if no process can be started.
 */
export async function spawnIsolated(command: string[], { folder, tree, environment, signal }: Options): Promise<ChildProcess> {
  const script = join(import.meta.dirname, 'isolate.sh')
  const limited = ['/bin/sh', '-c', `${ulimits}; exec "$@"`, 'sh', ...command]
  const child = spawn('/usr/bin/unshare', [...namespaces, '--', '/bin/sh', script, folder, tree, ...limited], {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', HOME: '/job', LANG: 'C.UTF-8', ...environment },
    signal,
    killSignal: 'SIGKILL', // `--kill-child` passes it on to the first process of the namespace, and the kernel to all others
  })
  child.on('error', () => undefined) // after the start, the only error is an abort, and the exit code shows that
  await once(child, 'spawn')
  try {
    if (child.pid !== undefined) setPriority(child.pid, 10)
  } catch {
    // The process has already ended, or the system doesn't allow this.
  }
  return child
}

let check: Promise<boolean> | undefined

/** Returns whether this system can isolate programs. Containers and hardened services often forbid it. */
export function canIsolate(): Promise<boolean> {
  check ??= tryToIsolate().catch(() => false)
  return check
}

async function tryToIsolate(): Promise<boolean> {
  await using scratch = await createScratchFolder()
  const child = await spawnIsolated(['/bin/true'], { folder: scratch.path, tree: '/usr', signal: AbortSignal.timeout(10_000) })
  child.stdout?.resume()
  return (await waitForExitCode(child)) === 0
}
