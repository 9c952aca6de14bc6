import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import { describe, expect, it } from 'vitest'
import { toNameOrder } from '../lib/names/name-order.ts'
import { type Db, isSqlite } from './database.ts'
import { clearTable } from './dump.ts'
import { migrate, migrations } from './migrate.ts'
import { openTestDatabase } from './testing.ts'

/**
 * `schemas/0001.sql` and so on are SQL dumps of SQLite databases of earlier versions, with data. Every released schema gets a file,
 * which never changes.
 */
const folder = join(import.meta.dirname, 'schemas')
const versions = readdirSync(folder).map((name) => name.replace('.sql', ''))
const readScript = (version: string) => readFileSync(join(folder, `${version}.sql`), 'utf8')
const getMigrationName = (version: string) => Object.keys(migrations).find((name) => name.startsWith(version)) ?? ''
const migrator = (db: Db) => new Migrator({ db, provider: { getMigrations: async () => migrations } })

type Rows = Record<string, Record<string, unknown>[]>

/** Returns every row of every table, in a stable order. */
async function readRows(db: Db): Promise<Rows> {
  const tables = (await db.introspection.getTables()).map(({ name }) => name)
  const ownTables = tables.filter((name) => !/^(kysely|(file|company|user)_search)/.test(name)).toSorted()
  const read = async (name: string) => (await sql<Record<string, unknown>>`select * from ${sql.table(name)}`.execute(db)).rows
  const sortRows = (rows: Record<string, unknown>[]) =>
    rows.map((row) => ({ ...row })).toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
  return Object.fromEntries(await Promise.all(ownTables.map(async (name) => [name, sortRows(await read(name))] as const)))
}

/** Returns the new rows reduced to the tables and columns of the old ones. */
const projectOnto = (before: Rows, after: Rows): Rows =>
  Object.fromEntries(
    Object.entries(before).map(([table, rows]) => [
      table,
      (after[table] ?? []).map((row) => Object.fromEntries(Object.keys(rows[0] ?? {}).map((column) => [column, row[column]]))),
    ]),
  )

/** Makes rows comparable. Leaves out `link.standing`, which is derived from other rows. */
const toComparable = (rows: Rows) =>
  Object.fromEntries(
    Object.entries(rows).map(([table, list]) => [table, list.map(({ standing, ...row }) => JSON.stringify(row)).toSorted()]),
  )

