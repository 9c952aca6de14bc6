import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { digest } from '../support/client.ts'
import { beginUpload, enter, killedAt, shareDirectory, writeSettings } from '../support/moving.ts'
import { commandIn, everyFile, inFolder, openOffice } from '../support/operator-office.ts'
import { startPostgres } from '../support/start-postgres.ts'
import { startS3 } from '../support/start-s3.ts'
import { layWire } from '../support/wire.ts'

it('moves to PostgreSQL and S3 while files come in, killed on the way; nobody has to sign in again, and every byte is there', async () => {
  await inFolder(async (folder) => {
    const [postgres, s3] = await Promise.all([startPostgres(), startS3()])
    try {
      const there = { ...s3.settings, S3_BUCKET: 'neptune', DATABASE_URL: postgres.url, DATA_DIR: join(folder, 'there') }
      await using toRows = await layWire(postgres.url)
      await using toBytes = await layWire(there.S3_ENDPOINT)
      const target = writeSettings(folder, 'target.env', { ...there, DATABASE_URL: toRows.url, S3_ENDPOINT: toBytes.url })
      const neptune = commandIn(folder)
      const sums = new Map<string, string>()
      await using office = await openOffice(folder)
      const link = await shareDirectory(office)
      const write = async (from: number, to: number) => {
        for (let i = from; i < to; i++) {
          const [name, bytes] = [`${i}.bin`, randomBytes(i * 500)]
          expect((await office.put(name, bytes)).status).toBe(200)
          sums.set(name, digest(bytes))
        }
      }
      await Promise.all([write(0, 20), write(20, 40), write(40, 60)])
      const here = { DATA_DIR: join(folder, 'data') }
      const words = ['migrate-to', target]
      const [killed] = await Promise.all([killedAt(toBytes.heard('PUT /neptune/blobs/', 40), words, here), write(60, 70)])
      expect(killed).toMatchObject({ code: null, err: '' })
      const [copied] = await Promise.all([neptune(...words), write(70, 80)])
      expect(copied).toMatchObject({ code: 0, err: '', out: expect.stringContaining('were there already') })
      await beginUpload(office)
      await office.stop()

      const finish = [...words, '--finish']
      expect(await killedAt(toRows.heard('insert into "audit"'), finish, here)).toMatchObject({ code: null, err: '' })
      const finished = await neptune(...finish)
      expect(finished).toMatchObject({ code: 0, err: '' })
      expect(finished.out).toContain(`Moved ${sums.size} files`)
      expect(finished.out).toContain('1 upload had not come to an end.')
      expect(finished.out).toContain('Every node needs the secret key')

      const SECRET_KEY = readFileSync(join(folder, 'data/secret.key'), 'utf8').trim()
      await using moved = await openOffice(folder, { ...there, SECRET_KEY })
      const rows = await everyFile(moved)
      expect(new Map([...rows].map(([name, { sha256 }]) => [name, sha256]))).toEqual(sums)
      for (const { id, sha256 } of rows.values()) {
        const bytes = await (await fetch(`${moved.url}/v1/file/${id}`, { headers: office.headers })).arrayBuffer()
        expect(digest(new Uint8Array(bytes))).toBe(sha256)
      }
      expect((await fetch(`${moved.url}/v1/file?limit=1`, { headers: link.headers })).status).toBe(200)
      await enter(moved.url, link.key, link.accessCode)
      expect((await moved.put('new.bin', randomBytes(10))).status).toBe(200)
      for (const words of [
        ['fsck', '--scrub'],
        ['audit', 'verify'],
      ])
        expect(await commandIn(folder, { ...there, SECRET_KEY })(...words)).toMatchObject({ code: 0, err: '' })
    } finally {
      await Promise.all([postgres.stop(), s3.stop()])
    }
  })
})
