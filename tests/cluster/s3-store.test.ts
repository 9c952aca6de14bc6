import { createHash, randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { AwsClient } from 'aws4fetch'
import { describe, expect, inject, it } from 'vitest'
import { writeSettings } from '../support/migration-steps.ts'
import { makeCommand, openServer } from '../support/operator-server.ts'
import { startCommand } from '../support/run-command.ts'
import { startFaultyS3 } from '../support/services/faulty-s3.ts'
import { startPostgres } from '../support/services/start-postgres.ts'
import { startNeptune, tryToStart } from '../support/start-neptune.ts'
import { settings } from '../support/start-signed-in.ts'
import { withTempFolder } from '../support/temp-folder.ts'

const s3 = inject('s3')
type Store = Record<string, string> & { S3_BUCKET: string }
/** Returns the settings of a bucket that does not exist yet. */
const makeBucket = (): Store => ({ ...s3, S3_BUCKET: `own-${randomBytes(6).toString('hex')}` })

/** Sends a request to the store directly, for a bucket or for an object in it. */
function requestStore({ S3_BUCKET, ...store }: Store, method: string, key = '', body = '') {
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

/** Starts a server that is expected to fail. Returns its exit code and output. */
const failToStartIn = (folder: string, more: Record<string, string>) =>
  tryToStart({ ...settings, DATA_DIR: join(folder, 'data'), ...more })

function writeStoreValue(folder: string, value: string) {
  using db = new DatabaseSync(join(folder, 'data/neptune.db'))
  db.prepare("update installation set value = ? where name = 'store'").run(value)
}

function readStoreValue(folder: string): unknown {
  using db = new DatabaseSync(join(folder, 'data/neptune.db'))
  return db.prepare("select value from installation where name = 'store'").get()?.['value']
}

/** Starts a server, uploads one file and stops it. */
async function uploadOneFile(folder: string, more: Record<string, string> = {}) {
  await using server = await openServer(folder, more)
  await server.put('a.bin', randomBytes(3000))
  await server.stop()
}

const expectFileThere = async ({ downloadHashes }: Pick<Awaited<ReturnType<typeof openServer>>, 'downloadHashes'>) =>
  expect(Object.keys(await downloadHashes())).toEqual(['a.bin'])

/** Reads the id of a bucket. */
const readBucketId = async (bucket: Store) => (await (await requestStore(bucket, 'GET', 'neptune.id')).text()).trim()

describe('a bucket', () => {
  it('belongs to one database: servers and commands with another database refuse it', async () => {
    await withTempFolder(async (folder) => {
      const bucket = makeBucket()
      await using server = await openServer(folder, bucket)
      await server.put('a.bin', randomBytes(3000))
      const other = join(folder, 'other')
      mkdirSync(other)
      const rejection = expect.stringContaining(`The bucket ${bucket.S3_BUCKET} at ${bucket['S3_ENDPOINT']} belongs to another`)
      expect(await failToStartIn(other, bucket)).toMatchObject({ code: 1, lines: [rejection] })
      const repaired = await makeCommand(other, bucket)('fsck', '--repair')
      expect(repaired).toMatchObject({ code: 2, out: '' })
      // The bucket is refused even without its id, which older versions did not write.
      await requestStore(bucket, 'DELETE', 'neptune.id')
      expect(await failToStartIn(other, bucket)).toMatchObject({ code: 1, lines: [rejection] })
      // Another installation's bucket is refused even while it has no files.
      const empty = makeBucket()
      await requestStore(empty, 'PUT')
      await requestStore(empty, 'PUT', 'neptune.id', 'of another installation')
      expect((await failToStartIn(other, empty)).lines).toEqual([expect.stringContaining('belongs to another')])
      await expectFileThere(server)
      // The failed starts left nothing behind, so this installation still starts with its own bucket.
      await using _ = await openServer(other, makeBucket())
    })
  })

  it('is neither used nor created if S3_ENDPOINT is the wrong host', async () => {
    await withTempFolder(async (folder) => {
      const bucket = makeBucket()
      await uploadOneFile(folder, bucket)
      const otherHost = { ...bucket, ...inject('smallS3') }
      const missing = expect.stringContaining('is missing, but it holds the files of this database. Check S3_ENDPOINT')
      expect((await failToStartIn(folder, otherHost)).lines).toEqual([missing])
      expect((await failToStartIn(folder, { ...otherHost, WORKERS: '2' })).lines).toEqual([missing])
      expect(await makeCommand(folder, otherHost)('fsck', '--repair')).toMatchObject({ code: 2, err: missing })
      expect((await requestStore(otherHost, 'GET')).status).toBe(404)
      await requestStore(otherHost, 'PUT')
      const mismatch = expect.stringContaining('does not hold the files of this database: its object neptune.id is missing')
      expect((await failToStartIn(folder, otherHost)).lines).toEqual([mismatch])
      expect(await makeCommand(folder, otherHost)('fsck', '--repair')).toMatchObject({ code: 2, err: mismatch })
      await using restarted = await openServer(folder, bucket)
      await expectFileThere(restarted)
    })
  })

  it('gets its id on the next start if an older version filled it', async () => {
    await withTempFolder(async (folder) => {
      const bucket = makeBucket()
      await uploadOneFile(folder, bucket)
      await requestStore(bucket, 'DELETE', 'neptune.id')
      writeStoreValue(folder, `s3:${bucket.S3_BUCKET}`)
      expect((await makeCommand(folder, bucket)('fsck')).code).toBe(0)
      await using restarted = await openServer(folder, bucket)
      await expectFileThere(restarted)
      const id = await readBucketId(bucket)
      expect(readStoreValue(folder)).toBe(`s3:${bucket.S3_BUCKET}:${id}`)
      expect((await makeCommand(folder, bucket)('fsck', '--repair')).out).toContain('Nothing is wrong.')
      await restarted.stop()
      // Simulates a start that was killed before it wrote the id to the bucket.
      await requestStore(bucket, 'DELETE', 'neptune.id')
      writeStoreValue(folder, `s3:${bucket.S3_BUCKET}:${id}:unsure`)
      await using _ = await openServer(folder, bucket)
      expect(await readBucketId(bucket)).toBe(id)
      expect(readStoreValue(folder)).toBe(`s3:${bucket.S3_BUCKET}:${id}`)
    })
  })

  it('is claimed once by nodes that start at the same time', async () => {
    const postgres = await startPostgres()
    try {
      const bucket = makeBucket()
      const common = { ...settings, ...bucket, DATABASE_URL: postgres.url, SECRET_KEY: 'tq0VnM2bX8sLr4yKcP7wZdE1uHfJ6gA9' }
      const nodes = await Promise.all([1, 2, 3].map(() => startNeptune(common)))
      await Promise.all(nodes.map((node) => node[Symbol.asyncDispose]()))
      const id = await readBucketId(bucket)
      expect(await postgres.query("select value from installation where name = 'store'")).toEqual([
        { value: `s3:${bucket.S3_BUCKET}:${id}` },
      ])
    } finally {
      await postgres.stop()
    }
  })
})

describe('copying files into a bucket', () => {
  it('resumes an interrupted restore only in the same bucket, and restores every file', async () => {
    await withTempFolder(async (folder) => {
      const production = makeBucket()
      const file = join(folder, 'backup.tar')
      await using server = await openServer(folder, production)
      await server.put('a.bin', randomBytes(3000))
      await server.put('b.bin', randomBytes(3000))
      expect((await makeCommand(folder, production)('backup', file)).code).toBe(0)
      await server.put('newer.bin', randomBytes(10))
      const SECRET_KEY = readFileSync(join(folder, 'data/secret.key'), 'utf8').trim()

      await using faulty = await startFaultyS3(s3['S3_ENDPOINT'] ?? '')
      faulty.fail(/^PUT .*\/blobs\//, { delayMs: 60_000 })
      const target = join(folder, 'there')
      mkdirSync(target)
      const trial = { ...makeBucket(), S3_ENDPOINT: faulty.endpoint, SECRET_KEY, DATA_DIR: join(target, 'data') }
      const broken = startCommand(['restore', file], trial)
      await expect.poll(() => faulty.received.some((line) => /^PUT .*\/blobs\//.test(line)), { timeout: 30_000 }).toBe(true)
      broken.process.kill('SIGKILL')
      await broken.ended
      faulty.heal()

      const otherBucket = await makeCommand(target, { ...trial, ...production })('restore', file)
      expect(otherBucket).toMatchObject({ code: 2, err: expect.stringContaining(`the bucket ${trial.S3_BUCKET} at`) })
      expect(otherBucket.err).toContain('Run it with the settings of that restore.')
      expect(otherBucket.err).not.toContain(SECRET_KEY)
      expect(Object.keys(await server.downloadHashes()).toSorted()).toEqual(['a.bin', 'b.bin', 'newer.bin'])
      expect((await failToStartIn(join(folder, 'early'), { ...trial, DATA_DIR: join(folder, 'early/data') })).lines).toEqual([
        expect.stringContaining('belongs to another database'),
      ])

      expect(await makeCommand(target, trial)('restore', file)).toMatchObject({ code: 0, err: '' })
      expect((await makeCommand(target, trial)('fsck', '--scrub')).out).toContain('Nothing is wrong.')
      await using restored = await openServer(target, trial)
      const { 'newer.bin': _, ...hashes } = await server.downloadHashes()
      expect(await restored.downloadHashes()).toEqual(hashes)

      // A restore into a new data folder refuses this bucket, too: it now belongs to `target`.
      mkdirSync(join(folder, 'fresh'))
      const fresh = { ...production, SECRET_KEY, DATA_DIR: join(folder, 'fresh/data') }
      const full = await makeCommand(folder, fresh)('restore', file)
      expect(full).toMatchObject({ code: 2, err: expect.stringContaining('belongs to another database') })
    })
  })

  it('finishes a move only in the bucket where it started', async () => {
    await withTempFolder(async (folder) => {
      const production = makeBucket()
      await using otherServer = await openServer(join(folder, 'theirs'), production)
      await otherServer.put('theirs.bin', randomBytes(3000))
      await uploadOneFile(folder)
      const SECRET_KEY = readFileSync(join(folder, 'data/secret.key'), 'utf8').trim()
      const target = { ...makeBucket(), DATA_DIR: join(folder, 'there/data'), SECRET_KEY }
      const moveTo = (settings: Record<string, string>, ...more: string[]) =>
        makeCommand(folder)('migrate-to', writeSettings(folder, 'target.env', settings), ...more)
      expect(await moveTo({ ...target, ...production })).toMatchObject({
        code: 2,
        err: expect.stringContaining('There are already files'),
      })
      expect((await moveTo(target)).code).toBe(0)
      expect(await moveTo({ ...target, ...production }, '--finish')).toMatchObject({
        code: 2,
        err: expect.stringContaining(`The files of this database are in the S3 bucket ${target.S3_BUCKET}, not in`),
      })
      expect(await moveTo(target, '--finish')).toMatchObject({ code: 0, err: '' })
      expect(Object.keys(await otherServer.downloadHashes())).toEqual(['theirs.bin'])
      rmSync(join(folder, 'data'), { recursive: true })
      await using moved = await openServer(join(folder, 'there'), target)
      await expectFileThere(moved)
    })
  })
})
