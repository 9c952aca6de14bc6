import { existsSync } from 'node:fs'
import { pino } from 'pino'
import { type Config, readConfig } from '../config.ts'
import { readInstallationValue } from '../db/installation.ts'
import type { Deps } from '../deps.ts'
import { type DataLock, tryLock } from '../installation/data-lock.ts'
import { connect, describeDatabase, getRestoreMarkPath, openBlobs, openMailer } from '../installation/open-installation.ts'
import { assertSchemaVersion } from '../installation/schema-version.ts'
import { openKeys } from '../installation/secret-key.ts'
import { StartError } from '../installation/start-error.ts'
import { assertSameStore } from '../installation/store-id.ts'

export interface Opened extends AsyncDisposable {
  deps: Deps
  /** Also true when the lock does not show whether a server is running. */
  isServerRunning: boolean
}

/** Opens an existing installation, even while a server is running. With `isExclusive`, no server can start until it is closed. */
export async function openForCommand({ isExclusive = false } = {}): Promise<Opened> {
  const config = readConfig(process.env)
  if (!installationExists(config)) throw new StartError(formatNotFoundMessage(config))
  if (existsSync(getRestoreMarkPath(config)))
    throw new StartError(`A restore into ${config.dataDir} was not finished. Run it again first.`)
  const lock = tryLock(config.dataDir)
  if (!isExclusive) lock.release()
  let db: Deps['db'] | undefined
  try {
    db = await connect(config, { hasNoTimeouts: true })
    await assertSchemaVersion(config, db)
    await assertSameStore(config, db)
    if ((await readInstallationValue(db, 'key_check')) === undefined) throw new StartError(formatNotFoundMessage(config))
    const deps = await createDeps(config, db)
    return { deps, isServerRunning: lock.state !== 'held', [Symbol.asyncDispose]: () => close(deps.db, lock) }
  } catch (error) {
    await close(db, lock)
    throw error
  }
}

async function close(db: Deps['db'] | undefined, lock: DataLock) {
  await db?.destroy()
  lock.release()
}

async function createDeps(config: Config, db: Deps['db']): Promise<Deps> {
  const log = pino({ level: 'warn', base: null }, pino.destination({ fd: 2, sync: true }))
  const keys = await openKeys(config, db)
  return { config, keys, db, blobs: await openBlobs(config, db), mailer: openMailer(config, log), log, now: () => new Date() }
}

/** Returns whether there is an installation. Does not open the database, because opening a SQLite database would create it. */
const installationExists = ({ dataDir, databaseUrl }: Config) =>
  existsSync(dataDir) && (!databaseUrl.startsWith('sqlite:') || existsSync(databaseUrl.slice('sqlite:'.length)))

const formatNotFoundMessage = (config: Config) =>
  `There is no Neptune installation in ${config.dataDir} and ${describeDatabase(config)}. Check DATA_DIR and DATABASE_URL, or start Neptune once.`
