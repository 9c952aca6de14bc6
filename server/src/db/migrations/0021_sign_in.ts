import type { Kysely } from 'kysely'

/** Adds second factors, passkeys, known browsers, and sign-in with other providers. */
export async function up(db: Kysely<unknown>) {
  await db.schema.alterTable('user').addColumn('second_factor_at', 'text').execute()
  for (const column of sessionColumns) await db.schema.alterTable('session').addColumn(column, 'text').execute()
  await addFactors(db)
  await addProviders(db)
}

const sessionColumns = ['method', 'second_factor', 'confirmed_at', 'new_browser_at']

async function addFactors(db: Kysely<unknown>) {
  await db.schema
    .createTable('totp')
    .addColumn('user_id', 'text', (c) => c.primaryKey().references('user.id').onDelete('cascade'))
    .addColumn('secret', 'text', (c) => c.notNull())
    .addColumn('created_at', 'text', (c) => c.notNull())
    .addColumn('confirmed_at', 'text')
    .addColumn('last_step', 'integer', (c) => c.notNull())
    .execute()
  await db.schema
    .createTable('passkey')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('user_id', 'text', (c) => c.notNull().references('user.id').onDelete('cascade'))
    .addColumn('credential_id', 'text', (c) => c.notNull().unique())
    .addColumn('rp_id', 'text', (c) => c.notNull())
    .addColumn('public_key', 'text', (c) => c.notNull())
    .addColumn('counter', 'bigint', (c) => c.notNull())
    .addColumn('transports', 'text', (c) => c.notNull())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('created_at', 'text', (c) => c.notNull())
    .addColumn('last_used_at', 'text')
    .execute()
  await db.schema.createIndex('passkey_user').on('passkey').column('user_id').execute()
  await db.schema.createIndex('passkey_host').on('passkey').columns(['rp_id', 'user_id']).execute()
  await db.schema
    .createTable('recovery_code')
    .addColumn('user_id', 'text', (c) => c.notNull().references('user.id').onDelete('cascade'))
    .addColumn('hash', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('recovery_code_key', ['user_id', 'hash'])
    .execute()
  await db.schema
    .createTable('factor_reset')
    .addColumn('user_id', 'text', (c) => c.primaryKey().references('user.id').onDelete('cascade'))
    .addColumn('id', 'text', (c) => c.notNull())
    .addColumn('requested_by', 'text', (c) => c.notNull())
    .addColumn('requested_at', 'text', (c) => c.notNull())
    .addColumn('due_at', 'text', (c) => c.notNull())
    .execute()
  await db.schema.createIndex('factor_reset_id').on('factor_reset').column('id').unique().execute()
  await db.schema.createIndex('factor_reset_due').on('factor_reset').column('due_at').execute()
  await db.schema
    .createTable('browser')
    .addColumn('user_id', 'text', (c) => c.notNull().references('user.id').onDelete('cascade'))
    .addColumn('hash', 'text', (c) => c.notNull())
    .addColumn('last_seen_at', 'text', (c) => c.notNull())
    .addColumn('trusted_until', 'text')
    .addColumn('trusted_generation', 'integer')
    .addPrimaryKeyConstraint('browser_key', ['hash', 'user_id'])
    .execute()
  await db.schema.createIndex('browser_user').on('browser').columns(['user_id', 'last_seen_at']).execute()
  await db.schema
    .createTable('challenge')
    .addColumn('hash', 'text', (c) => c.primaryKey())
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('user_id', 'text', (c) => c.references('user.id').onDelete('cascade'))
    .addColumn('data', 'text', (c) => c.notNull())
    .addColumn('ends_at', 'text', (c) => c.notNull())
    .execute()
  await db.schema.createIndex('challenge_end').on('challenge').column('ends_at').execute()
}

async function addProviders(db: Kysely<unknown>) {
  await db.schema
    .createTable('provider')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('issuer', 'text', (c) => c.notNull())
    .addColumn('client_id', 'text', (c) => c.notNull())
    .addColumn('client_secret', 'text')
    .addColumn('rules', 'text', (c) => c.notNull())
    .addColumn('version', 'integer', (c) => c.notNull())
    .addColumn('created_at', 'text', (c) => c.notNull())
    .addColumn('disabled_at', 'text')
    .execute()
  await db.schema
    .createTable('provider_account')
    .addColumn('issuer', 'text', (c) => c.notNull())
    .addColumn('subject', 'text', (c) => c.notNull())
    .addColumn('user_id', 'text', (c) => c.notNull().references('user.id').onDelete('cascade'))
    .addColumn('email', 'text', (c) => c.notNull())
    .addColumn('created_at', 'text', (c) => c.notNull())
    .addColumn('last_used_at', 'text')
    .addPrimaryKeyConstraint('provider_account_key', ['issuer', 'subject'])
    .execute()
  await db.schema.createIndex('provider_account_user').on('provider_account').column('user_id').execute()
  await db.schema
    .createTable('provider_session')
    .addColumn('session_id', 'text', (c) => c.primaryKey().references('session.id').onDelete('cascade'))
    .addColumn('provider_id', 'text', (c) => c.notNull())
    .addColumn('issuer', 'text', (c) => c.notNull())
    .addColumn('subject', 'text', (c) => c.notNull())
    .addColumn('sid', 'text')
    .addColumn('id_token', 'text')
    .execute()
  await db.schema.createIndex('provider_session_subject').on('provider_session').columns(['issuer', 'subject']).execute()
  await db.schema.createIndex('provider_session_sid').on('provider_session').columns(['issuer', 'sid']).execute()
}

const tables = [
  'provider_session',
  'provider_account',
  'provider',
  'challenge',
  'browser',
  'factor_reset',
  'recovery_code',
  'passkey',
  'totp',
]

export async function down(db: Kysely<unknown>) {
  for (const table of tables) await db.schema.dropTable(table).execute()
  for (const column of sessionColumns) await db.schema.alterTable('session').dropColumn(column).execute()
  await db.schema.alterTable('user').dropColumn('second_factor_at').execute()
}
