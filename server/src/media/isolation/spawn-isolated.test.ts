import { once } from 'node:events'
import { readdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import { createScratchFolder } from './scratch-folder.ts'
import { canIsolate, spawnIsolated } from './spawn-isolated.ts'

/** Runs a shell script in isolation. Returns what it writes. */
async function run(script: string, folder: string): Promise<string> {
  const { signal } = new AbortController()
  const child = await spawnIsolated(['/bin/sh', '-c', `exec 2>&1; ${script}`], { folder, tree: '/usr', signal })
  if (!child.stdout) throw new Error('the process has no output')
  const [output] = await Promise.all([text(child.stdout), once(child, 'close')])
  return output
}

it('isolates a program from the network, other files and the environment, but not from its folder', async () => {
  await using scratch = await createScratchFolder()
  const listener = createServer((socket) => socket.end()).listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const { port } = listener.address() as { port: number }
  writeFileSync(join(scratch.path, 'input'), 'hello')
  const output = await run(
    `cat /job/input; echo; ls /; ls /etc /proc /old; cat ${import.meta.filename}; mount -t tmpfs none /usr && echo mounted
    echo $$; env; echo saved > /job/output; (exec 3<>/dev/tcp/127.0.0.1/${port}) && echo connected; ulimit -d`,
    scratch.path,
  )
  listener.close()
  if (!(await canIsolate())) return expect(output).not.toContain('hello') // nothing runs at all
  expect(output).toMatch(/^hello$/m)
  expect(output).toMatch(/^1048576$/m)
  expect(output).not.toMatch(/passwd|home|mounted|connected|createScratchFolder/)
  expect(output).not.toMatch(/^(VITEST|NODE_)/m)
  expect(readdirSync(scratch.path)).toContain('output')
})

it('kills everything that an isolated program started', async () => {
  await using scratch = await createScratchFolder()
  const killed = new AbortController()
  const command = ['/bin/sh', '-c', 'sleep 300 & echo started; wait']
  const child = await spawnIsolated(command, { folder: scratch.path, tree: '/usr', signal: killed.signal })
  if (await canIsolate()) await once(child.stdout ?? child, 'data')
  killed.abort()
  child.stdout?.resume()
  await once(child, 'close') // resolves only when no process keeps the output open
})
