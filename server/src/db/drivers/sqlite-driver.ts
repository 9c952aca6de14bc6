import type { DatabaseSync } from 'node:sqlite'
import { setTimeout as wait } from 'node:timers/promises'
import type { CompiledQuery, DatabaseConnection, Driver, QueryResult, TransactionSettings } from 'kysely'

/** How long statements wait while another process has locked the database. */
export const lockTimeoutMs = 5_000

export interface Statement {
  /** Whether the statement returns rows, as SELECT and RETURNING do. */
  isReader: boolean
  all(parameters: readonly unknown[]): unknown[]
  run(parameters: readonly unknown[]): { changes: number | bigint }
}

/** Finished transactions that are committed together. */
interface Group {
  /** Resolves when they are committed, and rejects when none of them is. */
  committed: Promise<void>
  resolve(): void
  reject(error: unknown): void
}

/**
 * A driver with one connection and group commit. Transactions that finish in the same turn of the event loop are committed together,
 * because the slow part is the sync to disk, which takes as long for ten as for one. Each transaction is a savepoint, so it can fail
 * on its own, and resolves only when the whole group is on disk.
 */
export class SqliteGroupDriver implements Driver {
  readonly #db: DatabaseSync
  readonly #prepare: (sql: string) => Statement
  readonly #queue: (() => void)[] = []
  #isLeased = false
  #lease: ConnectionLease | undefined
  #group: Group | undefined
  /** Whether the group is to be committed as soon as the current lease ends. */
  #isCommitDue = false

  constructor(db: DatabaseSync, prepare: (sql: string) => Statement) {
    this.#db = db
    this.#prepare = prepare
  }

  async init() {}

