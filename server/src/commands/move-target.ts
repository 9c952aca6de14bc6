import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { type Config, ConfigError, readConfig } from '../config.ts'
import { openDataDir } from '../data-dir.ts'
import { tryLock } from '../data-lock.ts'
import { isEmptyDatabase, listTables } from '../db/dump.ts'
import { findFact, insertFact } from '../db/installation.ts'
import { listMigrations, migrate, migrations } from '../db/migrate.ts'
import type { Deps } from '../deps.ts'
import { deriveKeys, isSigned } from '../lib/secrets.ts'
import { connect, describeDatabase, describeError, newerDatabaseMessage, openBlobs } from '../open.ts'
import { readKeyFile } from '../secret-key.ts'
import { claimStore } from '../store-id.ts'
import { UsageError } from './terminal.ts'

/** The settings of the new place, all of them from this file: what counts here must not slip in there. */
export function readTarget(path: string): Config {
  try {
    return readConfig(parseEnv(readFileSync(path, 'utf8')) as Record<string, string>)
  } catch (error) {
    throw new UsageError(
      error instanceof ConfigError ? `${path}: ${error.message}` : `${path} cannot be read: ${describeError(error)}`,
    )
  }
}

const isPostgres = ({ databaseUrl }: Config) => !databaseUrl.startsWith('sqlite:')

/** Whether anything there is kept in the data folder. */
const usesDataDir = (config: Config) => !isPostgres(config) || !config.s3

/** In words. */
export const placeOf = (config: Config) =>
  `${describeDatabase(config)} and ${config.s3 ? `the bucket ${config.s3.bucket} at ${config.s3.endpoint}` : config.dataDir}`

/** What is read must not be what is written. */
export function refuseSamePlace(from: Config, to: Config) {
  const refuse = (what: string) => new UsageError(`${what} here and there. Nothing can be moved to where it is.`)
  if (usesDataDir(to) && from.dataDir === to.dataDir) throw refuse(`DATA_DIR is ${to.dataDir}`)
  if (describeDatabase(from) === describeDatabase(to)) throw refuse(`The database is ${describeDatabase(to)}`)
  if (to.s3 && from.s3?.endpoint === to.s3.endpoint && from.s3.bucket === to.s3.bucket)
    throw refuse(`The bucket is ${to.s3.bucket}`)
}

/** Whether the new place has the key of the old one; it may get it later, but not have another. */
export function hasKey(config: Config, keyCheck: string): boolean {
  const given = config.secretKey ?? readKeyFile(config)
  if (given !== undefined && !isSigned(deriveKeys(given).check, 'neptune', keyCheck))
    throw new UsageError('The new place has another secret key. It must be that of the old one, or sealed data cannot be read.')
  return given !== undefined
}

export interface Target extends AsyncDisposable {
  deps: Deps
}

/** A place that is empty, or that an earlier run has begun to fill. From now on and until the end no server starts there. */
export async function openTarget(from: Deps, config: Config, keyCheck: string): Promise<Target> {
  const undo = new AsyncDisposableStack()
  let isOpen = false
  try {
    if (usesDataDir(config)) {
      undo.defer(openDataDir(config.dataDir))
      const isNew = !existsSync(join(config.dataDir, 'neptune.lock'))
      const lock = tryLock(config.dataDir)
      undo.defer(() => (isNew && !isOpen ? lock.remove() : lock.release()))
      if (lock.state === 'taken')
        throw new UsageError(`Somebody works with the data folder ${config.dataDir}: a Neptune, or another move. Stop it first.`)
    }
    const db = await connect(config, { hasNoTimeouts: true })
    undo.defer(() => db.destroy())
    await refuseUnlessEmpty(config, db, keyCheck)
    await migrate(db)
    const isClaimed = (await findFact(db, 'store')) !== undefined
    if (isClaimed) await claimStore(config, db) // or an earlier run went to another store, and this one is not ours to clear
    // A node of the new place may have another data folder, on another machine: what passes through a folder passes through ours.
    const blobs = await openBlobs(usesDataDir(config) ? config : { ...config, dataDir: from.config.dataDir }, db)
    if (isClaimed)
      for await (const id of blobs.uploads()) await blobs.discard(id) // of a run that was broken off
    else if ((await hasAny(blobs.blobs())) || (await hasAny(blobs.uploads())))
      throw new UsageError(`There are files in ${placeOf(config)} already. A move goes into an empty place.`)
    await insertFact(db, 'moving', keyCheck)
    await claimStore(config, db)
    isOpen = true
    return { deps: { ...from, config, db, blobs }, [Symbol.asyncDispose]: () => undo.disposeAsync() }
  } catch (error) {
    await undo.disposeAsync()
    throw error
  }
}

async function hasAny(ids: AsyncIterable<string>): Promise<boolean> {
  for await (const _ of ids) return true
  return false
}

/** Unless an earlier run has begun there. */
async function refuseUnlessEmpty(config: Config, db: Deps['db'], keyCheck: string) {
  if ((await listMigrations(db)).some((name) => !(name in migrations))) throw new UsageError(newerDatabaseMessage(config))
  const isMade = (await listTables(db)).has('installation')
  const moving = isMade ? await findFact(db, 'moving') : undefined
  if (moving === keyCheck) return
  if (moving !== undefined) throw new UsageError(`Another installation is being moved to ${describeDatabase(config)}.`)
  if (isMade && (await findFact(db, 'key_check')) === keyCheck)
    throw new UsageError(
      `${describeDatabase(config)} holds this installation already: it was moved or restored there. Nothing was changed.`,
    )
  if (!(await isEmptyDatabase(db)))
    throw new UsageError(
      `The database ${describeDatabase(config)} is not empty. A move goes into an empty one, and replaces nothing.`,
    )
}
