import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { type Config, ConfigError, readConfig } from '../../config.ts'
import { isEmptyDatabase, listTables } from '../../db/dump.ts'
import { insertInstallationValue, readInstallationValue } from '../../db/installation.ts'
import { listMigrations, migrate, migrations } from '../../db/migrate.ts'
import type { Deps } from '../../deps.ts'
import { openDataDir } from '../../installation/data-dir.ts'
import { tryLock } from '../../installation/data-lock.ts'
import {
  connect,
  describeDatabase,
  describeError,
  describeStore,
  formatNewerDatabaseMessage,
  openBlobs,
} from '../../installation/open-installation.ts'
import { readKeyFile } from '../../installation/secret-key.ts'
import { claimStore } from '../../installation/store-id.ts'
import { deriveKeys, isSigned } from '../../lib/secrets.ts'
import { CommandError } from '../terminal.ts'

/** Reads the settings of the target from a file only, so that no current setting applies there by accident. */
export function readTarget(path: string): Config {
  try {
    return readConfig(parseEnv(readFileSync(path, 'utf8')) as Record<string, string>)
  } catch (error) {
    throw new CommandError(
      error instanceof ConfigError ? `${path}: ${error.message}` : `${path} cannot be read: ${describeError(error)}`,
    )
  }
}

const isPostgres = ({ databaseUrl }: Config) => !databaseUrl.startsWith('sqlite:')

/** Returns whether the database or the files are in the data folder. */
const usesDataDir = (config: Config) => !isPostgres(config) || !config.s3

/** Describes the database and the store of an installation. */
export const describeLocation = (config: Config) => `${describeDatabase(config)} and ${describeStore(config)}`

/** Throws if source and target share a data folder, a database or a bucket. */
export function assertDifferentLocation(from: Config, to: Config) {
  const createSameError = (setting: string) =>
    new CommandError(`Source and target have the same ${setting}. Choose another target.`)
  if (usesDataDir(to) && from.dataDir === to.dataDir) throw createSameError(`DATA_DIR, ${to.dataDir}`)
  if (describeDatabase(from) === describeDatabase(to)) throw createSameError(`database, ${describeDatabase(to)}`)
  if (to.s3 && from.s3?.endpoint === to.s3.endpoint && from.s3.bucket === to.s3.bucket)
    throw createSameError(`bucket, ${to.s3.bucket}`)
}

/** Returns whether the target already has the secret key. Throws if it has a different one. */
export function checkKey(config: Config, keyCheck: string): boolean {
  const given = config.secretKey ?? readKeyFile(config)
  if (given !== undefined && !isSigned(deriveKeys(given).check, 'neptune', keyCheck))
    throw new CommandError('The target has a different secret key. It must have the same one, or encrypted data cannot be read.')
  return given !== undefined
}

export interface MoveTarget extends AsyncDisposable {
  deps: Deps
}

/** Opens a target that is empty, or that an earlier run has started to fill. Until the move is finished, no server starts there. */
export async function openTarget(from: Deps, config: Config, keyCheck: string): Promise<MoveTarget> {
  const undo = new AsyncDisposableStack()
  let isOpen = false
  try {
    if (usesDataDir(config)) {
      undo.defer(openDataDir(config.dataDir))
      const isNew = !existsSync(join(config.dataDir, 'neptune.lock'))
      const lock = tryLock(config.dataDir)
      undo.defer(() => (isNew && !isOpen ? lock.remove() : lock.release()))
      if (lock.state === 'taken')
        throw new CommandError(`The data folder ${config.dataDir} is in use by a Neptune server or another move. Stop it first.`)
    }
    const db = await connect(config, { hasNoTimeouts: true })
    undo.defer(() => db.destroy())
    await assertEmpty(config, db, keyCheck)
    await migrate(db)
    const isClaimed = (await readInstallationValue(db, 'store')) !== undefined
    if (isClaimed) await claimStore(config, db) // throws if an earlier run used another store: nothing may be removed from this one
    // The target's data folder may be on another machine. Temporary files for S3 go to our own.
    const blobs = await openBlobs(usesDataDir(config) ? config : { ...config, dataDir: from.config.dataDir }, db)
    if (isClaimed)
      for await (const id of blobs.listUploads()) await blobs.discard(id) // left by an interrupted run
    else if ((await hasAny(blobs.listBlobs())) || (await hasAny(blobs.listUploads())))
      throw new CommandError(`There are already files in ${describeLocation(config)}. The target must be empty.`)
    await insertInstallationValue(db, 'moving', keyCheck)
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

/** Throws unless the database is empty or an earlier run of this move has started there. */
async function assertEmpty(config: Config, db: Deps['db'], keyCheck: string) {
  if ((await listMigrations(db)).some((name) => !(name in migrations))) throw new CommandError(formatNewerDatabaseMessage(config))
  const hasTables = (await listTables(db)).has('installation')
  const moving = hasTables ? await readInstallationValue(db, 'moving') : undefined
  if (moving === keyCheck) return
  if (moving !== undefined) throw new CommandError(`Another installation is being moved to ${describeDatabase(config)}.`)
  if (hasTables && (await readInstallationValue(db, 'key_check')) === keyCheck)
    throw new CommandError(
      `${describeDatabase(config)} already contains this installation: it was moved or restored there. Nothing was changed.`,
    )
  if (!(await isEmptyDatabase(db)))
    throw new CommandError(
      `The database ${describeDatabase(config)} is not empty. A move needs an empty database and never overwrites data.`,
    )
}
