import { type Kysely, PostgresAdapter, sql } from 'kysely'

/** Adds the key by which lists sort names, and replaces `name_key` with it in the indexes for lists. See lib/names/name-order.ts. */
export async function up(db: Kysely<unknown>) {
  // PostgreSQL compares text in the language of the database, unless the column says otherwise.
  const type = isPostgres(db) ? sql`text collate "C"` : sql`text`
  for (const { table } of namedTables)
    await db.schema
      .alterTable(table)
      // Nodes with the previous version insert rows without a key. An hourly job adds it.
      .addColumn('name_order', type, (c) => c.notNull().defaultTo(''))
      .execute()
  for (const index of listIndexes) await db.schema.dropIndex(`${index.name}_name_key`).execute()
  for (const named of namedTables) await (isPostgres(db) ? fillInPostgres(db, named) : fillInSqlite(db, named))
  for (const index of listIndexes) await createIndex(db, index, 'name_order')
  // This index was also used to find a folder by its parent and name. The unique index now does this.
  await db.schema.dropIndex('directory_name').execute()
  await sql`create unique index directory_name on directory (company_id, name_key)
    where deleted_at is null and parent_id is null`.execute(db)
  await sql`create unique index folder_name on directory (parent_id, name_key)
    where deleted_at is null and parent_id is not null`.execute(db)
}

/** Large enough for few statements, and small enough for little memory. */
const batchSize = 5000

interface NamedTable {
  table: string
  id: string
}

const namedTables: NamedTable[] = [
  { table: 'company', id: 'id' },
  { table: 'user', id: 'id' },
  { table: 'directory', id: 'id' },
  { table: 'file', id: 'seq' },
  { table: 'link', id: 'key' },
]

/** Reads all names of a table in batches. Yields pairs of an id and a sort key. */
async function* listOrders(db: Kysely<unknown>, { table, id }: NamedTable) {
  const key = sql.ref(id)
  for (let isAfter = sql`1 = 1`; ; ) {
    const { rows } = await sql<{ id: string | number; name: string }>`select ${key} as id, name from ${sql.table(table)}
      where ${isAfter} order by ${key} limit ${sql.lit(batchSize)}`.execute(db)
    if (rows.length > 0) yield rows.map((row) => [row.id, nameOrder(row.name)] as const)
    if (rows.length < batchSize) return
    isAfter = sql`${key} > ${rows.at(-1)?.id}`
  }
}

async function fillInSqlite(db: Kysely<unknown>, named: NamedTable) {
  for await (const orders of listOrders(db, named))
    await sql`update ${sql.table(named.table)} set name_order = value ->> 1 from json_each(${JSON.stringify(orders)})
      where ${sql.ref(`${named.table}.${named.id}`)} = value ->> 0`.execute(db)
}

/**
 * Computes the keys in a temporary table, and copies them while PostgreSQL rewrites the whole table. An update would keep the previous copy
 * of each row and add the new one to every index, which takes longer and leaves all of them twice as large.
 */
async function fillInPostgres(db: Kysely<unknown>, named: NamedTable) {
  const [rows, id] = [sql.table(named.table), sql.ref(named.id)]
  await sql`create temporary table computed on commit drop as select ${id} as id, name_order from ${rows} limit 0`.execute(db)
  for await (const orders of listOrders(db, named))
    await sql`insert into computed select named.id${sql.raw(named.id === 'seq' ? '::bigint' : '')}, named.name_order
      from unnest(${orders.map(([id]) => String(id))}::text[], ${orders.map(([, order]) => order)}::text[]) as named (id, name_order)`.execute(
      db,
    )
  await sql`create unique index computed_id on computed (id)`.execute(db)
  await sql`create function pg_temp.find_order(${sql.raw(named.id === 'seq' ? 'bigint' : 'text')}) returns text stable language plpgsql
    as 'begin return (select name_order from computed where computed.id = $1); end'`.execute(db)
  await sql`alter table ${rows} alter column name_order type text collate "C" using pg_temp.find_order(${id})`.execute(db)
  await sql`drop function pg_temp.find_order`.execute(db)
  await sql`drop table computed`.execute(db)
}

interface ListIndex {
  name: string
  table: string
  /** The columns before and after the name. */
  before?: string[]
  after: string[]
  where?: string
}

