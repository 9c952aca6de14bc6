import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { SqliteAdapter, type SqliteDatabase, SqliteDialect } from 'kysely'

/** Kysely's own SQLite dialect on node:sqlite. */
export class NodeSqliteDialect extends SqliteDialect {
  constructor(path: string) {
    super({ database: openNodeSqlite(path) })
  }

  override createAdapter() {
    return new TransactionalSqliteAdapter()
  }
}

/** SQLite can undo a `create table` like any other write, so a migration that dies half-way leaves nothing behind. */
class TransactionalSqliteAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl() {
    return true
  }
}

/** `synchronous = full`: what was acknowledged is on disk, even when the power fails. */
function openNodeSqlite(path: string): SqliteDatabase {
  const db = new DatabaseSync(path, { timeout: 5_000, enableForeignKeyConstraints: true })
  db.exec('pragma journal_mode = wal; pragma synchronous = full; pragma cache_size = -65536')
  const prepared = new Map<string, ReturnType<typeof prepare>>()
  const prepare = (sql: string) => {
    const statement = db.prepare(sql)
    const values = (parameters: readonly unknown[]) => parameters as SQLInputValue[]
    return {
      reader: statement.columns().length > 0, // true for SELECT and for RETURNING
      all: (parameters: readonly unknown[]) => statement.all(...values(parameters)),
      run: (parameters: readonly unknown[]) => statement.run(...values(parameters)),
      iterate: (parameters: readonly unknown[]) => statement.iterate(...values(parameters)),
    }
  }
  return {
    close: () => db.close(),
    prepare(sql) {
      const known = prepared.get(sql)
      if (known) return known
      const made = prepare(sql)
      if (prepared.size < 500) prepared.set(sql, made)
      return made
    },
  }
}
