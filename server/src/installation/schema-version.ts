import type { Config } from '../config.ts'
import { listMigrations, migrations } from '../db/migrate.ts'
import type { Deps } from '../deps.ts'
import { describeDatabase, formatNewerDatabaseMessage } from './open-installation.ts'
import { StartError } from './start-error.ts'

/** Throws unless the schema is current. Does not migrate, because a server of the older version may be running. */
export async function assertSchemaVersion(config: Config, db: Deps['db']) {
  const applied = await listMigrations(db)
  if (applied.some((name) => !(name in migrations))) throw new StartError(formatNewerDatabaseMessage(config))
  if (applied.length < Object.keys(migrations).length)
    throw new StartError(
      `The database ${describeDatabase(config)} belongs to an older Neptune. Start this version once to migrate it, or run the commands of the older version.`,
    )
}
