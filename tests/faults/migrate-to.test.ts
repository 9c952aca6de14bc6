import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { digest } from '../support/client.ts'
import { inTurns } from '../support/in-turns.ts'
import { killedAt, shareDirectory, writeSettings } from '../support/moving.ts'
import { blobPath, commandIn, everyFile, flip, freshId, inFolder, openOffice, plantBlob } from '../support/operator-office.ts'
import { startCommand } from '../support/run-command.ts'
import { inOwnMounts, settings } from '../support/signed-in.ts'
import { failToStart } from '../support/start-neptune.ts'
import { startPostgres } from '../support/start-postgres.ts'
import { type S3, startS3 } from '../support/start-s3.ts'
import { layWire } from '../support/wire.ts'
import { randomOf } from './random.ts'

let postgres: Awaited<ReturnType<typeof startPostgres>>
let s3: S3
beforeAll(async () => {
  ;[postgres, s3] = await Promise.all([startPostgres(), startS3()])
}, 120_000)
afterAll(() => Promise.all([postgres.stop(), s3.stop()]), 60_000)

let made = 0
/** Another one for each test. */
async function freshDatabase(): Promise<string> {
  const name = `moved_${++made}`
  await postgres.query(`create database ${name}`)
  return postgres.url.replace(/postgres$/, name)
}

const freshBucket = () => ({ ...s3.settings, S3_BUCKET: `moved-${++made}` })

const keyOf = (folder: string) => readFileSync(join(folder, 'data/secret.key'), 'utf8').trim()

