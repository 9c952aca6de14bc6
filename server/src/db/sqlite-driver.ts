import type { DatabaseSync } from 'node:sqlite'
import { setTimeout as wait } from 'node:timers/promises'
import type { CompiledQuery, DatabaseConnection, Driver, QueryResult, TransactionSettings } from 'kysely'

/** How long statements wait for another program to let go of the database. */
export const patience = 5_000

export interface Statement {
  /** Whether it gives rows: SELECT and RETURNING do. */
  isReader: boolean
  all(parameters: readonly unknown[]): unknown[]
  run(parameters: readonly unknown[]): { changes: number | bigint }
}

/** Transactions that are done and go to the disk together. */
interface Group {
  /** Settles when they are there, or when none of them is. */
  kept: Promise<void>
  keep(): void
  lose(error: unknown): void
}

/**
 * One connection, one who uses it at a time. Transactions that end in the same turn of the event loop are committed as one: what takes
 * long is to have something on the disk, and that takes as long for ten as for one. Each is undone by itself, if it fails, and nobody hears
 * that theirs is done before all of it is on the disk.
 */
export class SqliteGroupDriver implements Driver {
  readonly #db: DatabaseSync
  readonly #prepare: (sql: string) => Statement
  readonly #waiting: (() => void)[] = []
  #isTaken = false
  #turn: Turn | undefined
  #group: Group | undefined
  #isDue = false

  constructor(db: DatabaseSync, prepare: (sql: string) => Statement) {
    this.#db = db
    this.#prepare = prepare
  }

  async init() {}