  /** Rolls back an unfinished transaction, and commits the finished ones. */
  async destroy() {
    if (this.#lease?.transaction === 'writes' && this.#db.isTransaction) this.#db.exec('rollback to one; release one')
    this.#commitGroup()
    this.#db.close()
  }

  async acquireConnection(): Promise<ConnectionLease> {
    if (this.#isLeased) await new Promise<void>((resolve) => this.#queue.push(resolve))
    this.#isLeased = true
    this.#lease = new ConnectionLease(
      (query, isStandalone) => this.#execute(query, isStandalone),
      () => this.#db.isTransaction,
    )
    return this.#lease
  }

  async releaseConnection(lease: ConnectionLease) {
    if (!lease.isOver) this.#endLease(lease)
  }

  #endLease(lease: ConnectionLease) {
    lease.isOver = true
    this.#lease = undefined
    if (this.#isCommitDue) this.#commitGroup()
    const next = this.#queue.shift()
    if (next) next()
    else this.#isLeased = false
  }

  /**
   * Begins every transaction as a writer: upgrading a reader could fail midway if another process wrote meanwhile. A read-only transaction
   * stays a reader and blocks no writer in another process.
   */
  async beginTransaction(lease: ConnectionLease, { accessMode }: TransactionSettings = {}) {
    if (accessMode === 'read only') {
      this.#commitGroup()
      await lease.run('begin')
      lease.transaction = 'reads'
      return
    }
    if (this.#group && !this.#db.isTransaction) this.#rejectGroup(createRollbackError())
    if (!this.#group) {
      await lease.run('begin immediate')
      this.#group = this.#openGroup()
    }
    await lease.run('savepoint one')
    lease.transaction = 'writes'
  }

  async commitTransaction(lease: ConnectionLease) {
    const group = this.#group
    if (lease.transaction === 'reads' || !group) return void (await lease.run('commit'))
    await lease.run('release one')
    this.#endLease(lease)
    await group.committed
  }

  /** Rolls back one transaction. When the disk is full, SQLite has already rolled back the whole group. */
  async rollbackTransaction(lease: ConnectionLease) {
    if (lease.isOver) return
    if (!this.#db.isTransaction) this.#rejectGroup(lease.failure)
    else if (lease.transaction === 'reads') await lease.run('rollback')
    else {
      await lease.run('rollback to one')
      await lease.run('release one')
    }
  }

  #openGroup(): Group {
    const { promise: committed, resolve, reject } = Promise.withResolvers<void>()
    committed.catch(() => undefined) // its transactions handle it
    setImmediate(() => {
      if (this.#group?.committed !== committed) return
      if (this.#isLeased) this.#isCommitDue = true
      else this.#commitGroup()
    })
    return { committed, resolve, reject }
  }

  #commitGroup() {
    const group = this.#group
    if (!group) return
    try {
      this.#prepare('commit').run([])
      this.#group = undefined
      this.#isCommitDue = false
      group.resolve()
    } catch (error) {
      if (this.#db.isTransaction) this.#prepare('rollback').run([])
      this.#rejectGroup(error)
    }
  }

  #rejectGroup(error: unknown) {
    this.#group?.reject(error)
    this.#group = undefined
    this.#isCommitDue = false
  }

  /** Runs a statement. Outside a transaction, a query may see what is about to be committed; a write first commits the group. */
  #execute<Row>({ sql, parameters }: Pick<CompiledQuery, 'sql' | 'parameters'>, isStandalone: boolean): QueryResult<Row> {
    if (isStandalone && this.#group && !selectStatement.test(sql)) this.#commitGroup()
    const statement = this.#prepare(sql)
    if (statement.isReader) return { rows: statement.all(parameters) as Row[] }
    return { rows: [], numAffectedRows: BigInt(statement.run(parameters).changes) }
  }
}

/** SQLite rolls back by itself when the disk fails or is full. */
const createRollbackError = () => new Error('SQLite rolled back the transaction')
const selectStatement = /^\s*select\b/i
/** Statements that need the write lock. Reads work while another process writes. */
const lockingStatement = /^(begin immediate|insert|update|delete)/i

/** The longest delay before the next attempt. The first attempts follow after a millisecond, because most locks last for one commit. */
const maxRetryDelayMs = 20

/** When the database was first and last found locked by another process, in the current series of attempts. */
const lock = { since: Number.NEGATIVE_INFINITY, last: Number.NEGATIVE_INFINITY }

/**
 * Represents exclusive use of the connection.
 *
 * SQLite's own busy timeout would block the whole process, including downloads and health checks. So it is off, and a statement that finds
 * the database locked is retried between other work. All later statements queue behind it. So the timeout of all of them starts when the lock
 * is first seen; otherwise the tenth statement in the queue would wait ten times as long.
 */
class ConnectionLease implements DatabaseConnection {
  transaction: 'reads' | 'writes' | undefined
  isOver = false
  failure: unknown
  readonly #execute: <Row>(query: Pick<CompiledQuery, 'sql' | 'parameters'>, isStandalone: boolean) => QueryResult<Row>
  readonly #isInTransaction: () => boolean

  constructor(
    execute: <Row>(query: Pick<CompiledQuery, 'sql' | 'parameters'>, isStandalone: boolean) => QueryResult<Row>,
    isInTransaction: () => boolean,
  ) {
    this.#execute = execute
    this.#isInTransaction = isInTransaction
  }

  run = (sql: string) => this.#executeWithRetry({ sql, parameters: [] }, false)

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    // Otherwise this statement would be committed without the rest of its transaction.
    if (this.transaction === 'writes' && !this.#isInTransaction()) {
      this.failure ??= createRollbackError()
      throw this.failure
    }
    return this.#executeWithRetry(query, this.transaction === undefined)
  }

  async #executeWithRetry<Row>(
    query: Pick<CompiledQuery, 'sql' | 'parameters'>,
    isStandalone: boolean,
  ): Promise<QueryResult<Row>> {
    for (;;) {
      try {
        const result = this.#execute<Row>(query, isStandalone)
        if (lockingStatement.test(query.sql)) lock.last = Number.NEGATIVE_INFINITY
        return result
      } catch (error) {
        this.failure = error
        // SQLITE_BUSY in the low byte, with any extended code, such as SQLITE_BUSY_RECOVERY after another process was killed.
        if (((error as { errcode?: number }).errcode ?? 0) % 256 !== 5) throw error
        const now = performance.now()
        if (now - lock.last > 1000) lock.since = now // a new series
        lock.last = now
        if (now - lock.since > lockTimeoutMs) throw error
        await wait(Math.min(Math.max((now - lock.since) / 4, 1), maxRetryDelayMs))
      }
    }
  }

  // biome-ignore lint/correctness/useYield: streaming is not supported
  async *streamQuery(): AsyncIterableIterator<never> {
    throw new Error('SQLite queries cannot be streamed')
  }
}
