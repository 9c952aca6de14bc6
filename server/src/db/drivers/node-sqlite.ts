import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { type Driver, SqliteAdapter, SqliteDialect } from 'kysely'
import { lockTimeoutMs, SqliteGroupDriver, type Statement } from './sqlite-driver.ts'

/** Runs Kysely's SQLite dialect on node:sqlite. */
export class NodeSqliteDialect extends SqliteDialect {
  readonly #path: string

  constructor(path: string) {
    super({ database: () => Promise.reject(new Error('The driver opens the database')) })
    this.#path = path
  }

  override createAdapter() {
    return new TransactionalSqliteAdapter()
  }

  override createDriver(): Driver {
    const db = this.openConnection()
    return new SqliteGroupDriver(db, createStatementCache(db))
  }

  protected openConnection(): DatabaseSync {
    const db = new DatabaseSync(this.#path, { timeout: lockTimeoutMs, enableForeignKeyConstraints: true })
    db.exec(pragmas.map((pragma) => `pragma ${pragma}`).join('; '))
    return db
  }
}

/** Runs migrations in a transaction: SQLite can roll back a `create table`, so a failed migration leaves nothing behind. */
class TransactionalSqliteAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl() {
    return true
  }

  /** There is only one connection, but the driver queues the transactions that wait for it. */
  override get supportsMultipleConnections() {
    return true
  }
}

const pragmas = [
  'journal_mode = wal',
  'synchronous = full', // acknowledged writes survive a power failure
  'wal_autocheckpoint = 4000', // a log of 16 MiB instead of 4, so that pages that change often are written back less often
  'cache_size = -65536',
  'temp_store = memory', // otherwise every statement journal is a temporary file
  'busy_timeout = 0', // see ConnectionLease
]

/** Prepares each statement once. */
function createStatementCache(db: DatabaseSync) {
  const prepare = (sql: string): Statement => {
    const statement = db.prepare(sql)
    const values = (parameters: readonly unknown[]) => parameters as SQLInputValue[]
    return {
      isReader: statement.columns().length > 0,
      all: (parameters) => statement.all(...values(parameters)),
      run: (parameters) => statement.run(...values(parameters)),
    }
  }
  const cache = new Map<string, Statement>()
  return (sql: string): Statement => {
    const statement = cache.get(sql) ?? prepare(sql)
    if (cache.size < 500) cache.set(sql, statement)
    return statement
  }
}