  /** What somebody is in the middle of is undone; what others have ended is kept. */
  async destroy() {
    if (this.#turn?.transaction === 'writes' && this.#db.isTransaction) this.#db.exec('rollback to one; release one')
    this.#commitGroup()
    this.#db.close()
  }

  async acquireConnection(): Promise<Turn> {
    if (this.#isTaken) await new Promise<void>((resolve) => this.#waiting.push(resolve))
    this.#isTaken = true
    this.#turn = new Turn(
      (query, isAlone) => this.#execute(query, isAlone),
      () => this.#db.isTransaction,
    )
    return this.#turn
  }

  async releaseConnection(turn: Turn) {
    if (!turn.isOver) this.#passOn(turn)
  }

  #passOn(turn: Turn) {
    turn.isOver = true
    this.#turn = undefined
    if (this.#isDue) this.#commitGroup()
    const next = this.#waiting.shift()
    if (next) next()
    else this.#isTaken = false
  }

  /**
   * To begin as a reader and become a writer later could fail half-way, if another process wrote meanwhile. So a transaction is
   * a writer's from the start, unless it says that it only reads: then it keeps nobody from writing.
   */
  async beginTransaction(turn: Turn, { accessMode }: TransactionSettings = {}) {
    if (accessMode === 'read only') {
      this.#commitGroup()
      await turn.run('begin')
      turn.transaction = 'reads'
      return
    }
    if (!this.#db.isTransaction) this.#loseGroup(undone())
    if (!this.#group) {
      await turn.run('begin immediate')
      this.#group = this.#openGroup()
    }
    await turn.run('savepoint one')
    turn.transaction = 'writes'
  }

  async commitTransaction(turn: Turn) {
    const group = this.#group
    if (turn.transaction === 'reads' || !group) return void (await turn.run('commit'))
    await turn.run('release one')
    this.#passOn(turn)
    await group.kept
  }

  /** SQLite itself undoes a transaction that fills the disk, and with it those that were to be committed with it. */
  async rollbackTransaction(turn: Turn) {
    if (turn.isOver) return
    if (!this.#db.isTransaction) this.#loseGroup(turn.failure)
    else if (turn.transaction === 'reads') await turn.run('rollback')
    else {
      await turn.run('rollback to one')
      await turn.run('release one')
    }
  }

  #openGroup(): Group {
    const { promise: kept, resolve: keep, reject: lose } = Promise.withResolvers<void>()
    kept.catch(() => undefined) // whoever is in it hears of it
    setImmediate(() => {
      if (this.#group?.kept !== kept) return
      if (this.#isTaken) this.#isDue = true
      else this.#commitGroup()
    })
    return { kept, keep, lose }
  }

  #commitGroup() {
    const group = this.#group
    if (!group) return
    try {
      this.#prepare('commit').run([])
      this.#group = undefined
      this.#isDue = false
      group.keep()
    } catch (error) {
      if (this.#db.isTransaction) this.#prepare('rollback').run([])
      this.#loseGroup(error)
    }
  }

  #loseGroup(error: unknown) {
    this.#group?.lose(error)
    this.#group = undefined
    this.#isDue = false
  }

  /** What is asked alone may see what is about to be committed; what changes something alone waits for nobody's commit but its own. */
  #execute<Row>({ sql, parameters }: Pick<CompiledQuery, 'sql' | 'parameters'>, isAlone: boolean): QueryResult<Row> {
    if (isAlone && this.#group && !isQuestion.test(sql)) this.#commitGroup()
    const statement = this.#prepare(sql)
    if (statement.isReader) return { rows: statement.all(parameters) as Row[] }
    return { rows: [], numAffectedRows: BigInt(statement.run(parameters).changes) }
  }
}

/** SQLite does so by itself when the disk fails or is full. */
const undone = () => new Error('The database has undone the transaction')
const isQuestion = /^\s*select\b/i
/** What succeeds only when no other program holds the lock: reading does, whoever writes. */
const needsLock = /^(begin immediate|insert|update|delete)/i

/** When the lock of another program was met first, in this row of tries, and last. */
const lock = { since: Number.NEGATIVE_INFINITY, last: Number.NEGATIVE_INFINITY }

/**
 * The connection, for as long as somebody has it.
 *
 * SQLite's own time-out would hold the whole process while it waits, downloads and health checks included. So it has none, and
 * a statement that finds the database locked is tried again between other work. There is one connection, so whoever comes then waits
 * behind it: the time is counted from when the lock was met first, or the tenth in the row would wait ten times as long.
 */
class Turn implements DatabaseConnection {
  transaction: 'reads' | 'writes' | undefined
  isOver = false
  failure: unknown
  readonly #execute: <Row>(query: Pick<CompiledQuery, 'sql' | 'parameters'>, isAlone: boolean) => QueryResult<Row>
  readonly #isInTransaction: () => boolean

  constructor(
    execute: <Row>(query: Pick<CompiledQuery, 'sql' | 'parameters'>, isAlone: boolean) => QueryResult<Row>,
    isInTransaction: () => boolean,
  ) {
    this.#execute = execute
    this.#isInTransaction = isInTransaction
  }

  run = (sql: string) => this.#try({ sql, parameters: [] }, false)

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    // Or it would be kept by itself, and what it belongs to would not.
    if (this.transaction === 'writes' && !this.#isInTransaction()) {
      this.failure ??= undone()
      throw this.failure
    }
    return this.#try(query, this.transaction === undefined)
  }

  async #try<Row>(query: Pick<CompiledQuery, 'sql' | 'parameters'>, isAlone: boolean): Promise<QueryResult<Row>> {
    for (;;) {
      try {
        const result = this.#execute<Row>(query, isAlone)
        if (needsLock.test(query.sql)) lock.last = Number.NEGATIVE_INFINITY
        return result
      } catch (error) {
        this.failure = error
        // In its low byte: another process may also be putting in order what one that was killed has left.
        if (((error as { errcode?: number }).errcode ?? 0) % 256 !== 5) throw error
        const now = performance.now()
        if (now - lock.last > 1000) lock.since = now // another time
        lock.last = now
        if (now - lock.since > patience) throw error
        await wait(20)
      }
    }
  }

  // biome-ignore lint/correctness/useYield: nobody streams from SQLite
  async *streamQuery(): AsyncIterableIterator<never> {
    throw new Error('Rows of SQLite are read by the page')
  }
}