/** Opens a database with the schema and the recorded rows of an earlier version. */
async function openRecorded(version: string): Promise<Db> {
  const db = await openTestDatabase()
  expect((await migrator(db).migrateTo(getMigrationName(version))).error).toBeUndefined()
  for (const table of Object.keys(await readRows(db))) await clearTable(db, table) // a migration may have inserted a row
  for (const line of readScript(version).split('\n')) if (/^insert into "(?!kysely)/.test(line)) await sql.raw(line).execute(db)
  return db
}

it('has a recorded database of every earlier schema', () => {
  expect(versions).toEqual(
    Object.keys(migrations)
      .map((name) => name.slice(0, 4))
      .slice(0, versions.length),
  )
  expect(versions.length).toBeGreaterThanOrEqual(Object.keys(migrations).length - 1)
})

describe.each(versions)('F21: migration from schema %s', (version) => {
  it('keeps every row, and changes nothing when run again', async () => {
    const db = await openRecorded(version)
    const before = await readRows(db)
    expect(Object.values(before).flat().length).toBeGreaterThan(10)
    await migrate(db)
    const after = await readRows(db)
    expect(toComparable(projectOnto(before, after))).toEqual(toComparable(before))
    for (const row of [...(after['company'] ?? []), ...(after['user'] ?? []), ...(after['directory'] ?? [])])
      expect(String(row['name_key']).toLowerCase()).toBe(String(row['name']).toLowerCase())
    for (const table of ['company', 'user', 'directory', 'file', 'link'])
      for (const row of after[table] ?? []) expect(row['name_order']).toBe(toNameOrder(String(row['name'])))
    await migrate(db)
    expect(await readRows(db)).toEqual(after)
    await db.destroy()
  })

  it('matches the recorded schema, so no migration was changed since', async () => {
    const db = await openTestDatabase()
    if (isSqlite(db)) {
      expect((await migrator(db).migrateTo(getMigrationName(version))).error).toBeUndefined()
      using recorded = new DatabaseSync(':memory:')
      recorded.exec(readScript(version))
      const schemaQuery = `select type, name, sql from sqlite_master where sql is not null and name not like 'sqlite_%' order by type, name`
      const normalize = (rows: unknown[]) => rows.map((row) => JSON.stringify(row).replaceAll(/(\\n|\s)+/g, ' '))
      expect(normalize(recorded.prepare(schemaQuery).all())).toEqual(normalize((await sql.raw(schemaQuery).execute(db)).rows))
    }
    await db.destroy()
  })
})

it('0010 and 0016 compute the standing of existing links', async () => {
  const db = await openRecorded('0009')
  await migrate(db)
  const { link = [] } = await readRows(db)
  const closedLinks = link.filter(({ standing }) => standing !== 'open').map(({ key, standing }) => [key, standing])
  expect(closedLinks.toSorted()).toEqual([
    ['pAusedLinkAAAAAAAAAAAA', 'owner_suspended'],
    ['tRashedDirLinkAAAAAAAA', 'directory_deleted'],
    ['tRashedFileLinkAAAAAAA', 'file_deleted'],
  ])
  await db.destroy()
})

it('0010 reserves the full size of unfinished uploads', async () => {
  const db = await openRecorded('0009')
  await migrate(db)
  const { upload = [] } = await readRows(db)
  expect(upload.map(({ size, reserved, received }) => [size, reserved, received].map(Number))).toEqual(
    Array.from({ length: 3 }, () => [1000, 1000, 0]),
  )
  await db.destroy()
})

it('0011 computes the name keys of companies and users like those of files, and adds the id to a duplicate company key', async () => {
  const db = await openTestDatabase()
  expect((await migrator(db).migrateTo(getMigrationName('0010'))).error).toBeUndefined()
  const companies = [
    ['a', 'Büro Nord', 'büro nord'],
    ['b', 'Bu\u0308ro Nord', 'bu\u0308ro nord'],
    ['c', 'Άλφα Οδός', 'άλφα οδός'],
    ['d', 'Initech', 'initech'],
  ]
  for (const [id, name, key] of companies)
    await sql`insert into company (id, name, name_key, created_at) values (${id}, ${name}, ${key}, '2026-01-01')`.execute(db)
  await sql`insert into "user" (id, company_id, name, name_key, email, role, password_hash, created_at, generation)
    values ('k', 'a', ${'Ju\u0308rgen'}, ${'ju\u0308rgen'}, 'j@acme.example', 'NEPTUNE_USER', 'x', '2026-01-01', 0)`.execute(db)
  await migrate(db)
  const { company = [], user = [] } = await readRows(db)
  const keys = Object.fromEntries([...company, ...user].map(({ id, name_key }) => [id, name_key]))
  expect(keys).toMatchObject({ a: 'büro nord', b: 'büro nord b', c: 'άλφα οδόσ', d: 'initech', k: 'jürgen' })
  await db.destroy()
})

it('0013 leaves every company open, with the default quota and without a note', async () => {
  const db = await openTestDatabase()
  expect((await migrator(db).migrateTo(getMigrationName('0012'))).error).toBeUndefined()
  await sql`insert into company (id, name, name_key, created_at) values ('a', 'Acme', 'acme', '2026-01-01')`.execute(db)
  await migrate(db)
  const { company = [] } = await readRows(db)
  expect(company).toMatchObject([{ id: 'a', archived_at: null, quota_bytes: null, note: '' }])
  await db.destroy()
})

it('0014 leaves existing users without an invitation and keeps their passwords', async () => {
  const db = await openTestDatabase()
  expect((await migrator(db).migrateTo(getMigrationName('0013'))).error).toBeUndefined()
  await sql`insert into company (id, name, name_key, created_at) values ('a', 'Acme', 'acme', '2026-01-01')`.execute(db)
  for (const id of ['k', 'l'])
    await sql`insert into "user" (id, company_id, name, name_key, email, role, password_hash, created_at, generation)
      values (${id}, 'a', 'Kim', 'kim', ${`${id}@acme.example`}, 'NEPTUNE_USER', 'x', '2026-01-01', 0)`.execute(db)
  await migrate(db)
  const { user = [] } = await readRows(db)
  const unchanged = { password_hash: 'x', invitation_id: null, invitation_ends_at: null }
  expect(user).toMatchObject([unchanged, unchanged])
  const invite = (id: string) => db.updateTable('user').set({ invitation_id: 'i' }).where('id', '=', id).execute()
  await invite('k')
  await expect(invite('l')).rejects.toThrow() // the id is unique
  await db.destroy()
})

it('0015 keeps all users, and copies their last sign-in from the audit log', async () => {
  const db = await openTestDatabase()
  expect((await migrator(db).migrateTo(getMigrationName('0013'))).error).toBeUndefined()
  await sql`insert into company (id, name, name_key, created_at) values ('a', 'Acme', 'acme', '2026-01-01')`.execute(db)
  for (const id of ['k', 'l'])
    await sql`insert into "user" (id, company_id, name, name_key, email, role, password_hash, created_at, generation)
      values (${id}, 'a', 'Kim', 'kim', ${`${id}@acme.example`}, 'NEPTUNE_USER', 'x', '2026-01-01', 0)`.execute(db)
  for (const [seq, at] of ['2026-01-02', '2026-01-03'].entries())
    await sql`insert into audit (seq, at, action, outcome, who, person_id, times, mac)
      values (${seq + 1}, ${at}, 'session.started', 'done', 'staff', 'k', 1, 'x')`.execute(db)
  await migrate(db)
  const { user = [] } = await readRows(db)
  expect(user).toMatchObject([
    { id: 'k', removed_at: null, signed_in_at: '2026-01-03' },
    { id: 'l', removed_at: null, signed_in_at: null },
  ])
  await db.destroy()
})

it('0016 counts the directories, files and links of each company and of all', async () => {
  const db = await openTestDatabase()
  expect((await migrator(db).migrateTo(getMigrationName('0015'))).error).toBeUndefined()
  for (const id of ['a', 'b', 'c'])
    await sql`insert into company (id, name, name_key, created_at) values (${id}, ${id}, ${id}, '2026-01-01')`.execute(db)
  await sql`insert into "user" (id, company_id, name, name_key, email, role, password_hash, created_at, generation)
    values ('k', 'a', 'Kim', 'kim', 'kim@acme.example', 'NEPTUNE_USER', 'x', '2026-01-01', 0)`.execute(db)
  const directories = [
    ['d1', 'a', 3, null],
    ['d2', 'a', 4, '2026-01-02'],
    ['d3', 'b', 5, null],
  ]
  for (const [id, company, files, deleted] of directories)
    await sql`insert into directory (id, company_id, name, name_key, files, created_at, deleted_at)
      values (${id}, ${company}, ${id}, ${id}, ${files}, '2026-01-01', ${deleted})`.execute(db)
  await sql`insert into link (key, type, company_id, directory_id, name, name_key, maker_id, code_mac, code_sealed, generation, created_at,
    expires_at) values ('l', 'LINK_DIRECTORY', 'a', 'd2', 'd2', 'd2', 'k', '', '', 0, '2026-01-01', '2026-02-01')`.execute(db)
  await migrate(db)
  const totals = (await db.selectFrom('company_total').selectAll().orderBy('company_id').execute()).map(
    ({ company_id, directories, files, links }) => [company_id, ...[directories, files, links].map(Number)],
  )
  expect(totals).toEqual([
    ['', 2, 8, 1],
    ['a', 1, 3, 1],
    ['b', 1, 5, 0],
  ])
  await db.destroy()
})

it('0019 stores the sums of users with more than 200 selected companies, and removes them when undone', async () => {
  const db = await openTestDatabase()
  expect((await migrator(db).migrateTo(getMigrationName('0018'))).error).toBeUndefined()
  const companies = Array.from({ length: 201 }, (_, i) => `c${i}`)
  for (const id of companies)
    await sql`insert into company (id, name, name_key, created_at) values (${id}, ${id}, ${id}, '2026-01-01')`.execute(db)
  for (const [id, count] of [['many', 201] as const, ['few', 200] as const]) {
    await sql`insert into "user" (id, company_id, name, name_key, email, role, password_hash, created_at, generation)
      values (${id}, 'c0', ${id}, ${id}, ${id}, 'NEPTUNE_USER', 'x', '2026-01-01', 0)`.execute(db)
    const rows = companies.slice(0, count).map((company_id) => ({ user_id: id, company_id }))
    await db.insertInto('user_company').values(rows).execute()
  }
  for (const company_id of ['c1', 'c2']) {
    await db.insertInto('company_total').values({ company_id, directories: 1, files: 2, links: 3 }).execute()
    const transfer = { company_id, day: '2026-01-02', uploads: 1, downloads: 2, bytes_in: 3, bytes_out: 4 }
    await db.insertInto('transfer').values(transfer).execute()
  }
  await migrate(db)
  // A row whose company_id is a user's id has the sums of that user's selected companies: see schema.ts and audit-tables.ts.
  const readSums = async () =>
    [
      await db.selectFrom('company_total').selectAll().where('company_id', 'in', ['many', 'few']).execute(),
      await db.selectFrom('transfer').selectAll().where('company_id', 'in', ['many', 'few']).execute(),
    ].map((rows) => rows.map((row) => Object.values(row).map(String).join(' ')))
  expect(await readSums()).toEqual([['many 2 4 6'], ['many 2026-01-02 2 4 6 8']])
  expect((await migrator(db).migrateTo(getMigrationName('0018'))).error).toBeUndefined()
  expect(await readSums()).toEqual([[], []])
  await db.destroy()
})

it('0022 makes every directory a top-level one, and can be undone', async () => {
  const db = await openTestDatabase()
  expect((await migrator(db).migrateTo(getMigrationName('0021'))).error).toBeUndefined()
  await sql`insert into company (id, name, name_key, created_at) values ('a', 'a', 'a', '2026-01-01')`.execute(db)
  for (const [id, deleted] of [['d1', null] as const, ['d2', '2026-01-02'] as const])
    await sql`insert into directory (id, company_id, name, name_key, files, created_at, deleted_at)
      values (${id}, 'a', 'Plans', 'plans', 0, '2026-01-01', ${deleted})`.execute(db)
  await migrate(db)
  const columns = ['id', 'parent_id', 'root_id', 'depth', 'trashed_with'] as const
  const found = await db.selectFrom('directory').select(columns).orderBy('id').execute()
  expect(found.map((row) => columns.map((column) => row[column]))).toEqual([
    ['d1', null, 'd1', 0, null],
    ['d2', null, 'd2', 0, null],
  ])
  expect((await migrator(db).migrateTo(getMigrationName('0021'))).error).toBeUndefined()
  await migrate(db)
  await db.destroy()
})

it('0022 computes the order of every name, in several batches, and removes it when undone', async () => {
  const db = await openTestDatabase()
  expect((await migrator(db).migrateTo(getMigrationName('0021'))).error).toBeUndefined()
  await sql`insert into company (id, name, name_key, created_at) values ('a', 'Ärzte 10', 'ärzte 10', '2026-01-01')`.execute(db)
  const count = 12_001
  const numbers = sql`(with recursive counted(i) as (select 1 union all select i + 1 from counted where i < ${sql.lit(count)})
    select i from counted) as numbers`
  await sql`insert into directory (id, company_id, name, name_key, created_at)
    select 'd' || i, 'a', 'Plan ' || i, 'plan ' || i, '2026-01-01' from ${numbers}`.execute(db)
  await sql`insert into file (id, company_id, directory_id, name, name_key, kind, content_type, size, sha256, crc32, created_at, thumbnail)
    select 'f' || i, 'a', 'd1', 'Plan ' || i, 'plan ' || i, 'text', '', 0, '', 0, '2026-01-01', 'none' from ${numbers}`.execute(
    db,
  )
  await migrate(db)
  expect(await db.selectFrom('company').select('name_order').execute()).toEqual([{ name_order: toNameOrder('Ärzte 10') }])
  for (const table of ['directory', 'file'] as const) {
    const rows = await db.selectFrom(table).select(['name', 'name_order']).orderBy('name_order').execute()
    expect(rows).toEqual(
      Array.from({ length: count }, (_, i) => ({ name: `Plan ${i + 1}`, name_order: toNameOrder(`Plan ${i + 1}`) })),
    )
  }
  expect((await migrator(db).migrateTo(getMigrationName('0021'))).error).toBeUndefined()
  expect((await readRows(db))['company']).toEqual([expect.not.objectContaining({ name_order: expect.anything() })])
  await db.destroy()
})
