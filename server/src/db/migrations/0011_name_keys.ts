import { type Kysely, SqliteAdapter, sql } from 'kysely'

/** Compares the names of companies and users by the key that files and directories already have: see lib/names/name-key.ts. */
export const up = (db: Kysely<unknown>) =>
  setKeys(db, (name) => name.normalize('NFC').toLowerCase().replaceAll('ς', 'σ').normalize('NFC'))

export const down = (db: Kysely<unknown>) => setKeys(db, (name) => name.toLowerCase())

async function setKeys(db: Kysely<unknown>, keyOf: (name: string) => string) {
  // Other nodes may still run the previous version.
  if (!isSqlite(db)) await sql`lock table company, "user" in share row exclusive mode`.execute(db)
  for (const table of ['company', 'user']) {
    const { rows } = await sql<{ id: string; name: string; name_key: string }>`
      select id, name, name_key from ${sql.table(table)} order by created_at, id`.execute(db)
    const taken = new Set(rows.map(({ name_key }) => name_key))
    for (const { id, name, name_key } of rows) {
      const common = keyOf(name)
      if (common === name_key) continue
      // Companies whose names now count as the same keep different keys: an id is appended to the common key.
      const key = table === 'company' && taken.has(common) ? `${common} ${id}` : common
      taken.add(key)
      await sql`update ${sql.table(table)} set name_key = ${key} where id = ${id}`.execute(db)
    }
  }
}

const isSqlite = (db: Kysely<unknown>) => db.getExecutor().adapter instanceof SqliteAdapter
