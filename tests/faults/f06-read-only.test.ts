import { spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { inOwnMounts, login, settings, startSignedIn } from '../support/signed-in.ts'
import { failToStart, startNeptune } from '../support/start-neptune.ts'

const patience = { timeout: 20_000 }

describe('F06: a data folder that became read-only', () => {
  it('under a running Neptune is read on; what would write is refused, /readyz says so, and it goes on when it is over', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'neptune-read-only-'))
    try {
      const DATA_DIR = join(folder, 'data')
      // Idle soon, so that it is to be written at once that somebody is there.
      const more = { DATA_DIR, SESSION_IDLE_MINUTES: '1', LOG_LEVEL: 'warn' }
      await using neptune = await startSignedIn(more, inOwnMounts(folder, 'mount -t tmpfs tmpfs "$0"'))
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

        // Also past the time after which it is to be written that they are still there.
        await expect
          .poll(async () => {
            expect(await neptune.names()).toEqual(['kept.bin'])
            return neptune.output()
          }, patience)
          .toContain('a session could not be extended')
        expect((await neptune.get('/v1/stats')).status).toBe(200)
        const reply = await neptune.get(`/v1/file/${file?.id}`)
        expect(Buffer.from(await reply.arrayBuffer())).toEqual(bytes)

        for (const refused of [
          await neptune.put('lost.bin', bytes),
          await neptune.send('POST', '/v1/directory', { directory: 'New', client: neptune.company }),
          await neptune.send('DELETE', `/v1/file/${file?.id}`),
          await login(neptune.url),
        ]) {
          expect(refused.status, refused.url).toBe(503)
          expect(refused.headers.get('retry-after')).toBe('5')
        }
      }
      expect((await fetch(`${neptune.url}/readyz`)).status).toBe(200)
      expect((await login(neptune.url)).status).toBe(200)
      expect((await neptune.put('again.bin', bytes)).status).toBe(200)
      expect(await neptune.names()).toEqual(['again.bin', 'kept.bin'])
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })

  it('is refused at the start, in one line', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'neptune-read-only-'))
    try {
      const DATA_DIR = join(folder, 'data')
      await (await startNeptune({ ...settings, DATA_DIR })).stop()
      const before = readFileSync(join(DATA_DIR, 'neptune.db'))
      const readOnly = inOwnMounts(folder, 'mount --bind "$0" "$0" && mount -o remount,bind,ro "$0"')
      const { code, lines } = await failToStart({ ...settings, DATA_DIR }, readOnly)
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
 * As the kernel does it when a disk fails: from one moment to the next, with files open. That cannot be asked of it, so it is put
 * together: a read-only view is laid over the folder, for whatever is opened from now on, and writes to the open database are refused.
 */
async function makeReadOnly(pid: number, folder: string) {
  const into = ['--target', String(pid), '--mount', ...(process.getuid?.() === 0 ? [] : ['--user', '--preserve-credentials'])]
  const mounts = (script: string) => spawnSync('nsenter', [...into, 'sh', '-ec', script, folder], { encoding: 'utf8' })
  expect(mounts('mount --bind "$0" "$0" && mount -o remount,bind,ro "$0"')).toMatchObject({ status: 0, stderr: '' })
  const paths = ['neptune.db', 'neptune.db-wal'].flatMap((name) => ['-P', join(folder, name)])
  const calls = 'pwrite64,ftruncate,fdatasync,fsync'
  const strace = spawn(
    'strace',
    ['-f', '-p', String(pid), ...paths, '-e', `trace=${calls}`, '-e', `inject=${calls}:error=EROFS`],
    {
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  )
  let said = ''
  strace.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text
  })
  const ended = new Promise((resolve) => strace.once('exit', resolve))
  await expect.poll(() => said, patience).toMatch(/attached/)
  return {
    async [Symbol.asyncDispose]() {
      strace.kill('SIGTERM')
      await ended
      expect(mounts('umount "$0"')).toMatchObject({ status: 0, stderr: '' })
    },
  }
}
