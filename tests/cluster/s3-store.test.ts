import { createHash, randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { AwsClient } from 'aws4fetch'
import { describe, expect, inject, it } from 'vitest'
import { startFaultyS3 } from '../support/faulty-s3.ts'
import { writeSettings } from '../support/moving.ts'
import { inFolder, makeCommand, openServer } from '../support/operator-office.ts'
import { startCommand } from '../support/run-command.ts'
import { settings } from '../support/signed-in.ts'
import { failToStart, startNeptune } from '../support/start-neptune.ts'
import { startPostgres } from '../support/start-postgres.ts'

const s3 = inject('s3')
type Store = Record<string, string> & { S3_BUCKET: string }
const freshBucket = (): Store => ({ ...s3, S3_BUCKET: `own-${randomBytes(6).toString('hex')}` })

/** Asks a store itself: of a bucket, or of an object in it. */
function ask({ S3_BUCKET, ...store }: Store, method: string, key = '', body = '') {
  const client = new AwsClient({
    accessKeyId: store['S3_ACCESS_KEY_ID'] ?? '',
    secretAccessKey: store['S3_SECRET_ACCESS_KEY'] ?? '',
    region: store['S3_REGION'] ?? '',
    service: 's3',
  })
  return client.fetch(`${store['S3_ENDPOINT']}/${S3_BUCKET}${key && `/${key}`}`, {
    method,
    headers: { 'x-amz-content-sha256': createHash('sha256').update(body).digest('hex') },
    ...(body && { body }),
  })
}

const start = (folder: string, more: Record<string, string>) =>
  failToStart({ ...settings, DATA_DIR: join(folder, 'data'), ...more })

function storeFact(folder: string, value?: string): unknown {
  using db = new DatabaseSync(join(folder, 'data/neptune.db'))
  if (value) db.prepare("update installation set value = ? where name = 'store'").run(value)
  return db.prepare("select value from installation where name = 'store'").get()?.['value']
}

/** A Neptune that was there, and left a file. */
async function fill(folder: string, more: Record<string, string> = {}) {
  await using office = await openServer(folder, more)
  await office.put('a.bin', randomBytes(3000))
  await office.stop()
}

const expectFilled = async ({ downloadHashes }: Pick<Awaited<ReturnType<typeof openServer>>, 'downloadHashes'>) =>
  expect(Object.keys(await downloadHashes())).toEqual(['a.bin'])

/** By which a bucket is known. */
const idOf = async (bucket: Store) => (await (await ask(bucket, 'GET', 'neptune.id')).text()).trim()

describe('a bucket', () => {
  it('belongs to one database: another one does not start on it, and its commands leave the files alone', async () => {
    await inFolder(async (folder) => {
      const bucket = freshBucket()
      await using office = await openServer(folder, bucket)
      await office.put('a.bin', randomBytes(3000))
      const other = join(folder, 'other')
      mkdirSync(other)
      const refused = expect.stringContaining(`The bucket ${bucket.S3_BUCKET} at ${bucket['S3_ENDPOINT']} belongs to another`)
      expect(await start(other, bucket)).toMatchObject({ code: 1, lines: [refused] })
      const repaired = await makeCommand(other, bucket)('fsck', '--repair')
      expect(repaired).toMatchObject({ code: 2, out: '' })
      // Also without the id, as an older version left it, and also without files.
      await ask(bucket, 'DELETE', 'neptune.id')
      expect(await start(other, bucket)).toMatchObject({ code: 1, lines: [refused] })
      const empty = freshBucket()
      await ask(empty, 'PUT')
      await ask(empty, 'PUT', 'neptune.id', 'of somebody else')
      expect((await start(other, empty)).lines).toEqual([expect.stringContaining('belongs to another')])
      await expectFilled(office)
      // Nothing was made that would be in the way now.
      await using _ = await openServer(other, freshBucket())
    })
  })

  it('of the same name at another host is not taken for it, nor made there', async () => {
    await inFolder(async (folder) => {
      const bucket = freshBucket()
      await fill(folder, bucket)
      const wrong = { ...bucket, ...inject('smallS3') }
      const missing = expect.stringContaining('is missing, but it holds the files of this database. Check S3_ENDPOINT')
      expect((await start(folder, wrong)).lines).toEqual([missing])
      expect((await start(folder, { ...wrong, WORKERS: '2' })).lines).toEqual([missing])
      expect(await makeCommand(folder, wrong)('fsck', '--repair')).toMatchObject({ code: 2, err: missing })
      expect((await ask(wrong, 'GET')).status).toBe(404)
      await ask(wrong, 'PUT')
      const not = expect.stringContaining('does not hold the files of this database: its object neptune.id is missing')
      expect((await start(folder, wrong)).lines).toEqual([not])
      expect(await makeCommand(folder, wrong)('fsck', '--repair')).toMatchObject({ code: 2, err: not })
      await using again = await openServer(folder, bucket)
      await expectFilled(again)
    })
  })

  it('that an older version has filled is given its id by the next start, and is clean', async () => {
    await inFolder(async (folder) => {
      const bucket = freshBucket()
      await fill(folder, bucket)
      await ask(bucket, 'DELETE', 'neptune.id')
      storeFact(folder, `s3:${bucket.S3_BUCKET}`)
      expect((await makeCommand(folder, bucket)('fsck')).code).toBe(0)
      await using again = await openServer(folder, bucket)
      await expectFilled(again)
      const id = await idOf(bucket)
      expect(storeFact(folder)).toBe(`s3:${bucket.S3_BUCKET}:${id}`)
      expect((await makeCommand(folder, bucket)('fsck', '--repair')).out).toContain('Nothing is wrong.')
      await again.stop()
      // A start that died before the bucket had it.
      await ask(bucket, 'DELETE', 'neptune.id')
      storeFact(folder, `s3:${bucket.S3_BUCKET}:${id}:unsure`)
      await using _ = await openServer(folder, bucket)
      expect(await idOf(bucket)).toBe(id)
      expect(storeFact(folder)).toBe(`s3:${bucket.S3_BUCKET}:${id}`)
    })
  })

  it('is claimed once by nodes that start at the same time', async () => {
    const postgres = await startPostgres()
    try {
      const bucket = freshBucket()
      const common = { ...settings, ...bucket, DATABASE_URL: postgres.url, SECRET_KEY: 'tq0VnM2bX8sLr4yKcP7wZdE1uHfJ6gA9' }
      const nodes = await Promise.all([1, 2, 3].map(() => startNeptune(common)))
      await Promise.all(nodes.map((node) => node[Symbol.asyncDispose]()))
      const id = await idOf(bucket)
      expect(await postgres.query("select value from installation where name = 'store'")).toEqual([
        { value: `s3:${bucket.S3_BUCKET}:${id}` },
      ])
    } finally {
      await postgres.stop()
    }
  })
})

describe('what is brought into a bucket', () => {
  it('by a restore is whole; broken off, it goes on in the same bucket and touches no other', async () => {
    await inFolder(async (folder) => {
      const production = freshBucket()
      const file = join(folder, 'backup.tar')
      await using office = await openServer(folder, production)
      await office.put('a.bin', randomBytes(3000))
      await office.put('b.bin', randomBytes(3000))
      expect((await makeCommand(folder, production)('backup', file)).code).toBe(0)
      await office.put('newer.bin', randomBytes(10))
      const SECRET_KEY = readFileSync(join(folder, 'data/secret.key'), 'utf8').trim()

      await using faulty = await startFaultyS3(s3['S3_ENDPOINT'] ?? '')
      faulty.fail(/^PUT .*\/blobs\//, { late: 60_000 })
      const there = join(folder, 'there')
      mkdirSync(there)
      const trial = { ...freshBucket(), S3_ENDPOINT: faulty.endpoint, SECRET_KEY, DATA_DIR: join(there, 'data') }
      const broken = startCommand(['restore', file], trial)
      await expect.poll(() => faulty.received.some((line) => /^PUT .*\/blobs\//.test(line)), { timeout: 30_000 }).toBe(true)
      broken.process.kill('SIGKILL')
      await broken.ended
      faulty.heal()

      const elsewhere = await makeCommand(there, { ...trial, ...production })('restore', file)
      expect(elsewhere).toMatchObject({ code: 2, err: expect.stringContaining(`the bucket ${trial.S3_BUCKET} at`) })
      expect(elsewhere.err).toContain('was broken off. Run it again with the settings it had')
      expect(elsewhere.err).not.toContain(SECRET_KEY)
      expect(Object.keys(await office.downloadHashes()).toSorted()).toEqual(['a.bin', 'b.bin', 'newer.bin'])
      expect((await start(join(folder, 'early'), { ...trial, DATA_DIR: join(folder, 'early/data') })).lines).toEqual([
        expect.stringContaining('belongs to another database'),
      ])

      expect(await makeCommand(there, trial)('restore', file)).toMatchObject({ code: 0, err: '' })
      expect((await makeCommand(there, trial)('fsck', '--scrub')).out).toContain('Nothing is wrong.')
      await using restored = await openServer(there, trial)
      const { 'newer.bin': _, ...sums } = await office.downloadHashes()
      expect(await restored.downloadHashes()).toEqual(sums)

      // Nor does a first run go where something is.
      mkdirSync(join(folder, 'fresh'))
      const fresh = { ...production, SECRET_KEY, DATA_DIR: join(folder, 'fresh/data') }
      const full = await makeCommand(folder, fresh)('restore', file)
      expect(full).toMatchObject({ code: 2, err: expect.stringContaining('belongs to another database') })
    })
  })

  it('by a move stays in the bucket where it was begun', async () => {
    await inFolder(async (folder) => {
      const production = freshBucket()
      await using theirs = await openServer(join(folder, 'theirs'), production)
      await theirs.put('theirs.bin', randomBytes(3000))
      await fill(folder)
      const SECRET_KEY = readFileSync(join(folder, 'data/secret.key'), 'utf8').trim()
      const there = { ...freshBucket(), DATA_DIR: join(folder, 'there/data'), SECRET_KEY }
      const moveTo = (place: Record<string, string>, ...more: string[]) =>
        makeCommand(folder)('migrate-to', writeSettings(folder, 'target.env', place), ...more)
      expect(await moveTo({ ...there, ...production })).toMatchObject({
        code: 2,
        err: expect.stringContaining('There are files'),
      })
      expect((await moveTo(there)).code).toBe(0)
      expect(await moveTo({ ...there, ...production }, '--finish')).toMatchObject({
        code: 2,
        err: expect.stringContaining(`The files of this database are in the S3 bucket ${there.S3_BUCKET}, not in`),
      })
      expect(await moveTo(there, '--finish')).toMatchObject({ code: 0, err: '' })
      expect(Object.keys(await theirs.downloadHashes())).toEqual(['theirs.bin'])
      rmSync(join(folder, 'data'), { recursive: true })
      await using moved = await openServer(join(folder, 'there'), there)
      await expectFilled(moved)
    })
  })
})
