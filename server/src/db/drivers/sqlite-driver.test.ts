import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Kysely, sql } from 'kysely'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { NodeSqliteDialect } from './node-sqlite.ts'

let folder: string
let db: Kysely<{ thing: { name: string } }>
/** Another connection, which sees only committed data. */
let other: DatabaseSync
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'neptune-sqlite-'))
  db = new Kysely({ dialect: new NodeSqliteDialect(join(folder, 'a.db')) })
  await sql`create table thing (name text primary key)`.execute(db)
  other = new DatabaseSync(join(folder, 'a.db'), { timeout: 0 })
})
afterEach(async () => {
  await db.destroy()
  other.close()
  rmSync(folder, { recursive: true, force: true })
})

const readNames = () =>
  other
    .prepare('select name from thing order by name')
    .all()
    .map(({ name }) => name)
const add = (name: string, then = () => {}) =>
  db.transaction().execute(async (trx) => {
    await trx.insertInto('thing').values({ name }).execute()
    then()
  })
const fail = () => {
  throw new Error('no')
}

it('commits transactions that finish together as one, and resolves each only when all are visible', async () => {
  const seenAt: unknown[][] = []
  await Promise.all(['a', 'b', 'c'].map((name) => add(name).then(() => seenAt.push(readNames()))))
  expect(seenAt).toEqual([
    ['a', 'b', 'c'],
    ['a', 'b', 'c'],
    ['a', 'b', 'c'],
  ])
})

it('rolls back a failed transaction without the rest of its group', async () => {
  const outcomes = await Promise.allSettled([add('a'), add('b', fail), add('c'), add('a')])
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'rejected'])
  expect(readNames()).toEqual(['a', 'c'])
})

it('commits a write outside a transaction at once, together with the pending group', async () => {
  const pending = add('a')
  await db.insertInto('thing').values({ name: 'b' }).execute()
  expect(readNames()).toEqual(['a', 'b'])
  await pending
})

it('gives a read-only transaction a snapshot of what was committed before it', async () => {
  const pending = add('a')
  const read = db.transaction().setAccessMode('read only')
  const names = await read.execute(async (trx) => {
    const list = async () => (await trx.selectFrom('thing').select('name').execute()).map(({ name }) => name)
    const first = [readNames(), await list()]
    other.exec(`insert into thing values ('z')`)
    return [...first, await list()]
  })
  expect(names).toEqual([['a'], ['a'], ['a']])
  await pending
})

it('reports the right outcome to each transaction of a group when the disk is full', async () => {
  await sql`pragma max_page_count = 30`.execute(db)
  const names = ['a', 'b', 'x'.repeat(400_000), 'c']
  const outcomes = await Promise.allSettled(names.map((name) => add(name)))
  expect(outcomes[2]).toMatchObject({ status: 'rejected', reason: { errcode: 13 } })
  expect(readNames()).toEqual(names.filter((_, i) => outcomes[i]?.status === 'fulfilled'))
  await add('d')
  expect(readNames()).toContain('d')
})

it('rejects the whole group when the commit fails, and then continues', async () => {
  await sql`create table part (of text references thing (name) deferrable initially deferred)`.execute(db)
  const orphan = db.transaction().execute((trx) => sql`insert into part values ('nobody')`.execute(trx))
  const outcomes = await Promise.allSettled([add('a'), orphan, add('b')])
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
  expect(readNames()).toEqual([])
  await add('c')
  expect(readNames()).toEqual(['c'])
})

it('commits the pending group when it is closed', async () => {
  const pending = add('a')
  await new Promise((resolve) => process.nextTick(resolve))
  await db.destroy()
  await pending
  expect(readNames()).toEqual(['a'])
})

it('on close, rolls back the open transaction and commits the finished ones', async () => {
  const [reached, resume] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const ended = add('a')
  const pending = db.transaction().execute(async (trx) => {
    await trx.insertInto('thing').values({ name: 'b' }).execute()
    reached.resolve()
    await resume.promise
    await trx.insertInto('thing').values({ name: 'c' }).execute()
  })
  const rejected = expect(pending).rejects.toThrow()
  await reached.promise
  await db.destroy()
  resume.resolve()
  await Promise.all([ended, rejected])
  expect(readNames()).toEqual(['a'])
})

it('rejects the group and further statements after SQLite rolled back by itself', async () => {
  const ended = add('a')
  const continued = db.transaction().execute(async (trx) => {
    await sql`rollback`.execute(trx) // as SQLite does when the disk is full
    await trx.insertInto('thing').values({ name: 'b' }).execute()
  })
  const outcomes = await Promise.allSettled([ended, continued])
  expect(outcomes.map((outcome) => String((outcome as PromiseRejectedResult).reason))).toEqual([
    expect.stringContaining('rolled back'),
    expect.stringContaining('rolled back'),
  ])
  expect(readNames()).toEqual([])
  await add('c')
  expect(readNames()).toEqual(['c'])
})
