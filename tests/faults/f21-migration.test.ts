import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { inFolder } from '../support/operator-office.ts'
import { login, settings } from '../support/signed-in.ts'
import { failToStart, startNeptune } from '../support/start-neptune.ts'

const schemas = join(import.meta.dirname, '../../server/src/db/schemas')
const versions = readdirSync(schemas).map((name) => name.replace('.sql', ''))
/** Under which the databases were made. */
const SECRET_KEY = 'tq0VnM2bX8sLr4yKcP7wZdE1uHfJ6gA9'
const link = { accessKey: 'BzyYTOugQaea5iOlGsZ1yw', accessCode: 'P4K3-E4W9-RPRP' }

/** What Neptune changes by itself as time goes is left out. */
const lasting = ['company', 'user', 'directory', 'file', 'link']

const inDataFolder = (work: (data: string) => Promise<void>) =>
  inFolder((folder) => {
    mkdirSync(join(folder, 'data'), { mode: 0o700 })
    return work(join(folder, 'data'))
  })

const open = (data: string) => new DatabaseSync(join(data, 'neptune.db'))

/** An old database, as it was. */
function restore(data: string, version: string) {
  for (const name of readdirSync(data)) rmSync(join(data, name), { recursive: true })
  using db = open(data)
  db.exec(`pragma journal_mode = wal; begin; ${readFileSync(join(schemas, `${version}.sql`), 'utf8')} commit`)
}

function look(data: string) {
  using db = open(data)
  const tables = db
    .prepare(`select name from sqlite_master where type = 'table'`)
    .all()
    .map(({ name }) => String(name))
  const rowsIn = (table: string) => db.prepare(`select * from "${table}" order by 1`).all()
  return {
    migrations: rowsIn('kysely_migration').map(({ name }) => String(name)),
    check: db
      .prepare('pragma integrity_check')
      .all()
      .map((row) => row['integrity_check']),
    rows: Object.fromEntries(lasting.filter((table) => tables.includes(table)).map((table) => [table, rowsIn(table)])),
  }
}

type Seen = ReturnType<typeof look>

/** The same rows, and in each what was in it before. */
function expectKept(before: Seen, after: Seen) {
  for (const [table, rows] of Object.entries(before.rows)) {
    expect(after.rows[table], table).toHaveLength(rows.length)
    for (const [i, row] of rows.entries()) expect(after.rows[table]?.[i], table).toMatchObject(row)
  }
  expect(after.check).toEqual(['ok'])
}

/** Starts on what is there, and works as if nothing had been. */
async function expectService(data: string, version: string) {
  await using neptune = await startNeptune({ ...settings, DATA_DIR: data, SECRET_KEY })
  expect((await login(neptune.url)).status).toBe(200)
  if (version < '0005') return
  const reply = await fetch(`${neptune.url}/v1/link/verify`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(link),
  })
  expect(await reply.json()).toMatchObject({ data: { validation: true, expired: false } })
}

describe('F21: a database of an earlier Neptune', () => {
  it.each(versions)(
    'of schema %s is brought up to date by a start, with all that was in it, and so is a second one',
    async (version) => {
      await inDataFolder(async (data) => {
        restore(data, version)
        const before = look(data)
        await expectService(data, version)
        const after = look(data)
        expect(after.migrations.length).toBeGreaterThan(before.migrations.length)
        expectKept(before, after)
        await expectService(data, version)
        expect(look(data).rows).toEqual(after.rows)
      })
    },
  )

  it.each(['0001', versions.at(-1) ?? ''])('of schema %s is whole, old or new, wherever the start is killed', async (version) => {
    const budget = performance.now() + 50_000
    await inDataFolder(async (data) => {
      restore(data, version)
      const before = look(data)
      const seen = new Set<number>()
      const preload = `--import=${join(import.meta.dirname, '../support/kill-at-statement.ts')}`
      // Small steps where little is done, larger ones where much is, so that the whole way is walked.
      for (let at = 1, killed = true; killed; at += version === '0001' ? 11 : 3) {
        restore(data, version)
        const kill = { NODE_OPTIONS: preload, NEPTUNE_KILL_AT: String(at) }
        killed = !(await failToStart({ ...settings, DATA_DIR: data, SECRET_KEY, ...kill })).hasStarted
        const halfway = look(data)
        seen.add(halfway.migrations.length)
        expectKept(before, halfway)
        if (killed && at % 2 === 0 && performance.now() < budget) await expectService(data, version)
      }
      // Whole or not at all: the old number of migrations, or the new one.
      expect([...seen].toSorted()).toEqual([before.migrations.length, look(data).migrations.length])
    })
  })

  it('of a newer Neptune is refused, and left as it is', async () => {
    await inDataFolder(async (data) => {
      restore(data, versions.at(-1) ?? '')
      {
        using db = open(data)
        db.exec(`insert into kysely_migration values ('9999_future', '2030-01-01T00:00:00.000Z')`)
      }
      const before = look(data)
      const { code, lines } = await failToStart({ ...settings, DATA_DIR: data, SECRET_KEY })
      expect(code).toBe(1)
      expect(lines.join('\n')).toContain(
        'was written by a newer Neptune. Start that version, or restore a backup made before it.',
      )
      expect(look(data)).toEqual(before)
    })
  })
})