const live = 'deleted_at is null'
const listIndexes: ListIndex[] = [
  { name: 'company_open', table: 'company', after: ['id'], where: 'archived_at is null' },
  { name: 'company_archived', table: 'company', after: ['id'], where: 'archived_at is not null' },
  { name: 'user', table: 'user', after: ['id', 'company_id'], where: 'removed_at is null' },
  { name: 'user_company', table: 'user', before: ['company_id'], after: ['id'], where: 'removed_at is null' },
  { name: 'user_removed', table: 'user', after: ['id'], where: 'removed_at is not null' },
  { name: 'user_company_removed', table: 'user', before: ['company_id'], after: ['id'], where: 'removed_at is not null' },
  { name: 'directory', table: 'directory', after: ['id', 'company_id'] },
  { name: 'directory_company', table: 'directory', before: ['company_id'], after: ['id'] },
  { name: 'directory_top', table: 'directory', after: ['id', 'company_id'], where: 'parent_id is null' },
  { name: 'directory_company_top', table: 'directory', before: ['company_id'], after: ['id'], where: 'parent_id is null' },
  { name: 'directory_parent', table: 'directory', before: ['parent_id'], after: ['id'], where: 'parent_id is not null' },
  { name: 'file', table: 'file', after: ['id', 'company_id'], where: live },
  { name: 'file_company', table: 'file', before: ['company_id'], after: ['id'], where: live },
  { name: 'file_directory', table: 'file', before: ['directory_id'], after: ['id'], where: live },
  { name: 'file_trash', table: 'file', after: ['id'], where: 'deleted_at is not null' },
  { name: 'file_company_trash', table: 'file', before: ['company_id'], after: ['id'], where: 'deleted_at is not null' },
  { name: 'link', table: 'link', after: ['key', 'company_id'] },
  { name: 'link_company', table: 'link', before: ['company_id'], after: ['key'] },
  { name: 'link_maker', table: 'link', before: ['maker_id'], after: ['key'] },
  { name: 'link_closed', table: 'link', before: ['standing'], after: ['key', 'expires_at'], where: `standing <> 'open'` },
  {
    name: 'link_company_closed',
    table: 'link',
    before: ['company_id', 'standing'],
    after: ['key', 'expires_at'],
    where: `standing <> 'open'`,
  },
]

async function createIndex(db: Kysely<unknown>, { name, table, before = [], after, where }: ListIndex, column: string) {
  const columns = sql.join([...before, column, ...after].map((part) => sql.ref(part)))
  await sql`create index ${sql.ref(`${name}_${column}`)} on ${sql.table(table)} (${columns}) ${sql.raw(where ? `where ${where}` : '')}`.execute(
    db,
  )
}

export async function down(db: Kysely<unknown>) {
  for (const index of ['folder_name', 'directory_name']) await db.schema.dropIndex(index).execute()
  await sql`create unique index directory_name on directory (coalesce(parent_id, company_id), name_key)
    where deleted_at is null`.execute(db)
  for (const index of listIndexes) {
    await db.schema.dropIndex(`${index.name}_name_order`).execute()
    await createIndex(db, index, 'name_key')
  }
  for (const { table } of namedTables) await db.schema.alterTable(table).dropColumn('name_order').execute()
}

const isPostgres = (db: Kysely<unknown>) => db.getExecutor().adapter instanceof PostgresAdapter

// A copy of lib/names/name-order.ts as of this migration

/** The maximum length of a key in bytes of UTF-8. It must fit into a cursor, even if JSON escapes every character. */
const maxBytes = 320

/** Letters that Unicode doesn't decompose, and the letters that they are sorted next to. */
const similarLetters: Record<string, string> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ð: 'd',
  đ: 'd',
  ħ: 'h',
  ı: 'i',
  ł: 'l',
  ŋ: 'n',
  ŧ: 't',
  þ: 'th',
  ґ: 'г',
  є: 'е',
  і: 'и',
}
const similarLetter = new RegExp(`[${Object.keys(similarLetters).join('')}]`, 'g')

/**
 * Returns the key by which lists sort names: numbers by their value, and letters with accents next to those without. Databases compare it
 * byte by byte. Names with different keys (see `toNameKey`) have different sort keys, unless they are very long.
 */
function nameOrder(name: string): string {
  const key = name.normalize('NFC').toLowerCase().replaceAll('ς', 'σ').normalize('NFC')
  const letters = /^[\x20-\x7e]*$/.test(key) ? key : removeAccents(key)
  const bare = letters.replaceAll(/(?<!\d)0+(?=\d)/g, '')
  const order = bare.replaceAll(/\d+/g, (digits) => formatLength(digits) + digits)
  // For names that are otherwise equal, the part that was left out decides. The separator sorts before all other characters.
  return truncate(bare === key ? order : `${order}\u0001${key.slice(countEqualCharacters(bare, key))}`)
}

/** Returns the name without accents, and with ASCII digits. й is a letter of its own, not и with an accent. */
const removeAccents = (key: string) =>
  key
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/(?!(?<=и)\u0306)\p{Script=Inherited}/gu, '')
    .normalize('NFC')
    .replaceAll(similarLetter, (letter) => similarLetters[letter] ?? letter)
    .replaceAll(/(?![0-9])\p{Nd}/gu, readDigit)

/** Reads a digit of any script. Unicode lists the ten digits of a script in a row, from a code point that ends in 0 or 6. */
function readDigit(digit: string): string {
  const code = digit.codePointAt(0) ?? 0
  const isFromZero = /\p{Nd}/u.test(String.fromCodePoint(code & ~15))
  return String((code & 15) - (isFromZero ? 0 : 6))
}

/** Formats the length of a number, so that a longer number sorts after a shorter one. Starts with a digit, because the number does, too. */
function formatLength({ length }: string): string {
  return length < 9 ? `${length}` : `9${String(Math.min(length, 999)).padStart(3, '0')}`
}

function countEqualCharacters(one: string, other: string): number {
  let count = 0
  while (count < one.length && one[count] === other[count]) count++
  return count
}

const encoder = new TextEncoder()
const buffer = new Uint8Array(maxBytes)

/** Cuts between two characters. */
const truncate = (text: string) => (text.length * 3 <= maxBytes ? text : text.slice(0, encoder.encodeInto(text, buffer).read))
