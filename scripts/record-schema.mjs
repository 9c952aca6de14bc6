// `npm run record-schema`: run it before you add a migration. It saves a SQLite database with the newest schema for the migration tests
// (server/src/db/schemas.test.ts). To create it, it migrates the database that was saved for the previous schema.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { openDatabase } from '../server/src/db/database.ts'
import { migrateTo, migrations } from '../server/src/db/migrate.ts'
import { root } from './prepare.mjs'

const schemaPath = (migration) => join(root, 'server/src/db/schemas', `${migration.slice(0, 4)}.sql`)
const migrationNames = Object.keys(migrations)
const lastRecorded = migrationNames.findLast((name) => existsSync(schemaPath(name)))
const next = migrationNames[migrationNames.indexOf(lastRecorded) + 1]
if (next) writeFileSync(schemaPath(next), await migrateRecorded(lastRecorded, next))
console.log(next ? `Recorded ${schemaPath(next)}.` : 'The newest schema is already recorded.')

async function migrateRecorded(from, to) {
  const folder = mkdtempSync(join(tmpdir(), 'neptune-'))
  const file = join(folder, 'neptune.db')
  using database = new DatabaseSync(file)
  database.exec(readFileSync(schemaPath(from), 'utf8'))
  const db = await openDatabase(`sqlite:${file}`)
  await migrateTo(db, to)
  await db.destroy()
  const script = dump(database, to)
  rmSync(folder, { recursive: true })
  return script
}

function dump(database, name) {
  // The search indexes have tables of their own, which SQLite creates and triggers fill.
  const objects = database
    .prepare(`select type, name, sql from sqlite_master
    where sql is not null and name not like 'sqlite_%' and name not like '%\\_search\\_%' escape '\\' or type = 'trigger' order by rowid`)
    .all()
  const byType = (type) => objects.filter((object) => object.type === type)
  const statements = ['table', 'index', 'trigger'].flatMap(byType).map(({ sql }) => `${sql.replaceAll(/\s+/g, ' ')};`)
  const tables = byType('table').filter((table) => !table.name.endsWith('_search'))
  const inserts = tables.flatMap((table) =>
    database
      .prepare(`select * from "${table.name}"`)
      .all()
      .map((row) => formatInsert(table.name, row)),
  )
  const heading = `-- A database as Neptune kept it at schema ${name}, with data in it. Never changed: see schemas.test.ts.`
  return `${[heading, ...statements, ...inserts].join('\n')}\n`
}

function formatInsert(table, row) {
  const columns = Object.keys(row).map((column) => `"${column}"`)
  const values = Object.values(row).map((value) =>
    typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(value),
  )
  return `insert into "${table}" (${columns.join(', ')}) values (${values.join(', ')});`
}
