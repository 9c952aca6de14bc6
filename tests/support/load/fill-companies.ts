import { createHash } from 'node:crypto'
import { DatabaseSync } from 'node:sqlite'
import { Client } from 'pg'
import { countSums, countTotals } from './count-totals.ts'

export const companyCount = 100_000
const fileCount = 1_000_000
/** The most companies that can be selected for a user. */
const selectedCount = 5_000

/**
 * Users with the password of the first admin. `selected` is the SQL condition for the numbers `i` of the companies they may see besides
 * their own.
 */
export const benchUsers = {
  own: { email: 'own@acme.example', access: 'own', selected: 'false' },
  selected: { email: 'selected@acme.example', access: 'selected', selected: `i % ${companyCount / selectedCount} = 7` },
  all: { email: 'all@acme.example', access: 'all', selected: 'false' },
  two: { email: 'two@acme.example', access: 'selected', selected: `i = ${companyCount / 2}` },
} as const

const countTo = (count: number) =>
  `(with recursive counted(i) as (select cast(0 as bigint) union all select i + 1 from counted where i < ${count - 1}) select i from counted) as numbers`

/**
 * The rows of an installation with many companies, for both databases. Each company has a user, two directories, ten files, two links,
 * ten audit entries and transfers on three days. Ids are derived from numbers, so that rows can refer to each other.
 */
const inserts = [
  `into company (id, name, name_key, name_order, created_at, bytes)
    select make_id('company', i), make_name(i), make_name(i), make_order(i), make_time(i), i * 7919 % 1000003 * 1000 from ${countTo(companyCount)}`,
  `into "user" (id, company_id, name, name_key, name_order, email, role, password_hash, generation, created_at)
    select make_id('user', i), make_id('company', i), make_name(i), make_name(i), make_order(i), 'user' || i || '@acme.example',
      'NEPTUNE_USER', 'x', 0, make_time(i) from ${countTo(companyCount)}`,
  ...Object.entries(benchUsers).flatMap(([name, { email, access, selected }], number) => [
    `into "user" (id, company_id, name, name_key, name_order, email, role, access, password_hash, generation, created_at)
      select make_id('${name}', 0), make_id('company', ${number}), '${name}', '${name}', '${name}', '${email}', 'NEPTUNE_USER', '${access}',
        password_hash, 0, make_time(0) from "user" where role = 'NEPTUNE_ADMIN'`,
    `into user_company (user_id, company_id)
      select make_id('${name}', 0), make_id('company', i) from ${countTo(companyCount)}
      where '${access}' = 'selected' and (i = ${number} or ${selected})`,
  ]),
  // Other users with selected companies, so that the table is as large as in a firm with many employees.
  `into user_company (user_id, company_id)
    select make_id('user', i % 500), make_id('company', i) from ${countTo(companyCount)} where i % 500 <> i`,
  `into directory (id, root_id, company_id, name, name_key, name_order, files, bytes, created_at)
    select make_id('directory', i), make_id('directory', i), make_id('company', i % ${companyCount}), 
      'directory ' || i, 'directory ' || i, 'directory ' || length(cast(i as text)) || i, 5, 5000, make_time(i)
    from ${countTo(companyCount * 2)}`,
  `into file (id, blob_id, company_id, directory_id, name, name_key, name_order, kind, content_type, size, sha256, crc32, created_at, thumbnail)
    select make_id('file', i), make_id('file', i), make_id('company', i % ${companyCount}), make_id('directory', i % ${companyCount * 2}), make_name(i),
      make_name(i), make_order(i), 'text', 'text/plain', i * 7919 % 1000003, '${'a'.repeat(64)}', 0, make_time(i), 'none' from ${countTo(fileCount)}`,
  `into link (key, type, company_id, directory_id, name, name_key, name_order, maker_id, code_mac, code_sealed, generation, created_at,
      expires_at)
    select make_id('link', i), 'LINK_DIRECTORY', make_id('company', i % ${companyCount}), make_id('directory', i), make_name(i), make_name(i), make_order(i),
      make_id('user', i % ${companyCount}), '', '', 0, make_time(i), make_time(10000000 + i) from ${countTo(companyCount * 2)}`,
  `into audit (seq, at, action, outcome, who, person_id, person, client, company_id, name, directory_id, file_id, times, mac)
    select 1000000 + i, make_time(i), 'file.uploaded', 'done', 'staff', make_id('user', i % ${companyCount}), 'Kim', '192.0.2.1',
      make_id('company', i % ${companyCount}), make_name(i), make_id('directory', i % ${companyCount * 2}), make_id('file', i), 1, ''
    from ${countTo(fileCount)}`,
  `into transfer (company_id, day, uploads, downloads, bytes_in, bytes_out)
    select make_id('company', i % ${companyCount}), make_day(i * 7 % 30 + i / ${companyCount}), 1, 2, 1000, 2000 from ${countTo(companyCount * 3)}`,
  `into transfer (company_id, day, uploads, downloads, bytes_in, bytes_out)
    select '', make_day(i), 10000, 20000, 10000000, 20000000 from ${countTo(30)}`,
  `into installation (name, value) select 'transfers_counted', cast(max(seq) as text) from audit where true
    on conflict (name) do update set value = excluded.value`,
]

