import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { type Driver, SqliteAdapter, SqliteDialect } from 'kysely'
import { patience, SqliteGroupDriver, type Statement } from './sqlite-driver.ts'

/** Kysely's own SQLite dialect on node:sqlite. */
export class NodeSqliteDialect extends SqliteDialect {
  readonly #path: string

  constructor(path: string) {
    super({ database: () => Promise.reject(new Error('The driver opens it')) })
    this.#path = path
  }

  override createAdapter() {
    return new TransactionalSqliteAdapter()
  }

  override createDriver(): Driver {
    const db = new DatabaseSync(this.#path, { timeout: patience, enableForeignKeyConstraints: true })
    db.exec(pragmas.map((pragma) => `pragma ${pragma}`).join('; '))
    return new SqliteGroupDriver(db, statementsOf(db))
  }
}

/** SQLite can undo a `create table` like any other write, so a migration that dies half-way leaves nothing behind. */
class TransactionalSqliteAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl() {
    return true
  }

  /** There is one; who waits for it waits in the driver. */
  override get supportsMultipleConnections() {
    return true
  }
}

const pragmas = [
  'journal_mode = wal',
  'synchronous = full', // what was acknowledged is on disk, even when the power fails
  'wal_autocheckpoint = 4000', // a log of 16 MiB instead of 4: what changes again and again is written to its place once for all
  'cache_size = -65536',
  'temp_store = memory', // what it takes to undo a statement is a file otherwise, made and deleted each time
  'busy_timeout = 0', // see Turn
]

function statementsOf(db: DatabaseSync) {
  const prepare = (sql: string): Statement => {
    const statement = db.prepare(sql)
    const values = (parameters: readonly unknown[]) => parameters as SQLInputValue[]
    return {
      isReader: statement.columns().length > 0,
      all: (parameters) => statement.all(...values(parameters)),
      run: (parameters) => statement.run(...values(parameters)),
    }
  }
  const known = new Map<string, Statement>()
  return (sql: string): Statement => {
    const statement = known.get(sql) ?? prepare(sql)
    if (known.size < 500) known.set(sql, statement)
    return statement
  }
}
