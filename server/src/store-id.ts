import { closeSync, existsSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from './config.ts'
import type { Db } from './db/database.ts'
import { findFact, insertFact } from './db/installation.ts'
import { newId } from './lib/secrets.ts'
import { StartError } from './start-error.ts'

/**
 * The bytes of files belong to the database that knows them. A node that kept them elsewhere would not find those of the others, and a
 * repair would take all of them for lost. So the first start writes down where they are, and a start with another place is refused.
 */
export async function claimStore(config: Config, db: Db): Promise<void> {
  const isKnown = (await findFact(db, 'store')) !== undefined
  if (!isKnown && (await insertFact(db, 'store', storeOf(config) ?? makeStoreId(config)))) return
  await refuseOtherStore(config, db)
}

/** For a command, which claims nothing. */
export async function refuseOtherStore(config: Config, db: Db): Promise<void> {
  const known = await findFact(db, 'store')
  if (known !== undefined && known !== storeOf(config)) refuse(config, known)
}

/** A bucket by its name alone: its host may be called differently from machine to machine. Undefined for a folder that has no id yet. */
function storeOf({ s3, databaseUrl, dataDir }: Config): string | undefined {
  if (s3) return `s3:${s3.bucket}`
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
  const [kind, name] = known.split(':')
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
