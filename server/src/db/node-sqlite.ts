import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { setTimeout as wait } from 'node:timers/promises'
import {
  CompiledQuery,
  type DatabaseConnection,
  type Driver,
  type QueryResult,
  SqliteAdapter,
  type SqliteDatabase,
  SqliteDialect,
  type TransactionSettings,
} from 'kysely'

/** How long statements wait for another program to let go of the database. */
const patience = 5_000

/** Kysely's own SQLite dialect on node:sqlite. */
export class NodeSqliteDialect extends SqliteDialect {
  constructor(path: string) {
    super({ database: openNodeSqlite(path) })
  }

  override createAdapter() {
    return new TransactionalSqliteAdapter()
  }

  override createDriver(): Driver {
    const driver = super.createDriver()
    const acquire = driver.acquireConnection.bind(driver)
    const known = new WeakSet<DatabaseConnection>() // there is one connection, handed out again and again
    const acquireConnection = async () => {
      const connection = await acquire()
      if (!known.has(connection)) makePatient(connection)
      known.add(connection)
      return connection
    }
    // To begin as a reader and become a writer later could fail half-way, if another process wrote meanwhile. So a transaction is
    // a writer's from the start, unless it says that it only reads: then it keeps nobody from writing.
    const beginTransaction = async (connection: DatabaseConnection, { accessMode }: TransactionSettings = {}) => {
      await connection.executeQuery(CompiledQuery.raw(accessMode === 'read only' ? 'begin' : 'begin immediate'))
    }
    const rollback = driver.rollbackTransaction.bind(driver)
    // SQLite itself undoes a transaction that fills the disk; the reason must not be lost because there is nothing left to undo.
    const rollbackTransaction = (connection: DatabaseConnection) =>
      rollback(connection).catch((error: Error) => {
        if (!/no transaction is active/.test(error.message)) throw error
      })
    return Object.assign(driver, { acquireConnection, beginTransaction, rollbackTransaction })
  }
}

/**
 * SQLite's own time-out would hold the whole process while it waits, downloads and health checks included. So it has none, and
 * a statement that finds the database locked is tried again between other work. There is one connection, so whoever comes then waits
 * behind it: the time is counted from when the lock was met first, or the tenth in the row would wait ten times as long.
 */
function makePatient(connection: DatabaseConnection) {
  const execute = connection.executeQuery.bind(connection)
  let lockedSince = Number.NEGATIVE_INFINITY
  let lastMet = Number.NEGATIVE_INFINITY
  const executeQuery = async <Row>(query: CompiledQuery): Promise<QueryResult<Row>> => {
    for (;;) {
      try {
        const result = await execute<Row>(query)
        if (needsLock.test(query.sql)) lastMet = Number.NEGATIVE_INFINITY
        return result
      } catch (error) {
        // In its low byte: another process may also be putting in order what one that was killed has left.
        if (((error as { errcode?: number }).errcode ?? 0) % 256 !== 5) throw error
        const now = performance.now()
        if (now - lastMet > 1000) lockedSince = now // another time
        lastMet = now
        if (now - lockedSince > patience) throw error
        await wait(20)
      }
    }
  }
  Object.assign(connection, { executeQuery })
}

/** What succeeds only when no other program holds the lock: reading does, whoever writes. */
const needsLock = /^(begin immediate|insert|update|delete)/i

/** SQLite can undo a `create table` like any other write, so a migration that dies half-way leaves nothing behind. */
class TransactionalSqliteAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl() {
    return true
  }
}

const pragmas = [
  'journal_mode = wal',
  'synchronous = full', // what was acknowledged is on disk, even when the power fails
  'wal_autocheckpoint = 4000', // a log of 16 MiB instead of 4: what changes again and again is written to its place once for all
  'cache_size = -65536',
  'temp_store = memory', // what it takes to undo a statement is a file otherwise, made and deleted each time
  'busy_timeout = 0', // see makePatient
]

function openNodeSqlite(path: string): SqliteDatabase {
  const db = new DatabaseSync(path, { timeout: patience, enableForeignKeyConstraints: true })
  db.exec(pragmas.map((pragma) => `pragma ${pragma}`).join('; '))
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
