import { sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import { expect, it } from 'vitest'
import { toNameColumns } from '../lib/names/name-order.ts'
import type { Db } from './database.ts'
import { listMigrations, migrate, migrateTo, migrations } from './migrate.ts'
import { openTestDatabase } from './testing.ts'

const migrator = (db: Db, list = migrations) => new Migrator({ db, provider: { getMigrations: async () => list } })

const listTables = async (db: Db) =>
  (await db.introspection.getTables())
    .filter(({ name }) => !/^(file|company|user)_search/.test(name))
    .map(({ name, columns }) => ({
      name,
      columns: columns.map((column) => [column.name, column.isNullable]),
    }))

it('migrates up, down and up again to the same schema', async () => {
  const db = await openTestDatabase()
  await migrate(db)
  const tables = await listTables(db)
  expect(tables.map((table) => table.name).toSorted()).toEqual([
    'api_token',
    'audit',
    'audit_checkpoint',
    'audit_head',
    'blob_upload',
    'brand_image',
    'browser',
    'challenge',
    'company',
    'company_total',
    'directory',
    'factor_reset',
    'file',
    'file_version',
    'installation',
    'job',
    'link',
    'link_ask',
    'link_event',
    'link_file',
    'link_reservation',
    'link_session',
    'news',
    'outbox',
    'passkey',
    'password_reset',
    'provider',
    'provider_account',
    'provider_session',
    'receipt',
    'recovery_code',
    'rendition',
    'session',
    'session_token',
    'setting',
    'shared_blob',
    'throttle',
    'totp',
    'transfer',
    'upload',
    'user',
    'user_company',
    'webhook',
    'webhook_delivery',
  ])
  for (const _ of Object.keys(migrations)) expect((await migrator(db).migrateDown()).error).toBeUndefined()
  expect(await listTables(db)).toEqual([])
  await migrate(db)
  expect(await listTables(db)).toEqual(tables)
  await db.destroy()
})

it('does nothing to a database that is up to date', async () => {
  const db = await openTestDatabase()
  await migrate(db)
  await db
    .insertInto('company')
    .values({ id: 'c1', name: 'Acme', ...toNameColumns('Acme'), created_at: '2026-12-01T00:00:00.000Z' })
    .execute()
  await migrate(db)
  expect(await db.selectFrom('company').selectAll().execute()).toHaveLength(1)
  await db.destroy()
})

it('rolls back a migration that fails midway', async () => {
  const db = await openTestDatabase()
  await migrate(db)
  const before = await listTables(db)
  const broken = {
    ...migrations,
    '9999_broken': {
      up: async (trx: Db) => {
        await trx.schema.createTable('half').addColumn('id', 'text').execute()
        throw new Error('power cut')
      },
    },
  }
  expect((await migrator(db, broken).migrateToLatest()).error).toMatchObject({ message: 'power cut' })
  expect(await listTables(db)).toEqual(before)
  await db.destroy()
})

it('migrates even if the clock was set back between two updates', async () => {
  const db = await openTestDatabase()
  await migrateTo(db, '0007_nodes')
  await sql`update kysely_migration set timestamp = '2001-01-01T00:00:00.000Z' where name = '0006_trust'`.execute(db)
  await migrate(db)
  expect(await listMigrations(db)).toEqual(Object.keys(migrations))
  await db.destroy()
})

it('rejects a database that a newer Neptune has migrated', async () => {
  const db = await openTestDatabase()
  await migrate(db)
  await sql`insert into kysely_migration (name, timestamp) values ('9999_future', '2030-01-01T00:00:00.000Z')`.execute(db)
  await expect(migrate(db)).rejects.toThrow(/9999_future is missing/)
  await db.destroy()
})
