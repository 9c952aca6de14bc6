import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { startNeptune, tryToStart } from '../support/start-neptune.ts'
import { postLogin, settings } from '../support/start-signed-in.ts'
import { withTempFolder } from '../support/temp-folder.ts'

const schemas = join(import.meta.dirname, '../../server/src/db/schemas')
const versions = readdirSync(schemas).map((name) => name.replace('.sql', ''))
/** The key with which the databases were created. */
const SECRET_KEY = 'tq0VnM2bX8sLr4yKcP7wZdE1uHfJ6gA9'
const link = { accessKey: 'BzyYTOugQaea5iOlGsZ1yw', accessCode: 'P4K3-E4W9-RPRP' }

/** Tables whose rows Neptune does not change by itself over time. */
const stableTables = ['company', 'user', 'directory', 'file', 'link']

const inDataFolder = (work: (data: string) => Promise<void>) =>
  withTempFolder((folder) => {
    mkdirSync(join(folder, 'data'), { mode: 0o700 })
    return work(join(folder, 'data'))
  })

const openDatabase = (data: string) => new DatabaseSync(join(data, 'neptune.db'))

/** Restores an old database. */
function restore(data: string, version: string) {
  for (const name of readdirSync(data)) rmSync(join(data, name), { recursive: true })
  using db = openDatabase(data)
  db.exec(`pragma journal_mode = wal; begin; ${readFileSync(join(schemas, `${version}.sql`), 'utf8')} commit`)
}

function readDatabase(data: string) {
  using db = openDatabase(data)
  const tables = db
    .prepare(`select name from sqlite_master where type = 'table'`)
    .all()
    .map(({ name }) => String(name))
  // Leaves out what is derived from other rows, and what a sign-in changes.
  const readRows = (table: string) =>
    db
      .prepare(`select * from "${table}" order by 1`)
      .all()
      .map(({ standing, signed_in_at, ...row }) => row)
  return {
    migrations: readRows('kysely_migration').map(({ name }) => String(name)),
    check: db
      .prepare('pragma integrity_check')
      .all()
      .map((row) => row['integrity_check']),
    rows: Object.fromEntries(stableTables.filter((table) => tables.includes(table)).map((table) => [table, readRows(table)])),
  }
}

type Snapshot = ReturnType<typeof readDatabase>

/** Expects the same rows, each with at least its previous values. */
function expectKept(before: Snapshot, after: Snapshot) {
  for (const [table, rows] of Object.entries(before.rows)) {
    expect(after.rows[table], table).toHaveLength(rows.length)
    for (const [i, row] of rows.entries()) expect(after.rows[table]?.[i], table).toMatchObject(row)
  }
  expect(after.check).toEqual(['ok'])
}

/** Expects the server to start on this database and to work. */
async function expectService(data: string, version: string) {
  await using neptune = await startNeptune({ ...settings, DATA_DIR: data, SECRET_KEY })
  expect((await postLogin(neptune.url)).status).toBe(200)
  if (version < '0005') return
  const reply = await fetch(`${neptune.url}/v1/link/verify`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(link),
  })
  expect(await reply.json()).toMatchObject({ data: { validation: true, expired: false } })
}

describe('F21: a database', () => {
  it.each(versions)(
    'of schema %s is migrated on start with all its rows, and a second start changes nothing',
    async (version) => {
      await inDataFolder(async (data) => {
        restore(data, version)
        const before = readDatabase(data)
        await expectService(data, version)
        const after = readDatabase(data)
        expect(after.migrations.length).toBeGreaterThan(before.migrations.length)
        expectKept(before, after)
        await expectService(data, version)
        expect(readDatabase(data).rows).toEqual(after.rows)
      })
    },
  )

  it.each(['0001', versions.at(-1) ?? ''])(
    'of schema %s is either unchanged or fully migrated, wherever the start is killed',
    async (version) => {
      const serviceChecksUntil = performance.now() + 50_000
      await inDataFolder(async (data) => {
        restore(data, version)
        const before = readDatabase(data)
        const migrationCounts = new Set<number>()
        const preload = `--import=${join(import.meta.dirname, '../support/preload/kill-at-statement.ts')}`
        // Small steps for short migrations and larger ones for long migrations, so that the whole migration is covered.
        for (let statement = 1, wasKilled = true; wasKilled; statement += version === '0001' ? 11 : 3) {
          restore(data, version)
          const kill = { NODE_OPTIONS: preload, NEPTUNE_KILL_AT: String(statement) }
          wasKilled = !(await tryToStart({ ...settings, DATA_DIR: data, SECRET_KEY, ...kill })).hasStarted
          const halfway = readDatabase(data)
          migrationCounts.add(halfway.migrations.length)
          expectKept(before, halfway)
          if (wasKilled && statement % 2 === 0 && performance.now() < serviceChecksUntil) await expectService(data, version)
        }
        // All or nothing: the old number of migrations, or the new one.
        expect([...migrationCounts].toSorted()).toEqual([before.migrations.length, readDatabase(data).migrations.length])
      })
    },
  )

  it('of a newer version is rejected and left unchanged', async () => {
    await inDataFolder(async (data) => {
      restore(data, versions.at(-1) ?? '')
      {
        using db = openDatabase(data)
        db.exec(`insert into kysely_migration values ('9999_future', '2030-01-01T00:00:00.000Z')`)
      }
      const before = readDatabase(data)
      const { code, lines } = await tryToStart({ ...settings, DATA_DIR: data, SECRET_KEY })
      expect(code).toBe(1)
      expect(lines.join('\n')).toContain(
        'was written by a newer Neptune. Start that version, or restore a backup made before it.',
      )
      expect(readDatabase(data)).toEqual(before)
    })
  })
})
