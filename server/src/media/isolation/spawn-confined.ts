import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setPriority } from 'node:os'

/**
 * Resource limits for a decoder of untrusted input. `-d` is memory in KiB: Linux counts every writable private mapping, of which 512 MiB
 * are address space that V8 reserves on x64 and never touches. `-t` is CPU time in seconds. No core dumps, no writes to files, few
 * descriptors. `ulimit` fails only where a tighter limit is in force.
 */
const ulimits = ['-d 1048576', '-t 20', '-c 0', '-f 0', '-n 64'].map((limit) => `ulimit ${limit} 2>/dev/null`).join(';')

/**
 * Starts a Node program that decodes untrusted input: with an empty environment, resource limits, a low priority and, where
 * the system allows user namespaces, without a network. Windows has none of these limits; only the limits on the input and the
 * V8 heap apply there. The signal kills the program. Throws if no process can be started.
 */
export async function spawnConfined(program: string[], signal: AbortSignal): Promise<ChildProcess> {
  const node = [process.execPath, '--max-old-space-size=64', '--v8-pool-size=1', ...program]
  const [command = '', ...args] =
    process.platform === 'win32'
      ? node
      : ['/bin/sh', '-c', `${ulimits}; exec "$@"`, 'sh', ...((await hasNetworkNamespaces()) ? unshareNetwork : []), ...node]
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'ignore'], env: {}, signal, killSignal: 'SIGKILL' })
  child.on('error', () => undefined) // after the start, the only error is an abort, and the exit code shows that
  await once(child, 'spawn')
  if (child.pid !== undefined) lowerPriority(child.pid)
  return child
}

/**
 * The command that starts a program in a new user namespace, where an unprivileged user may create an empty network namespace. The program
 * keeps no capabilities there.
 */
const unshareNetwork = ['/usr/bin/unshare', '--user', '--net', '--']

let namespaceCheck: Promise<boolean> | undefined

/** Returns whether this system can start a process without a network. Containers and hardened services often forbid namespaces. */
export function hasNetworkNamespaces(): Promise<boolean> {
  namespaceCheck ??= new Promise((resolve) => {
    const [command = '', ...args] = [...unshareNetwork, '/bin/true']
    spawn(command, args, { stdio: 'ignore', env: {} })
      .once('error', () => resolve(false))
      .once('close', (code) => resolve(code === 0))
  })
  return namespaceCheck
}

function lowerPriority(pid: number) {
  try {
    setPriority(pid, 10)
  } catch {
    // The process has ended already, or the system does not allow it.
  }
}
