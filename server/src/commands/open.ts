import { existsSync } from 'node:fs'
import { pino } from 'pino'
import { type Config, readConfig } from '../config.ts'
import { type DataLock, tryLock } from '../data-lock.ts'
import { findFact } from '../db/installation.ts'
import { listMigrations, migrations } from '../db/migrate.ts'
import type { Deps } from '../deps.ts'
import { connect, describeDatabase, newerDatabaseMessage, openBlobs, openMailer, restoreMarkPath } from '../open.ts'
import { openKeys } from '../secret-key.ts'
import { StartError } from '../start-error.ts'
import { assertSameStore } from '../store-id.ts'

export interface Opened extends AsyncDisposable {
  deps: Deps
  /** Also when nobody can tell. */
  isServerRunning: boolean
}

/** An installation that is there already, also beside a server that runs. With `alone`, no server can start until it is closed. */
export async function openForCommand({ alone = false } = {}): Promise<Opened> {
  const config = readConfig(process.env)
  if (!isThere(config)) throw new StartError(nothingThere(config))
  if (existsSync(restoreMarkPath(config)))
    throw new StartError(`A restore into ${config.dataDir} was not finished. Run it again first.`)
  const lock = tryLock(config.dataDir)
  if (!alone) lock.release()
  let db: Deps['db'] | undefined
  try {
    db = await connect(config, { hasNoTimeouts: true })
    await assertSchemaVersion(config, db)
    await assertSameStore(config, db)
    if ((await findFact(db, 'key_check')) === undefined) throw new StartError(nothingThere(config))
    const deps = await depsOf(config, db)
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

async function depsOf(config: Config, db: Deps['db']): Promise<Deps> {
  const log = pino({ level: 'warn', base: null }, pino.destination({ fd: 2, sync: true }))
  const keys = await openKeys(config, db)
  return { config, keys, db, blobs: await openBlobs(config, db), mailer: openMailer(config, log), log, now: () => new Date() }
}

/** Opening a SQLite database would make one. */
const isThere = ({ dataDir, databaseUrl }: Config) =>
  existsSync(dataDir) && (!databaseUrl.startsWith('sqlite:') || existsSync(databaseUrl.slice('sqlite:'.length)))

const nothingThere = (config: Config) =>
  `There is no Neptune in ${config.dataDir} and ${describeDatabase(config)}. Check DATA_DIR and DATABASE_URL, or start it once.`

/** A server of the older version may be running, so the schema is not changed under it. */
export async function assertSchemaVersion(config: Config, db: Deps['db']) {
  const done = await listMigrations(db)
  if (done.some((name) => !(name in migrations))) throw new StartError(newerDatabaseMessage(config))
  if (done.length < Object.keys(migrations).length)
    throw new StartError(
      `The database ${describeDatabase(config)} is of an older Neptune. Start this one once to bring it up to date, or run the older one's commands.`,
    )
}
