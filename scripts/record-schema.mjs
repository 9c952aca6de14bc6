// `npm run record-schema`: run it before you add a migration. It records a SQLite database of the newest schema for the migration
// tests (server/src/db/schemas.test.ts): the database recorded for the schema before it, migrated.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { openDatabase } from '../server/src/db/database.ts'
import { migrateTo, migrations } from '../server/src/db/migrate.ts'
import { root } from './prepare.mjs'

const pathOf = (migration) => join(root, 'server/src/db/schemas', `${migration.slice(0, 4)}.sql`)
const names = Object.keys(migrations)
const recorded = names.findLast((name) => existsSync(pathOf(name)))
const next = names[names.indexOf(recorded) + 1]
if (next) writeFileSync(pathOf(next), await migrateRecorded(recorded, next))
console.log(next ? `Recorded ${pathOf(next)}.` : 'The newest schema is already recorded.')

async function migrateRecorded(from, to) {
  const folder = mkdtempSync(join(tmpdir(), 'neptune-'))
  const file = join(folder, 'neptune.db')
  using database = new DatabaseSync(file)
  database.exec(readFileSync(pathOf(from), 'utf8'))
  const db = await openDatabase(`sqlite:${file}`)
  await migrateTo(db, to)
  await db.destroy()
  const script = dump(database, to)
  rmSync(folder, { recursive: true })
  return script
}

function dump(database, name) {
  // The search index has tables of its own, which SQLite creates and triggers fill.
  const all = database.prepare(`select type, name, sql from sqlite_master
    where sql is not null and name not like 'sqlite_%' and name not like 'file_search_%' or type = 'trigger' order by rowid`)
  const entries = all.all()
  const byType = (type) => entries.filter((entry) => entry.type === type)
  const statements = ['table', 'index', 'trigger'].flatMap(byType).map(({ sql }) => `${sql.replaceAll(/\s+/g, ' ')};`)
  const tables = byType('table').filter((table) => table.name !== 'file_search')
  const inserts = tables.flatMap((table) =>
    database
      .prepare(`select * from "${table.name}"`)
      .all()
      .map((row) => insertOf(table.name, row)),
  )
  const heading = `-- A database as Neptune kept it at schema ${name}, with data in it. Never changed: see schemas.test.ts.`
  return `${[heading, ...statements, ...inserts].join('\n')}\n`
}

function insertOf(table, row) {
  const columns = Object.keys(row).map((column) => `"${column}"`)
  const values = Object.values(row).map((value) =>
    typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(value),
  )
  return `insert into "${table}" (${columns.join(', ')}) values (${values.join(', ')});`
}
