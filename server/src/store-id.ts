import { closeSync, existsSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from './config.ts'
import type { Db } from './db/database.ts'
import { findFact, insertFact, replaceFact } from './db/installation.ts'
import { newId } from './lib/secrets.ts'
import { StartError } from './start-error.ts'

/**
 * The bytes of files belong to the database that knows them. A node that kept them elsewhere would not find those of the others, and a
 * repair would take all of them for lost, or those of another database for nobody's. So the first start writes down where they are, and a
 * start with another place is refused.
 */
export async function claimStore(config: Config, db: Db): Promise<void> {
  const { s3 } = config
  const fresh = s3 && `s3:${s3.bucket}:${newId()}${unsure}`
  if ((await findFact(db, 'store')) === undefined) {
    if (s3) await refuseOwned(s3, db)
    await insertFact(db, 'store', fresh ?? diskOf(config) ?? makeStoreId(config))
  }
  if (fresh) await replaceFact(db, 'store', `s3:${s3.bucket}`, fresh) // as it was once written
  await refuseOtherStore(config, db)
  if (s3) await settleId(config, s3, db)
}

/** For a command, which claims nothing. */
export async function refuseOtherStore(config: Config, db: Db): Promise<void> {
  const { s3 } = config
  const known = await findFact(db, 'store')
  if (known === undefined) return
  const { kind, name, id, isUnsure } = partsOf(known)
  if (s3 ? kind !== 's3' || name !== s3.bucket : known !== diskOf(config)) refuse(config, known)
  if (!s3) return
  const found = await lookAt(s3)
  if (!found) throw new StartError(`${bucketIn(s3)} is missing, and holds the files of this database. ${check}`)
  if (found.id === id || (isUnsure && found.id === undefined)) return
  throw new StartError(
    `${bucketIn(s3)} is not the one that holds the files of this database: its object neptune.id ${found.id === undefined ? 'is missing' : `says ${found.id}`}${id ? `, not ${id}` : ''}. ${check}`,
  )
}

/** A restore writes its database at last, so it knows the id by itself. Refuses a bucket with another one. */
export async function refuseOtherId({ s3 }: Config, id: string): Promise<void> {
  const found = s3 && (await lookAt(s3))
  if (s3 && found?.id !== undefined && found.id !== id) refuseBucket(s3)
}

/** And claims it so, for a database that will say what this returns. */
export async function claimAs(config: Config, id: string): Promise<string | undefined> {
  if (!config.s3) return undefined
  await inStart((await idOf(config.s3)).write(id))
  await refuseOtherId(config, id)
  return `s3:${config.s3.bucket}:${id}`
}

type S3 = NonNullable<Config['s3']>

/**
 * A bucket is known by its name and by the random id in its object `neptune.id`; its host may be called differently from machine to machine.
 * The database has the id first. As long as it does not know whether the bucket has it too, whoever starts may write it there: so the
 * nodes that start at once agree, and one that dies in between keeps nobody from going on.
 */
const unsure = ':unsure'

function partsOf(known: string) {
  const [kind = '', name = '', id] = known.split(':')
  return { kind, name, id, isUnsure: known.endsWith(unsure) }
}

async function settleId(config: Config, s3: S3, db: Db) {
  const known = (await findFact(db, 'store')) ?? ''
  const { id = '', isUnsure } = partsOf(known)
  if (!isUnsure) return
  await inStart((await idOf(s3)).write(id))
  await refuseOtherStore(config, db)
  await replaceFact(db, 'store', known, known.slice(0, -unsure.length))
}

/** Makes the bucket where there is none. */
async function refuseOwned(s3: S3, db: Db) {
  await inStart((await idOf(s3)).makeBucket())
  const found = await lookAt(s3)
  const isFree = found?.id === undefined && !found?.hasBlobs
  // Asked again: another node of ours may have claimed it meanwhile, which is in the database before it is in the bucket.
  if (!isFree && (await findFact(db, 'store')) === undefined) refuseBucket(s3)
}

const idOf = async (s3: S3) => (await import('./blobs/s3-open.ts')).bucketId(s3) // loaded only where it is wanted
const lookAt = async (s3: S3) => inStart((await idOf(s3)).look())

const inStart = <T>(work: Promise<T>) =>
  work.catch((error: Error) => {
    throw new StartError(error.message)
  })

const bucketIn = ({ bucket, endpoint }: S3) => `The bucket ${bucket} at ${endpoint}`
const check = 'Check S3_ENDPOINT and S3_BUCKET.'

function refuseBucket(s3: S3): never {
  throw new StartError(
    `${bucketIn(s3)} belongs to another database, by its object neptune.id or the files in it. Set S3_BUCKET to one that is empty or not there, or DATABASE_URL and DATA_DIR to what belongs to it.`,
  )
}

/** Undefined for a folder that has no id yet. */
function diskOf({ databaseUrl, dataDir }: Config): string | undefined {
  if (databaseUrl.startsWith('sqlite:')) return 'disk' // the database lies in the same folder
  return existsSync(idPath(dataDir)) ? `disk:${readFileSync(idPath(dataDir), 'utf8').trim()}` : undefined
}

const idPath = (dataDir: string) => join(dataDir, 'store.id')

function makeStoreId({ dataDir }: Config): string {
  const id = newId()
  const file = openSync(idPath(dataDir), 'wx', 0o600)
  try {
    writeSync(file, `${id}\n`)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  return `disk:${id}`
}

function refuse({ dataDir, s3 }: Config, known: string): never {
  const { kind, name } = partsOf(known)
  const there =
    kind === 's3'
      ? `in the S3 bucket ${name}`
      : s3
        ? 'in a data folder'
        : 'in another data folder, whose file store.id says which'
  const here = s3 ? `the S3 bucket ${s3.bucket}` : dataDir
  throw new StartError(
    `The files of this database are ${there}, not in ${here}. Every node must use the same S3 settings or the same DATA_DIR; neptune migrate-to moves files to another place.`,
  )
}
