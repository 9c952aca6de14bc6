import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { blobPath, createOrphanBlob, flipBit, makeBlobId } from '../support/blob-files.ts'
import { digest } from '../support/client.ts'
import { killAt, shareDirectory, writeSettings } from '../support/migration-steps.ts'
import { acceptInvitation, addPeople, listAllFiles, makeCommand, openServer, readPeople } from '../support/operator-server.ts'
import { startCommand } from '../support/run-command.ts'
import { runConcurrently } from '../support/run-concurrently.ts'
import { startBlockingProxy } from '../support/services/blocking-proxy.ts'
import { startPostgres } from '../support/services/start-postgres.ts'
import { type S3Server, startS3 } from '../support/services/start-s3.ts'
import { tryToStart } from '../support/start-neptune.ts'
import { settings, wrapInMountNamespace } from '../support/start-signed-in.ts'
import { withTempFolder } from '../support/temp-folder.ts'
import { makeRandom } from './random.ts'

let postgres: Awaited<ReturnType<typeof startPostgres>>
let s3: S3Server
beforeAll(async () => {
  ;[postgres, s3] = await Promise.all([startPostgres(), startS3()])
}, 120_000)
afterAll(() => Promise.all([postgres.stop(), s3.stop()]), 60_000)

let nameCount = 0
/** Creates a new database and returns its URL. */
async function makeDatabase(): Promise<string> {
  const name = `moved_${++nameCount}`
  await postgres.query(`create database ${name}`)
  return postgres.url.replace(/postgres$/, name)
}

/** Returns the settings of a bucket that does not exist yet. */
const makeBucket = () => ({ ...s3.settings, S3_BUCKET: `moved-${++nameCount}` })
const readSecretKey = (folder: string) => readFileSync(join(folder, 'data/secret.key'), 'utf8').trim()