const afterInserts = ['update audit_head set seq = (select max(seq) from audit)', ...countTotals, ...countSums]
const filledTables = [`'company'`, `'user'`, `'directory'`, `'file'`, `'link'`, `'audit'`, `'transfer'`].join()

const cities = ['berlin', 'paris', 'london', 'madrid', 'rome', 'vienna', 'oslo', 'prague']
const hash = (text: string) => createHash('md5').update(text).digest('hex')
const startMs = Date.UTC(2024, 0, 1)

/**
 * Returns the name of a company, person, file or link. It starts with a hash in letters, so that names sort differently from the numbers.
 */
export const makeName = (i: number) => `${makeLetters(i)} ${cities[i % 8]} ${i}`

/** Returns `name_order` of that name. */
const makeOrder = (i: number) => `${makeLetters(i)} ${cities[i % 8]} ${`${i}`.length}${i}`

const letters = 'ghijklmnop'
const makeLetters = (i: number) =>
  hash(`${i}`)
    .slice(0, 6)
    .replaceAll(/\d/g, (digit) => letters[Number(digit)] ?? '')

/** Fills a SQLite database that Neptune has created. */
export function fillCompaniesInSqlite(path: string): void {
  using db = new DatabaseSync(path)
  db.function('make_id', { deterministic: true }, (kind, i) => hash(`${kind}${i}`).slice(0, 22))
  db.function('make_name', { deterministic: true }, (i) => makeName(Number(i)))
  db.function('make_order', { deterministic: true }, (i) => makeOrder(Number(i)))
  db.function('make_time', { deterministic: true }, (i) => new Date(startMs + Number(i) * 60_000).toISOString())
  db.function('make_day', (i) => new Date(Date.now() - Number(i) * 86_400_000).toISOString().slice(0, 10))
  db.exec('pragma journal_mode = off; pragma synchronous = off; pragma cache_size = -500000; begin')
  // Creating the indexes at the end is much faster than updating them for each row.
  const dropped = db
    .prepare(`select type, name, sql from sqlite_master
      where tbl_name in (${filledTables})
        and (type = 'index' or type = 'trigger' and tbl_name = 'file') and sql is not null`)
    .all() as { type: string; name: string; sql: string }[]
  for (const { type, name } of dropped) db.exec(`drop ${type} "${name}"`)
  for (const insert of inserts) db.exec(`insert ${insert}`)
  for (const statement of afterInserts) db.exec(statement)
  for (const { sql } of dropped) db.exec(sql)
  db.exec(`insert into file_search (file_search) values ('rebuild')`)
  db.exec('commit; pragma journal_mode = wal')
}

/** Fills a PostgreSQL database that Neptune has created. */
export async function fillCompaniesInPostgres(url: string): Promise<void> {
  const client = new Client(url)
  await client.connect()
  const define = (name: string, body: string) =>
    client.query(`create function ${name} returns text stable parallel safe language sql as $$ select ${body} $$`)
  try {
    await client.query(`set synchronous_commit = off; set maintenance_work_mem = '512MB'; set session_replication_role = replica`)
    await define('make_id(text, bigint)', 'left(md5($1 || $2), 22)')
    const start = `translate(left(md5($1::text), 6), '0123456789', '${letters}') || ' ' || ('{${cities.join()}}'::text[])[$1 % 8 + 1] || ' '`
    await define('make_name(bigint)', `${start} || $1`)
    await define('make_order(bigint)', `${start} || length($1::text) || $1`)
    const format = (time: string, pattern: string) => `to_char(${time}, '${pattern}')`
    await define(
      'make_time(bigint)',
      format(`timestamp '2024-01-01' + $1 * interval '1 minute'`, 'YYYY-MM-DD"T"HH24:MI:SS".000Z"'),
    )
    await define('make_day(bigint)', format(`now() at time zone 'utc' - $1 * interval '1 day'`, 'YYYY-MM-DD'))
    const { rows: indexes } = await client.query<{ name: string; definition: string }>(
      `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition from pg_index
        where indrelid in (select oid from pg_class where relname in (${filledTables}) and relkind = 'r')
          and indexrelid not in (select conindid from pg_constraint)`,
    )
    for (const { name } of indexes) await client.query(`drop index ${name}`)
    for (const insert of inserts) await client.query(`insert ${insert}`)
    for (const statement of afterInserts) await client.query(statement)
    for (const { definition } of indexes) await client.query(definition)
    await client.query('vacuum analyze')
  } finally {
    await client.end()
  }
}