describe('a move', () => {
  it('of ten thousand files, killed on the way and while files come in, ends with every hash equal', {
    timeout: 3_000_000,
  }, async () => {
    const random = randomOf('migrate-to')
    await inFolder(async (folder) => {
      const there = { ...freshBucket(), DATABASE_URL: await freshDatabase(), DATA_DIR: join(folder, 'there') }
      await using toRows = await layWire(there.DATABASE_URL)
      await using toBytes = await layWire(there.S3_ENDPOINT ?? '')
      const target = writeSettings(folder, 'target.env', { ...there, DATABASE_URL: toRows.url, S3_ENDPOINT: toBytes.url })
      const sums = new Map<string, string>()
      await using office = await openOffice(folder)
      const send = async (name: string, bytes: Buffer) => {
        expect((await office.put(name, bytes)).status).toBe(200)
        sums.set(name, digest(bytes))
      }
      const sizes = Array.from({ length: 10_000 }, (_, i) => (i % 2000 === 0 ? 20_000_000 : random.between(0, 20_000)))
      await inTurns(
        8,
        sizes.map((size, i) => () => send(`${i}.bin`, random.bytes(size))),
      )
      const link = await shareDirectory(office)

      let isOver = false
      const write = async () => {
        for (let i = 0; i < 1000 && !isOver; i++) await send(`later-${i}.bin`, random.bytes(random.between(0, 20_000)))
      }
      const writer = write().catch(String)
      const here = { DATA_DIR: join(folder, 'data') }
      const begun = performance.now()
      for (const puts of [3000, 4000])
        expect(await killedAt(toBytes.heard('PUT /', puts), ['migrate-to', target], here)).toMatchObject({ code: null, err: '' })
      const copied = await commandIn(folder)('migrate-to', target)
      process.stdout.write(copied.out)
      expect(copied).toMatchObject({ code: 0, err: '' })
      isOver = true
      expect(await writer).toBeUndefined()
      await office.stop()
      expect(await killedAt(toRows.heard('insert into "audit"', 3), ['migrate-to', target, '--finish'], here)).toMatchObject({
        code: null,
        err: '',
      })
      const finished = await commandIn(folder)('migrate-to', target, '--finish')
      process.stdout.write(`${finished.out}in all ${Math.round((performance.now() - begun) / 1000)} s\n`)
      expect(finished).toMatchObject({ code: 0, err: '' })

      const place = { ...there, SECRET_KEY: keyOf(folder) }
      await using moved = await openOffice(folder, place)
      const rows = await everyFile(moved)
      expect(new Map([...rows].map(([name, { sha256 }]) => [name, sha256]))).toEqual(sums)
      await inTurns(
        8,
        [...rows.values()].map(({ id, sha256 }) => async () => {
          const reply = await fetch(`${moved.url}/v1/file/${id}`, { headers: office.headers })
          expect(digest(new Uint8Array(await reply.arrayBuffer()))).toBe(sha256)
        }),
      )
      expect((await fetch(`${moved.url}/v1/file?limit=1`, { headers: link.headers })).status).toBe(200)
      await expectClean(folder, place)
    })
  })

  it('goes back the same way, and from either kind of database nobody loses what was done in between', async () => {
    await inFolder(async (folder) => {
      const first = await openOffice(folder)
      const link = await shareDirectory(first)
      await first.put('a.bin', randomBytes(3000))
      await first.stop()
      const SECRET_KEY = keyOf(folder)
      const there = { ...freshBucket(), DATABASE_URL: await freshDatabase(), DATA_DIR: join(folder, 'there'), SECRET_KEY }
      const forth = await commandIn(folder)('migrate-to', writeSettings(folder, 'there.env', there), '--finish')
      expect(forth).toMatchObject({ code: 0, err: '', out: expect.not.stringContaining('secret key') })

      const second = await openOffice(folder, there)
      await second.put('b.bin', randomBytes(3000))
      const sums = await second.sums()
      expect(Object.keys(sums)).toHaveLength(2)
      const back = { DATA_DIR: join(folder, 'back'), SECRET_KEY }
      const words = ['migrate-to', writeSettings(folder, 'back.env', back)]
      expect(await commandIn(folder, there)(...words)).toMatchObject({ code: 0, err: '' })
      // A node elsewhere has another data folder, so its lock is not seen from here; its connections are.
      mkdirSync(join(folder, 'node'))
      const elsewhere = await commandIn(folder, { ...there, DATA_DIR: join(folder, 'node') })(...words, '--finish')
      expect(elsewhere).toMatchObject({ code: 2, err: expect.stringMatching(/other connections? .*Stop Neptune on every node/) })
      await second.stop()
      // Also one whose address gives it a name of its own.
      const named = await openOffice(folder, { ...there, DATABASE_URL: `${there.DATABASE_URL}?application_name=node2` })
      const beside = await commandIn(folder, { ...there, DATA_DIR: join(folder, 'node') })(...words, '--finish')
      expect(beside).toMatchObject({ code: 2, err: expect.stringMatching(/other connections? .*Stop Neptune on every node/) })
      await named.stop()
      expect(await commandIn(folder, there)(...words, '--finish')).toMatchObject({ code: 0, err: '' })

      const { lines } = await failToStart({ ...settings, ...there })
      expect(lines).toEqual([expect.stringContaining(`Everything here was moved to ${join(folder, 'back/neptune.db')} and`)])
      await using third = await openOffice(folder, back)
      expect(await third.sums()).toEqual(sums)
      for (const headers of [first.headers, second.headers, link.headers])
        expect((await fetch(`${third.url}/v1/file?limit=1`, { headers })).status).toBe(200)
      expect((await (await third.get('/v1/file?search=b.bin')).json()).data).toHaveLength(1)
      expect((await third.put('c.bin', randomBytes(10))).status).toBe(200)
      await expectClean(folder, back)
    })
  })

  it('goes nowhere but into an empty place with no other key, and says why in a line', async () => {
    await inFolder(async (folder) => {
      await using office = await openOffice(folder)
      await office.put('a.bin', randomBytes(3000))
      const there = join(folder, 'there')
      const DATABASE_URL = await freshDatabase()
      const refusal = async (settings: Record<string, string>, ...more: string[]) => {
        const target = writeSettings(folder, 'target.env', settings)
        const { code, err } = await commandIn(folder)('migrate-to', target, ...more)
        expect(code).toBe(2)
        expect(err.trim().split('\n'), err).toHaveLength(1)
        return err
      }
      const { code, err } = await commandIn(folder)('migrate-to', join(folder, 'none.env'))
      expect([code, err]).toEqual([2, expect.stringContaining('cannot be read')])
      expect(await refusal({ DATABASE_URL: 'mysql://x' })).toContain('DATABASE_URL must start with postgres://')
      expect(await refusal({ DATA_DIR: join(folder, 'data') })).toContain('Nothing can be moved to where it is')
      expect(await refusal({ DATA_DIR: there, SECRET_KEY: 'tq0VnM2bX8sLr4yKcP7wZdE1uHfJ6gA9' })).toContain('another secret key')
      expect(await refusal({ DATA_DIR: there, DATABASE_URL: 'postgres://127.0.0.1:1/x' })).toContain('cannot be opened')
      expect(await refusal({ DATA_DIR: there, DATABASE_URL }, '--finish')).toContain('Stop it to finish the move')
      expect(readdirSync(folder).toSorted()).toEqual(['data', 'target.env'])

      plantBlob(join(folder, 'full'), freshId())
      expect(await refusal({ DATA_DIR: join(folder, 'full/data'), DATABASE_URL })).toContain('There are files in')
      const other = { DATA_DIR: join(folder, 'other/data'), DATABASE_URL: await freshDatabase() }
      {
        await using _ = await openOffice(join(folder, 'other'), other)
        expect(await refusal({ ...other, DATABASE_URL, SECRET_KEY: keyOf(folder) })).toContain(
          'Somebody works with the data folder',
        )
        expect(await refusal({ DATA_DIR: there, DATABASE_URL: other.DATABASE_URL })).toContain('is not empty')
      }
      const begun = writeSettings(folder, 'begun.env', { DATA_DIR: there, DATABASE_URL })
      expect((await commandIn(join(folder, 'other'), other)('migrate-to', begun)).code).toBe(0)
      expect(await refusal({ DATA_DIR: there, DATABASE_URL })).toContain('Another installation is being moved')
      const { lines } = await failToStart({ ...settings, DATA_DIR: there, DATABASE_URL })
      expect(lines).toEqual([expect.stringContaining('was not finished. Run neptune migrate-to with --finish')])
      const finish = ['migrate-to', begun, '--finish']
      expect((await commandIn(join(folder, 'other'), other)(...finish)).code).toBe(0)
      const again = commandIn(join(folder, 'other'), other)
      expect((await again(...finish)).err).toContain('Nothing was moved. Everything here was moved to')
      expect((await again('migrate-to', '--undo')).code).toBe(0)
      expect((await again(...finish)).err).toContain('holds this installation already')
    })
  })

  it('names a damaged file, moves the rest, and marks it there; the old place stays as it is', async () => {
    await inFolder(async (folder) => {
      const office = await openOffice(folder)
      for (const name of ['good', 'flipped', 'gone', 'known']) await office.put(`${name}.bin`, randomBytes(3000))
      const ids = Object.fromEntries((await office.list()).map(({ id, file_name }) => [file_name, id]))
      flip(blobPath(folder, ids['known.bin'] ?? ''))
      await commandIn(folder)('fsck', '--scrub', '--repair')
      flip(blobPath(folder, ids['flipped.bin'] ?? ''))
      rmSync(blobPath(folder, ids['gone.bin'] ?? ''))
      const there = { DATABASE_URL: await freshDatabase(), DATA_DIR: join(folder, 'there') }
      const words = ['migrate-to', writeSettings(folder, 'target.env', there)]
      for (const more of [[], ['--finish']]) {
        if (more.length > 0) await office.stop()
        const { code, out } = await commandIn(folder)(...words, ...more)
        expect(code).toBe(1)
        expect(out).toMatch(/^damaged .*"flipped.bin".*SHA-256/m)
        expect(out).toMatch(/^damaged .*"gone.bin".*missing/m)
        expect(out).toMatch(/^known damaged .*"known.bin".*SHA-256/m)
        expect(out).toContain('3 could not be copied')
        expect(out).not.toContain('good.bin')
      }
      using db = new DatabaseSync(join(folder, 'data/neptune.db'), { readOnly: true })
      expect(db.prepare('select name from file where damaged_at is not null').all()).toEqual([{ name: 'known.bin' }])

      const place = { ...there, SECRET_KEY: keyOf(folder) }
      await using moved = await openOffice(folder, place)
      for (const { file_name, damaged } of await moved.list()) expect(damaged, file_name).toBe(file_name !== 'good.bin')
      const lines = (await commandIn(folder, place)('audit', 'export', '--action', 'file.damaged')).out
      for (const name of ['flipped.bin', 'gone.bin', 'known.bin']) expect(lines.split(name)).toHaveLength(2)
      await expectClean(folder, place)
    })
  })

  it('that finds the disk full says so, and goes on when there is room', async () => {
    await inFolder(async (folder) => {
      const office = await openOffice(folder)
      for (let i = 0; i < 12; i++) await office.put(`${i}.bin`, randomBytes(1_000_000))
      await office.stop()
      const there = join(folder, 'there')
      mkdirSync(there)
      const words = ['migrate-to', writeSettings(folder, 'target.env', { DATA_DIR: join(there, 'data') }), '--finish']
      const small = inOwnMounts(there, 'mount -t tmpfs -o size=8m tmpfs "$0"')
      const full = await startCommand(words, { DATA_DIR: join(folder, 'data') }, '', small).ended
      expect(full).toMatchObject({ code: 2, err: expect.stringMatching(/^neptune migrate-to: There is no space left .*\n$/) })
      expect(await commandIn(folder)(...words)).toMatchObject({ code: 0, err: '' })
    })
  })

  it('that loses the database at the very end says so, and goes on when it is back', async () => {
    await inFolder(async (folder) => {
      const office = await openOffice(folder)
      await office.put('a.bin', randomBytes(3000))
      await office.stop()
      const there = { DATABASE_URL: await freshDatabase(), DATA_DIR: join(folder, 'there') }
      await using wire = await layWire(there.DATABASE_URL)
      const target = writeSettings(folder, 'target.env', { ...there, DATABASE_URL: wire.url })
      const cut = wire.heard('setval(').then(() => wire[Symbol.asyncDispose]())
      const { code, err } = await commandIn(folder)('migrate-to', target, '--finish')
      await cut
      expect([code, err]).toEqual([
        2,
        expect.stringMatching(/^neptune migrate-to: It was broken off: .*Run it again to go on.\n$/),
      ])
      const words = ['migrate-to', writeSettings(folder, 'target.env', there), '--finish']
      expect(await commandIn(folder)(...words)).toMatchObject({ code: 0, err: '' })
    })
  })

  it('forgets what was removed for good after it was copied', async () => {
    await inFolder(async (folder) => {
      const office = await openOffice(folder)
      for (const name of ['a', 'b']) await office.put(`${name}.bin`, randomBytes(3000))
      const { id = '' } = (await office.list()).find(({ file_name }) => file_name === 'b.bin') ?? {}
      const there = { DATA_DIR: join(folder, 'there/data') }
      const words = ['migrate-to', writeSettings(folder, 'target.env', there)]
      expect((await commandIn(folder)(...words)).code).toBe(0)
      expect(existsSync(blobPath(join(folder, 'there'), id))).toBe(true)
      await office.post('/v1/file/delete', { ids: [id] })
      await office.stop()
      {
        using db = new DatabaseSync(join(folder, 'data/neptune.db'))
        db.exec("update file set deleted_at = '2020-01-01T00:00:00.000Z' where deleted_at is not null")
      }
      expect((await commandIn(folder)('gc')).out).toContain('removed from the trash "b.bin"')
      expect((await commandIn(folder)(...words, '--finish')).code).toBe(0)
      expect(existsSync(blobPath(join(folder, 'there'), id))).toBe(false)
      await expectClean(folder, { ...there, SECRET_KEY: keyOf(folder) })
    })
  })
})

async function expectClean(folder: string, settings: Record<string, string>) {
  for (const words of [
    ['fsck', '--scrub'],
    ['audit', 'verify'],
  ])
    expect(await commandIn(folder, settings)(...words)).toMatchObject({ code: 0, err: '' })
}
