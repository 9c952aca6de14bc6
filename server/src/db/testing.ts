import { randomBytes } from 'node:crypto'
import type { DatabaseSync } from 'node:sqlite'
import { type Dialect, type Driver, Kysely, type RawBuilder, sql } from 'kysely'
import { inject } from 'vitest'
import { type Db, openDatabase, ping } from './database.ts'
import { NodeSqliteDialect } from './drivers/node-sqlite.ts'
import { createPostgresDialect } from './drivers/postgres.ts'
import { migrate } from './migrate.ts'
import type { Schema } from './schema.ts'

/** Opens an empty database. With `isMigrated` it already has its tables, which saves time. */
export async function openTestDatabase({ isMigrated = false } = {}): Promise<Db> {
  const server = inject('postgresUrl')
  if (!server) return isMigrated ? openSqliteCopy() : openDatabase('sqlite::memory:')
  return isMigrated ? openReusableDatabase(server) : openPostgresDatabase(server)
}

/** The bytes of a migrated SQLite database. Copying them takes a tenth of the time of creating the tables. */
let sqliteImage: Promise<Uint8Array> | undefined

const sqliteDialects = new WeakMap<Db, MemoryDialect>()

async function openSqliteCopy(): Promise<Db> {
  sqliteImage ??= createSqliteImage()
  const dialect = new MemoryDialect(await sqliteImage)
  const db: Db = new Kysely({ dialect })
  sqliteDialects.set(db, dialect)
  await ping(db) // the database is open already, but before the first query, Kysely's `destroy` would not close it
  return db
}

/** Returns a function that sets the database back to what it is now, or undefined for PostgreSQL, which cannot do that quickly. */
export function saveTestDatabase(db: Db): (() => Promise<void>) | undefined {
  const dialect = sqliteDialects.get(db)
  const image = dialect?.serialize()
  return dialect && image && (() => dialect.reopen(image))
}

async function createSqliteImage(): Promise<Uint8Array> {
  const dialect = new MemoryDialect()
  const db: Db = new Kysely({ dialect })
  await migrate(db)
  const image = dialect.serialize()
  await db.destroy()
  return image
}

/** Opens a database in memory: an empty one, or a copy of an image. */
class MemoryDialect extends NodeSqliteDialect {
  #connection: DatabaseSync | undefined
  #driver: Driver | undefined
  #image: Uint8Array | undefined

  constructor(image?: Uint8Array) {
    super(':memory:')
    this.#image = image
  }

  serialize(): Uint8Array {
    if (!this.#connection) throw new Error('The database was not opened')
    return this.#connection.serialize()
  }

  /** Closes the database, and opens a copy of an image instead. */
  async reopen(image: Uint8Array) {
    await this.#driver?.destroy()
    this.#image = image
    this.#driver = super.createDriver()
  }

  /** Creates a driver that passes its calls to the driver of the database that is open at the time. */
  override createDriver(): Driver {
    this.#driver = super.createDriver()
    return new Proxy(this.#driver, {
      get: (_, name: keyof Driver) => {
        const driver = this.#driver as Driver
        return driver[name]?.bind(driver)
      },
    })
  }

  protected override openConnection(): DatabaseSync {
    this.#connection = super.openConnection()
    if (this.#image) this.#connection.deserialize(this.#image)
    return this.#connection
  }
}

async function openPostgresDatabase(server: string): Promise<Db> {
  const name = createName('test')
  await runOnServer(server, sql`create database ${sql.id(name)}`)
  const db = await openDatabase(toUrl(server, name))
  const close = db.destroy.bind(db)
  db.destroy = async () => {
    await close()
    await runOnServer(server, sql`drop database if exists ${sql.id(name)} with (force)`)
  }
  return db
}

/** The template database. It is migrated once per test process, because copying it is faster than running the migrations. */
let template: Promise<{ name: string; tables: number }> | undefined

async function createTemplate(server: string) {
  const name = createName('template')
  await runOnServer(server, sql`create database ${sql.id(name)}`)
  const db = await openDatabase(toUrl(server, name))
  await migrate(db)
  const tables = await countTables(db)
  await db.destroy()
  return { name, tables }
}

/** A database with open connections. For most tests, setting up a PostgreSQL connection takes longer than running their queries. */
interface ReusableDatabase {
  dialect: Dialect
  countBusyConnections: () => number
  closeConnections: () => Promise<void>
}

/** Databases that tests have finished with and emptied. Reusing one takes a tenth of the time of creating one. */
const emptiedDatabases: ReusableDatabase[] = []

/** Opens a database that is emptied for the next test when it is closed. */
async function openReusableDatabase(server: string): Promise<Db> {
  template ??= createTemplate(server)
  const { name, tables } = await template
  const database = emptiedDatabases.pop() ?? (await createReusableDatabase(server, name))
  const db: Db = new Kysely<Schema>({ dialect: database.dialect })
  const close = db.destroy.bind(db)
  let isOpen = true
  db.destroy = async () => {
    if (!isOpen) return
    isOpen = false
    // The database is not reused if a test has changed its tables, or if an aborted download is still being recorded in it.
    const isEmpty = await emptyTables.execute(db).then(Boolean, () => false)
    const isReusable = isEmpty && (await countTables(db)) === tables && database.countBusyConnections() === 0
    await close()
    if (isReusable) emptiedDatabases.push(database)
    else await database.closeConnections()
  }
  return db
}

async function createReusableDatabase(server: string, source: string): Promise<ReusableDatabase> {
  const name = createName('test')
  await runOnServer(server, sql`create database ${sql.id(name)} template ${sql.id(source)}`)
  const dialect = createPostgresDialect(toUrl(server, name), { canExitWhileIdle: true })
  const driver = dialect.createDriver()
  const [acquire, release, destroy] = [driver.acquireConnection, driver.releaseConnection, driver.destroy]
  let busyConnections = 0
  driver.acquireConnection = async (options) => {
    const connection = await acquire.call(driver, options)
    busyConnections++
    return connection
  }
  driver.releaseConnection = (connection, options) => {
    busyConnections--
    return release.call(driver, connection, options)
  }
  driver.destroy = async () => undefined // keeps the connections for the next test
  dialect.createDriver = () => driver
  return { dialect, countBusyConnections: () => busyConnections, closeConnections: () => destroy.call(driver) }
}

const createName = (prefix: string) => `${prefix}_${randomBytes(8).toString('hex')}`

const toUrl = (server: string, name: string) => server.replace(/\/postgres$/, `/${name}`)

async function countTables(db: Db): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*) as n from pg_tables where schemaname = 'public'`.execute(db)
  return rows[0]?.n ?? 0
}

/**
 * Deletes all rows in any order, with foreign keys disabled, and inserts the head of the audit log again, which code relies on. The
 * `company_total` row that migration 0016 inserts is not inserted again: code inserts it when needed.
 */
const emptyTables = sql`do $$ declare name text; begin
  set local session_replication_role = replica;
  for name in select tablename from pg_tables where schemaname = 'public' and tablename not like 'kysely%' loop
    execute format('delete from %I', name);
  end loop;
  insert into audit_head (id, seq, mac) values (1, 0, '');
end $$`

async function runOnServer(url: string, command: RawBuilder<unknown>) {
  const admin = await openDatabase(url)
  await command.execute(admin)
  await admin.destroy()
}
