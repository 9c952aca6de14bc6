import { closeSync, existsSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../config.ts'
import type { Db } from '../db/database.ts'
import { insertInstallationValue, readInstallationValue, replaceInstallationValue } from '../db/installation.ts'
import { newId } from '../lib/secrets.ts'
import { StartError } from './start-error.ts'

/**
 * Binds the database to its blob store. A node with another store would not find the files of the other nodes, and a repair would report
 * all files as lost, or delete the blobs of another database. So the first start records the store, and later starts with a
 * different one fail.
 */
export async function claimStore(config: Config, db: Db): Promise<void> {
  const { s3 } = config
  const unconfirmed = s3 && `s3:${s3.bucket}:${newId()}${unconfirmedSuffix}`
  if ((await readInstallationValue(db, 'store')) === undefined) {
    if (s3) await assertBucketUnclaimed(s3, db)
    await insertInstallationValue(db, 'store', unconfirmed ?? readDiskStore(config) ?? createDiskStore(config))
  }
  if (unconfirmed) await replaceInstallationValue(db, 'store', `s3:${s3.bucket}`, unconfirmed) // the format of earlier versions
  await assertSameStore(config, db)
  if (s3) await confirmBucketId(config, s3, db)
}

/** Throws if the configured store is not the one of the database. Does not claim anything, so it is safe for commands. */
export async function assertSameStore(config: Config, db: Db): Promise<void> {
  const { s3 } = config
  const recorded = await readInstallationValue(db, 'store')
  if (recorded === undefined) return
  const { kind, name, id, isUnconfirmed } = parseStore(recorded)
  if (s3 ? kind !== 's3' || name !== s3.bucket : recorded !== readDiskStore(config)) throwOtherStore(config, recorded)
  if (!s3) return
  const found = await inspectBucket(s3)
  if (!found) throw new StartError(`${describeBucket(s3)} is missing, but it holds the files of this database. ${settingsHint}`)
  if (found.id === id || (isUnconfirmed && found.id === undefined)) return
  throw new StartError(
    `${describeBucket(s3)} does not hold the files of this database: its object neptune.id ${found.id === undefined ? 'is missing' : `says ${found.id}`}${id ? `, not ${id}` : ''}. ${settingsHint}`,
  )
}

/** Throws if the bucket has an id other than `id`. For a restore, which writes the database last and so cannot read the id there. */
export async function assertBucketNotForeign({ s3 }: Config, id: string): Promise<void> {
  const found = s3 && (await inspectBucket(s3))
  if (s3 && found?.id !== undefined && found.id !== id) throwForeignBucket(s3)
}

/** Writes the id to the bucket. Returns the `store` value for the restored database. */
export async function claimBucketAs(config: Config, id: string): Promise<string | undefined> {
  if (!config.s3) return undefined
  await rethrowAsStartError((await openBucketId(config.s3)).write(id))
  await assertBucketNotForeign(config, id)
  return `s3:${config.s3.bucket}:${id}`
}

type S3 = NonNullable<Config['s3']>

/**
 * A bucket is identified by its name and the random id in its object `neptune.id`; its host name may differ from machine to machine.
 * The database records the id first, with this suffix until the bucket is known to hold the id too. Until then, any node may write the id
 * to the bucket. So nodes that start at the same time agree on one id, and a crash in between doesn't block the next start.
 */
const unconfirmedSuffix = ':unsure'

function parseStore(recorded: string) {
  const [kind = '', name = '', id] = recorded.split(':')
  return { kind, name, id, isUnconfirmed: recorded.endsWith(unconfirmedSuffix) }
}

async function confirmBucketId(config: Config, s3: S3, db: Db) {
  const recorded = (await readInstallationValue(db, 'store')) ?? ''
  const { id = '', isUnconfirmed } = parseStore(recorded)
  if (!isUnconfirmed) return
  await rethrowAsStartError((await openBucketId(s3)).write(id))
  await assertSameStore(config, db)
  await replaceInstallationValue(db, 'store', recorded, recorded.slice(0, -unconfirmedSuffix.length))
}

/** Creates the bucket if it does not exist. Throws if it belongs to another database. */
async function assertBucketUnclaimed(s3: S3, db: Db) {
  await rethrowAsStartError((await openBucketId(s3)).ensureBucket())
  const found = await inspectBucket(s3)
  const isFree = found?.id === undefined && !found?.hasBlobs
  // Reads the value again: another node may have claimed the bucket meanwhile. A claim is recorded in the database first.
  if (!isFree && (await readInstallationValue(db, 'store')) === undefined) throwForeignBucket(s3)
}

const openBucketId = async (s3: S3) => (await import('../blobs/s3/open-bucket.ts')).openBucketId(s3) // loaded only when needed
const inspectBucket = async (s3: S3) => rethrowAsStartError((await openBucketId(s3)).inspect())

const rethrowAsStartError = <T>(work: Promise<T>) =>
  work.catch((error: Error) => {
    throw new StartError(error.message)
  })

const describeBucket = ({ bucket, endpoint }: S3) => `The bucket ${bucket} at ${endpoint}`
const settingsHint = 'Check S3_ENDPOINT and S3_BUCKET.'

function throwForeignBucket(s3: S3): never {
  throw new StartError(
    `${describeBucket(s3)} belongs to another database: it has files, or an object neptune.id with another id. Set S3_BUCKET to an empty or new bucket, or DATABASE_URL and DATA_DIR to the installation that uses this one.`,
  )
}

/** Returns undefined for a folder that has no id yet. */
function readDiskStore({ databaseUrl, dataDir }: Config): string | undefined {
  if (databaseUrl.startsWith('sqlite:')) return 'disk' // the database is in the same folder
  return existsSync(getIdPath(dataDir)) ? `disk:${readFileSync(getIdPath(dataDir), 'utf8').trim()}` : undefined
}

const getIdPath = (dataDir: string) => join(dataDir, 'store.id')

function createDiskStore({ dataDir }: Config): string {
  const id = newId()
  const file = openSync(getIdPath(dataDir), 'wx', 0o600)
  try {
    writeSync(file, `${id}\n`)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  return `disk:${id}`
}

function throwOtherStore({ dataDir, s3 }: Config, recorded: string): never {
  const { kind, name } = parseStore(recorded)
  const actualLocation =
    kind === 's3' ? `in the S3 bucket ${name}` : s3 ? 'in a data folder' : 'in another data folder (compare the file store.id)'
  const configuredLocation = s3 ? `the S3 bucket ${s3.bucket}` : dataDir
  throw new StartError(
    `The files of this database are ${actualLocation}, not in ${configuredLocation}. Every node must use the same S3 settings or the same DATA_DIR; to move the files, use neptune migrate-to.`,
  )
}