describe('a move', () => {
  it('of two thousand files, with kills and concurrent uploads, ends with every hash equal', {
    timeout: 900_000,
  }, async () => {
    const random = makeRandom('migrate-to')
    await withTempFolder(async (folder) => {
      const target = { ...makeBucket(), DATABASE_URL: await makeDatabase(), DATA_DIR: join(folder, 'there') }
      await using postgresProxy = await startBlockingProxy(target.DATABASE_URL)
      await using s3Proxy = await startBlockingProxy(target.S3_ENDPOINT ?? '')
      const envFile = writeSettings(folder, 'target.env', {
        ...target,
        DATABASE_URL: postgresProxy.url,
        S3_ENDPOINT: s3Proxy.url,
      })
      const hashes = new Map<string, string>()
      await using server = await openServer(folder)
      const send = async (name: string, bytes: Buffer) => {
        expect((await server.put(name, bytes)).status).toBe(200)
        hashes.set(name, digest(bytes))
      }
      const sizes = Array.from({ length: 2000 }, (_, i) => (i % 500 === 0 ? 20_000_000 : random.between(0, 20_000)))
      await runConcurrently(
        8,
        sizes.map((size, i) => () => send(`${i}.bin`, random.bytes(size))),
      )
      const link = await shareDirectory(server)

      let isOver = false
      const write = async () => {
        for (let i = 0; i < 1000 && !isOver; i++) await send(`later-${i}.bin`, random.bytes(random.between(0, 20_000)))
      }
      const writer = write().catch(String)
      const source = { DATA_DIR: join(folder, 'data') }
      const startedAt = performance.now()
      for (const puts of [600, 800])
        expect(await killAt(s3Proxy.waitForText('PUT /', puts), ['migrate-to', envFile], source)).toMatchObject({
          code: null,
          err: '',
        })
      const copied = await makeCommand(folder)('migrate-to', envFile)
      process.stdout.write(copied.out)
      expect(copied).toMatchObject({ code: 0, err: '' })
      isOver = true
      expect(await writer).toBeUndefined()
      await server.stop()
      expect(
        await killAt(postgresProxy.waitForText('insert into "audit"', 3), ['migrate-to', envFile, '--finish'], source),
      ).toMatchObject({ code: null, err: '' })
      const finished = await makeCommand(folder)('migrate-to', envFile, '--finish')
      process.stdout.write(`${finished.out}in all ${Math.round((performance.now() - startedAt) / 1000)} s\n`)
      expect(finished).toMatchObject({ code: 0, err: '' })

      const movedSettings = { ...target, SECRET_KEY: readSecretKey(folder) }
      await using moved = await openServer(folder, movedSettings)
      const rows = await listAllFiles(moved)
      expect(new Map([...rows].map(([name, { sha256 }]) => [name, sha256]))).toEqual(hashes)
      await runConcurrently(
        8,
        [...rows.values()].map(({ id, sha256 }) => async () => {
          const reply = await fetch(`${moved.url}/v1/file/${id}`, { headers: server.headers })
          expect(digest(new Uint8Array(await reply.arrayBuffer()))).toBe(sha256)
        }),
      )
      expect((await fetch(`${moved.url}/v1/file?limit=1`, { headers: link.headers })).status).toBe(200)
      await expectNoErrors(folder, movedSettings)
    })
  })

  it('can be reversed, from either kind of database, without losing changes made in between', async () => {
    await withTempFolder(async (folder) => {
      const first = await openServer(folder)
      const [link, { people, invitation }] = [await shareDirectory(first), await addPeople(first)]
      await first.put('a.bin', randomBytes(3000))
      await first.stop()
      const SECRET_KEY = readSecretKey(folder)
      const target = { ...makeBucket(), DATABASE_URL: await makeDatabase(), DATA_DIR: join(folder, 'there'), SECRET_KEY }
      const moved = await makeCommand(folder)('migrate-to', writeSettings(folder, 'there.env', target), '--finish')
      expect(moved).toMatchObject({ code: 0, err: '', out: expect.not.stringContaining('secret key') })

      const second = await openServer(folder, target)
      await second.put('b.bin', randomBytes(3000))
      const hashes = await second.downloadHashes()
      expect(Object.keys(hashes)).toHaveLength(2)
      const back = { DATA_DIR: join(folder, 'back'), SECRET_KEY }
      const args = ['migrate-to', writeSettings(folder, 'back.env', back)]
      expect(await makeCommand(folder, target)(...args)).toMatchObject({ code: 0, err: '' })
      // Another node has a different data folder, so its lock is not visible here, but its database connections are.
      mkdirSync(join(folder, 'node'))
      const otherNode = await makeCommand(folder, { ...target, DATA_DIR: join(folder, 'node') })(...args, '--finish')
      expect(otherNode).toMatchObject({ code: 2, err: expect.stringMatching(/other connections? .*Stop Neptune on every node/) })
      await second.stop()
      // Also detects a node whose database URL sets its own application name.
      const namedNode = await openServer(folder, {
        ...target,
        DATABASE_URL: `${target.DATABASE_URL}?application_name=node2`,
      })
      const besideNamed = await makeCommand(folder, { ...target, DATA_DIR: join(folder, 'node') })(...args, '--finish')
      expect(besideNamed).toMatchObject({
        code: 2,
        err: expect.stringMatching(/other connections? .*Stop Neptune on every node/),
      })
      await namedNode.stop()
      expect(await makeCommand(folder, target)(...args, '--finish')).toMatchObject({ code: 0, err: '' })

      const { lines } = await tryToStart({ ...settings, ...target })
      expect(lines).toEqual([expect.stringContaining(`Everything here was moved to ${join(folder, 'back/neptune.db')} and`)])
      await using third = await openServer(folder, back)
      expect([await third.downloadHashes(), await readPeople(third)]).toEqual([hashes, people])
      for (const headers of [first.headers, second.headers, link.headers])
        expect((await fetch(`${third.url}/v1/file?limit=1`, { headers })).status).toBe(200)
      expect((await (await third.get('/v1/file?search=b.bin')).json()).data).toHaveLength(1)
      expect([(await third.put('c.bin', randomBytes(10))).status, await acceptInvitation(third, invitation)]).toEqual([200, 200])
      await expectNoErrors(folder, back)
    })
  })

  it('requires an empty target with the same secret key or none, and explains errors in one line', async () => {
    await withTempFolder(async (folder) => {
      await using server = await openServer(folder)
      await server.put('a.bin', randomBytes(3000))
      const target = join(folder, 'there')
      const DATABASE_URL = await makeDatabase()
      const expectRejected = async (settings: Record<string, string>, ...more: string[]) => {
        const envFile = writeSettings(folder, 'target.env', settings)
        const { code, err } = await makeCommand(folder)('migrate-to', envFile, ...more)
        expect(code).toBe(2)
        expect(err.trim().split('\n'), err).toHaveLength(1)
        return err
      }
      const { code, err } = await makeCommand(folder)('migrate-to', join(folder, 'none.env'))
      expect([code, err]).toEqual([2, expect.stringContaining('cannot be read')])
      expect(await expectRejected({ DATABASE_URL: 'mysql://x' })).toContain('DATABASE_URL must start with postgres://')
      expect(await expectRejected({ DATA_DIR: join(folder, 'data') })).toContain('Source and target have the same DATA_DIR')
      expect(await expectRejected({ DATA_DIR: target, SECRET_KEY: 'tq0VnM2bX8sLr4yKcP7wZdE1uHfJ6gA9' })).toContain(
        'a different secret key',
      )
      expect(await expectRejected({ DATA_DIR: target, DATABASE_URL: 'postgres://127.0.0.1:1/x' })).toContain('cannot be opened')
      expect(await expectRejected({ DATA_DIR: target, DATABASE_URL }, '--finish')).toContain('Stop it to finish the move')
      expect(readdirSync(folder).toSorted()).toEqual(['data', 'target.env'])

      createOrphanBlob(join(folder, 'full'), makeBlobId())
      expect(await expectRejected({ DATA_DIR: join(folder, 'full/data'), DATABASE_URL })).toContain('There are already files in')
      const other = { DATA_DIR: join(folder, 'other/data'), DATABASE_URL: await makeDatabase() }
      {
        await using _ = await openServer(join(folder, 'other'), other)
        expect(await expectRejected({ ...other, DATABASE_URL, SECRET_KEY: readSecretKey(folder) })).toContain(
          'is in use by a Neptune server or another move',
        )
        expect(await expectRejected({ DATA_DIR: target, DATABASE_URL: other.DATABASE_URL })).toContain('is not empty')
      }
      const otherEnvFile = writeSettings(folder, 'other.env', { DATA_DIR: target, DATABASE_URL })
      expect((await makeCommand(join(folder, 'other'), other)('migrate-to', otherEnvFile)).code).toBe(0)
      expect(await expectRejected({ DATA_DIR: target, DATABASE_URL })).toContain('Another installation is being moved')
      const { lines } = await tryToStart({ ...settings, DATA_DIR: target, DATABASE_URL })
      expect(lines).toEqual([expect.stringContaining('was not finished. Run neptune migrate-to with --finish')])
      const finish = ['migrate-to', otherEnvFile, '--finish']
      expect((await makeCommand(join(folder, 'other'), other)(...finish)).code).toBe(0)
      const runAgain = makeCommand(join(folder, 'other'), other)
      expect((await runAgain(...finish)).err).toContain('Nothing was moved. Everything here was moved to')
      expect((await runAgain('migrate-to', '--undo')).code).toBe(0)
      expect((await runAgain(...finish)).err).toContain('already contains this installation')
    })
  })

  it('reports a damaged file, moves the rest, marks it at the target, and leaves the source unchanged', async () => {
    await withTempFolder(async (folder) => {
      const server = await openServer(folder)
      for (const name of ['good', 'flipped', 'gone', 'known']) await server.put(`${name}.bin`, randomBytes(3000))
      const ids = Object.fromEntries((await server.list()).map(({ id, file_name }) => [file_name, id]))
      flipBit(blobPath(folder, ids['known.bin'] ?? ''))
      await makeCommand(folder)('fsck', '--scrub', '--repair')
      flipBit(blobPath(folder, ids['flipped.bin'] ?? ''))
      rmSync(blobPath(folder, ids['gone.bin'] ?? ''))
      const target = { DATABASE_URL: await makeDatabase(), DATA_DIR: join(folder, 'there') }
      const args = ['migrate-to', writeSettings(folder, 'target.env', target)]
      for (const more of [[], ['--finish']]) {
        if (more.length > 0) await server.stop()
        const { code, out } = await makeCommand(folder)(...args, ...more)
        expect(code).toBe(1)
        expect(out).toMatch(/^damaged .*"flipped.bin".*SHA-256/m)
        expect(out).toMatch(/^damaged .*"gone.bin".*missing/m)
        expect(out).toMatch(/^known damaged .*"known.bin".*SHA-256/m)
        expect(out).toContain('3 could not be copied')
        expect(out).not.toContain('good.bin')
      }
      using db = new DatabaseSync(join(folder, 'data/neptune.db'), { readOnly: true })
      expect(db.prepare('select name from file where damaged_at is not null').all()).toEqual([{ name: 'known.bin' }])

      const movedSettings = { ...target, SECRET_KEY: readSecretKey(folder) }
      await using moved = await openServer(folder, movedSettings)
      for (const { file_name, damaged } of await moved.list()) expect(damaged, file_name).toBe(file_name !== 'good.bin')
      const lines = (await makeCommand(folder, movedSettings)('audit', 'export', '--action', 'file.damaged')).out
      for (const name of ['flipped.bin', 'gone.bin', 'known.bin']) expect(lines.split(name)).toHaveLength(2)
      await expectNoErrors(folder, movedSettings)
    })
  })

  it('reports a full disk, and continues when space is freed', async () => {
    await withTempFolder(async (folder) => {
      const server = await openServer(folder)
      for (let i = 0; i < 12; i++) await server.put(`${i}.bin`, randomBytes(1_000_000))
      await server.stop()
      const target = join(folder, 'there')
      mkdirSync(target)
      const args = ['migrate-to', writeSettings(folder, 'target.env', { DATA_DIR: join(target, 'data') }), '--finish']
      const small = wrapInMountNamespace(target, 'mount -t tmpfs -o size=8m tmpfs "$0"')
      const full = await startCommand(args, { DATA_DIR: join(folder, 'data') }, '', small).ended
      expect(full).toMatchObject({ code: 2, err: expect.stringMatching(/^neptune migrate-to: There is no space left .*\n$/) })
      expect(await makeCommand(folder)(...args)).toMatchObject({ code: 0, err: '' })
    })
  })

  it('reports a lost database connection at the very end, and continues when it is back', async () => {
    await withTempFolder(async (folder) => {
      const server = await openServer(folder)
      await server.put('a.bin', randomBytes(3000))
      await server.stop()
      const target = { DATABASE_URL: await makeDatabase(), DATA_DIR: join(folder, 'there') }
      await using proxy = await startBlockingProxy(target.DATABASE_URL)
      const envFile = writeSettings(folder, 'target.env', { ...target, DATABASE_URL: proxy.url })
      const connectionClosed = proxy.waitForText('setval(').then(() => proxy[Symbol.asyncDispose]())
      const { code, err } = await makeCommand(folder)('migrate-to', envFile, '--finish')
      await connectionClosed
      expect([code, err]).toEqual([
        2,
        expect.stringMatching(/^neptune migrate-to: The move was interrupted: .*Run it again to resume.\n$/),
      ])
      const args = ['migrate-to', writeSettings(folder, 'target.env', target), '--finish']
      expect(await makeCommand(folder)(...args)).toMatchObject({ code: 0, err: '' })
    })
  })

  it('deletes copied files that were permanently removed at the source', async () => {
    await withTempFolder(async (folder) => {
      const server = await openServer(folder)
      for (const name of ['a', 'b']) await server.put(`${name}.bin`, randomBytes(3000))
      const { id = '' } = (await server.list()).find(({ file_name }) => file_name === 'b.bin') ?? {}
      const target = { DATA_DIR: join(folder, 'there/data') }
      const args = ['migrate-to', writeSettings(folder, 'target.env', target)]
      expect((await makeCommand(folder)(...args)).code).toBe(0)
      expect(existsSync(blobPath(join(folder, 'there'), id))).toBe(true)
      await server.post('/v1/file/delete', { ids: [id] })
      await server.stop()
      {
        using db = new DatabaseSync(join(folder, 'data/neptune.db'))
        db.exec("update file set deleted_at = '2020-01-01T00:00:00.000Z' where deleted_at is not null")
      }
      expect((await makeCommand(folder)('gc')).out).toContain('removed from the trash "b.bin"')
      expect((await makeCommand(folder)(...args, '--finish')).code).toBe(0)
      expect(existsSync(blobPath(join(folder, 'there'), id))).toBe(false)
      await expectNoErrors(folder, { ...target, SECRET_KEY: readSecretKey(folder) })
    })
  })
})

async function expectNoErrors(folder: string, settings: Record<string, string>) {
  for (const args of [
    ['fsck', '--scrub'],
    ['audit', 'verify'],
  ])
    expect(await makeCommand(folder, settings)(...args)).toMatchObject({ code: 0, err: '' })
}
