import { type Kysely, sql } from 'kysely'

/** Compares the names of companies and users by the key that files and directories already have: see lib/name-key.ts. */
export const up = (db: Kysely<unknown>) =>
  setKeys(db, (name) => name.normalize('NFC').toLowerCase().replaceAll('ς', 'σ').normalize('NFC'))

export const down = (db: Kysely<unknown>) => setKeys(db, (name) => name.toLowerCase())

async function setKeys(db: Kysely<unknown>, keyOf: (name: string) => string) {
  for (const table of ['company', 'user']) {
    const { rows } = await sql<{ id: string; name: string; name_key: string }>`
      select id, name, name_key from ${sql.table(table)} order by created_at, id`.execute(db)
    const taken = new Set(rows.map(({ name_key }) => name_key))
    for (const { id, name, name_key } of rows) {
      const key = keyOf(name)
      // A company whose new key is taken keeps its old one, which is unique.
      if (key === name_key || (table === 'company' && taken.has(key))) continue
      taken.add(key)
      await sql`update ${sql.table(table)} set name_key = ${key} where id = ${id}`.execute(db)
    }
  }
}
