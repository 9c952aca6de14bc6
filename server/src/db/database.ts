import { Kysely, SqliteAdapter, sql } from 'kysely'
import { NodeSqliteDialect } from './drivers/node-sqlite.ts'
import type { PostgresOptions } from './drivers/postgres.ts'
import type { Schema } from './schema.ts'

export type Db = Kysely<Schema>

/** Opens `sqlite:<path>` or `postgres://…`. */
export async function openDatabase(url: string, options: PostgresOptions = {}): Promise<Db> {
  if (url.startsWith('sqlite:')) return new Kysely({ dialect: new NodeSqliteDialect(url.slice('sqlite:'.length)) })
  const { createPostgresDialect } = await import('./drivers/postgres.ts') // loaded only when needed
  return new Kysely({ dialect: createPostgresDialect(url, options) })
}

function isDuplicate(error: unknown): boolean {
  const { code, errcode } = error as { code?: string; errcode?: number }
  return code === '23505' || (code === 'ERR_SQLITE_ERROR' && (errcode === 2067 || errcode === 1555))
}

/** Returns false when the change violates a unique constraint. */
export async function unlessDuplicate(change: Promise<unknown>): Promise<boolean> {
  try {
    await change
    return true
  } catch (error) {
    if (isDuplicate(error)) return false
    throw error
  }
}

export const isSqlite = (db: Db) => db.getExecutor().adapter instanceof SqliteAdapter

/** Takes an advisory lock until the end of the transaction. SQLite needs none, because it runs one write transaction at a time. */
export async function takeAdvisoryLock(trx: Db, name: string): Promise<void> {
  if (!isSqlite(trx)) await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(trx)
}

/** Throws when the database does not respond. */
export const ping = (db: Db) => sql`select 1`.execute(db)
