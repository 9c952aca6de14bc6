import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readMemoryMiB } from '../support/read-memory.ts'
import { pipelineRequests, queryRows, startSignedIn, wrapInMountNamespace } from '../support/start-signed-in.ts'

const path = '/healthz'

describe('F24: a log that cannot be written', () => {
  it('because its reader has stopped delays nothing, uses little memory, and continues when the reader resumes', async () => {
    await using neptune = await startSignedIn({ LOG_LEVEL: 'info' })
    await pipelineRequests(neptune.url, path, 3000) // warms up, so that one-time growth does not count
    neptune.process.stdout?.pause()
    const before = readMemoryMiB(neptune.process.pid)
    expect(await pipelineRequests(neptune.url, path, 15_000)).toBe(15_000)
    expect((await neptune.put('kept.bin')).status).toBe(200)
    expect(await neptune.names()).toEqual(['kept.bin'])
    expect(queryRows(neptune, `select * from audit where action = 'file.uploaded' and name = 'kept.bin'`)).toHaveLength(1)
    expect(readMemoryMiB(neptune.process.pid) - before).toBeLessThan(40)

    neptune.process.stdout?.resume()
    await expect
      .poll(async () => {
        await neptune.get('/v1/directory')
        return neptune.output()
      })
      .toContain('log lines could not be written')
    await expect.poll(() => neptune.output().trim().split('\n').at(-1)).toContain('"path":"/v1/directory"')

    neptune.process.stdout?.pause()
    await pipelineRequests(neptune.url, path, 8000)
    neptune.process.kill('SIGTERM')
    const code = await new Promise((resolve) => neptune.process.once('exit', resolve))
    expect(code).toBe(0)
    neptune.process.stdout?.resume()
  })

  it('because its disk is full delays nothing, and continues when space is freed', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'neptune-log-'))
    try {
      // The log is a file on its own disk. The test reads it through `tail`, which exits with the server.
      const wrapper = wrapInMountNamespace(
        folder,
        'mount -t tmpfs -o size=256k tmpfs "$0" && : > "$0/log" && { tail -s 0.1 --pid=$$ -f "$0/log" & } && exec > "$0/log"',
      )
      await using neptune = await startSignedIn({ LOG_LEVEL: 'info' }, wrapper)
      const disk = `/proc/${neptune.process.pid}/root${folder}`
      expect(() => writeFileSync(join(disk, 'filler'), randomBytes(2 ** 20))).toThrow('ENOSPC')
      expect(await pipelineRequests(neptune.url, path, 2000)).toBe(2000)
      expect((await neptune.put('kept.bin')).status).toBe(200)
      expect(await neptune.names()).toEqual(['kept.bin'])
      rmSync(join(disk, 'filler'))
      await neptune.get('/v1/directory')
      await expect.poll(neptune.output).toContain('log lines could not be written')
      await expect.poll(() => neptune.output().trim().split('\n').at(-1)).toContain('"path":"/v1/directory"')
      expect(
        neptune
          .output()
          .trim()
          .split('\n')
          .slice(1)
          .filter((line) => line.includes('{') && !isJson(line)).length,
      ).toBeLessThan(2)
      neptune.process.kill('SIGTERM')
      expect(await neptune.ended).toBe(0)
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })
})

function isJson(line: string) {
  try {
    return Boolean(JSON.parse(line))
  } catch {
    return false
  }
}
