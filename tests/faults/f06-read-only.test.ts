import { spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { startNeptune, tryToStart } from '../support/start-neptune.ts'
import { postLogin, settings, startSignedIn, wrapInMountNamespace } from '../support/start-signed-in.ts'

const pollOptions = { timeout: 20_000 }

describe('F06: with a data folder that becomes read-only', () => {
  it('a running server keeps reading, rejects writes, reports it at /readyz, and recovers afterwards', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'neptune-read-only-'))
    try {
      const DATA_DIR = join(folder, 'data')
      // With a short idle timeout, the server soon tries to record session activity.
      const more = { DATA_DIR, SESSION_IDLE_MINUTES: '1', LOG_LEVEL: 'warn' }
      await using neptune = await startSignedIn(more, wrapInMountNamespace(folder, 'mount -t tmpfs tmpfs "$0"'))
      const bytes = randomBytes(300_000)
      expect((await neptune.put('kept.bin', bytes)).status).toBe(200)
      const [file] = await neptune.list()
      expect((await fetch(`${neptune.url}/readyz`)).status).toBe(200)
      {
        await using _ = await makeReadOnly(neptune.process.pid ?? 0, DATA_DIR)
        const ready = await fetch(`${neptune.url}/readyz`)
        expect(ready.status).toBe(503)
        expect(await ready.json()).toEqual({ status: 'unavailable' })
        expect((await fetch(`${neptune.url}/healthz`)).status).toBe(200)

        // Reading works even after recording the session activity has failed.
        await expect
          .poll(async () => {
            expect(await neptune.names()).toEqual(['kept.bin'])
            return neptune.output()
          }, pollOptions)
          .toContain('a session could not be extended')
        expect((await neptune.get('/v1/stats')).status).toBe(200)
        const reply = await neptune.get(`/v1/file/${file?.id}`)
        expect(Buffer.from(await reply.arrayBuffer())).toEqual(bytes)

        for (const rejected of [
          await neptune.put('lost.bin', bytes),
          await neptune.send('POST', '/v1/directory', { directory: 'New', client: neptune.company }),
          await neptune.send('DELETE', `/v1/file/${file?.id}`),
          await postLogin(neptune.url),
        ]) {
          expect(rejected.status, rejected.url).toBe(503)
          expect(rejected.headers.get('retry-after')).toBe('5')
        }
      }
      expect((await fetch(`${neptune.url}/readyz`)).status).toBe(200)
      expect((await postLogin(neptune.url)).status).toBe(200)
      expect((await neptune.put('again.bin', bytes)).status).toBe(200)
      expect(await neptune.names()).toEqual(['again.bin', 'kept.bin'])
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })

  it('the server refuses to start, with a one-line message', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'neptune-read-only-'))
    try {
      const DATA_DIR = join(folder, 'data')
      await (await startNeptune({ ...settings, DATA_DIR })).stop()
      const before = readFileSync(join(DATA_DIR, 'neptune.db'))
      const readOnly = wrapInMountNamespace(folder, 'mount --bind "$0" "$0" && mount -o remount,bind,ro "$0"')
      const { code, lines } = await tryToStart({ ...settings, DATA_DIR }, readOnly)
      expect(code).toBe(1)
      expect(lines).toEqual([
        `Neptune cannot start. The data folder ${DATA_DIR} is not writable (EROFS). Make it writable or set DATA_DIR to another folder.`,
      ])
      expect(readFileSync(join(DATA_DIR, 'neptune.db')).equals(before)).toBe(true)
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })
})

/**
 * Makes the folder read-only at once, with files open, as the kernel does when a disk fails. Since this cannot be triggered, it is
 * simulated: a read-only mount covers the folder for files opened from now on, and strace fails writes to the open database.
 */
async function makeReadOnly(pid: number, folder: string) {
  const nsenterFlags = [
    '--target',
    String(pid),
    '--mount',
    ...(process.getuid?.() === 0 ? [] : ['--user', '--preserve-credentials']),
  ]
  const runInMounts = (script: string) =>
    spawnSync('nsenter', [...nsenterFlags, 'sh', '-ec', script, folder], { encoding: 'utf8' })
  expect(runInMounts('mount --bind "$0" "$0" && mount -o remount,bind,ro "$0"')).toMatchObject({ status: 0, stderr: '' })
  const paths = ['neptune.db', 'neptune.db-wal'].flatMap((name) => ['-P', join(folder, name)])
  const calls = 'pwrite64,ftruncate,fdatasync,fsync'
  const strace = spawn(
    'strace',
    ['-f', '-p', String(pid), ...paths, '-e', `trace=${calls}`, '-e', `inject=${calls}:error=EROFS`],
    {
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  )
  let output = ''
  strace.stderr.setEncoding('utf8').on('data', (text: string) => {
    output += text
  })
  const ended = new Promise((resolve) => strace.once('exit', resolve))
  await expect.poll(() => output, pollOptions).toMatch(/attached/)
  return {
    async [Symbol.asyncDispose]() {
      strace.kill('SIGTERM')
      await ended
      expect(runInMounts('umount "$0"')).toMatchObject({ status: 0, stderr: '' })
    },
  }
}
