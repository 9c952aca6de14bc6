import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { digest } from '../support/client.ts'
import { createUpload, enterLink, killAt, shareDirectory, writeSettings } from '../support/migration-steps.ts'
import { listAllFiles, makeCommand, openServer } from '../support/operator-server.ts'
import { startBlockingProxy } from '../support/services/blocking-proxy.ts'
import { startPostgres } from '../support/services/start-postgres.ts'
import { startS3 } from '../support/services/start-s3.ts'
import { withTempFolder } from '../support/temp-folder.ts'

it('moves to PostgreSQL and S3 during uploads, despite kills, and keeps every session and every byte', async () => {
  await withTempFolder(async (folder) => {
    const [postgres, s3] = await Promise.all([startPostgres(), startS3()])
    try {
      const targetSettings = { ...s3.settings, S3_BUCKET: 'neptune', DATABASE_URL: postgres.url, DATA_DIR: join(folder, 'there') }
      await using postgresProxy = await startBlockingProxy(postgres.url)
      await using s3Proxy = await startBlockingProxy(targetSettings.S3_ENDPOINT)
      const target = writeSettings(folder, 'target.env', {
        ...targetSettings,
        DATABASE_URL: postgresProxy.url,
        S3_ENDPOINT: s3Proxy.url,
      })
      const neptune = makeCommand(folder)
      const hashes = new Map<string, string>()
      await using server = await openServer(folder)
      const link = await shareDirectory(server)
      const write = async (from: number, to: number) => {
        for (let i = from; i < to; i++) {
          const [name, bytes] = [`${i}.bin`, randomBytes(i * 500)]
          expect((await server.put(name, bytes)).status).toBe(200)
          hashes.set(name, digest(bytes))
        }
      }
      await Promise.all([write(0, 20), write(20, 40), write(40, 60)])
      const sourceSettings = { DATA_DIR: join(folder, 'data') }
      const args = ['migrate-to', target]
      const [killed] = await Promise.all([
        killAt(s3Proxy.waitForText('PUT /neptune/blobs/', 40), args, sourceSettings),
        write(60, 70),
      ])
      expect(killed).toMatchObject({ code: null, err: '' })
      const [copied] = await Promise.all([neptune(...args), write(70, 80)])
      expect(copied).toMatchObject({ code: 0, err: '', out: expect.stringContaining('were already there') })
      await createUpload(server)
      await server.stop()

      const finish = [...args, '--finish']
      expect(await killAt(postgresProxy.waitForText('insert into "audit"'), finish, sourceSettings)).toMatchObject({
        code: null,
        err: '',
      })
      const finished = await neptune(...finish)
      expect(finished).toMatchObject({ code: 0, err: '' })
      expect(finished.out).toContain(`Moved ${hashes.size} files`)
      expect(finished.out).toContain('1 unfinished upload could not be moved.')
      expect(finished.out).toContain('Every node needs the secret key')

      const SECRET_KEY = readFileSync(join(folder, 'data/secret.key'), 'utf8').trim()
      await using moved = await openServer(folder, { ...targetSettings, SECRET_KEY })
      const rows = await listAllFiles(moved)
      expect(new Map([...rows].map(([name, { sha256 }]) => [name, sha256]))).toEqual(hashes)
      for (const { id, sha256 } of rows.values()) {
        const bytes = await (await fetch(`${moved.url}/v1/file/${id}`, { headers: server.headers })).arrayBuffer()
        expect(digest(new Uint8Array(bytes))).toBe(sha256)
      }
      expect((await fetch(`${moved.url}/v1/file?limit=1`, { headers: link.headers })).status).toBe(200)
      await enterLink(moved.url, link.key, link.accessCode)
      expect((await moved.put('new.bin', randomBytes(10))).status).toBe(200)
      for (const args of [
        ['fsck', '--scrub'],
        ['audit', 'verify'],
      ])
        expect(await makeCommand(folder, { ...targetSettings, SECRET_KEY })(...args)).toMatchObject({ code: 0, err: '' })
    } finally {
      await Promise.all([postgres.stop(), s3.stop()])
    }
  })
})
