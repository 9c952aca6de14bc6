import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { admin, failToStart, startNeptune } from '../support/start-neptune.ts'
import { query, startPostgres } from '../support/start-postgres.ts'

const settings = { ADMIN_EMAIL: admin.email, ADMIN_PASSWORD: admin.password }
const keys = ['tq0VnM2bX8sLr4yKcP7wZdE1uHfJ6gA9', 'w3kPz8RfVb5nQx7cLt2mYh9sJd4gUa6e'] as const
const isAKey = 'is not the secret key of this database.'
const whatToDo =
  'All nodes of a database share its key: copy secret.key from the data folder of the first node, or set the same SECRET_KEY on every node.'

const scratch = mkdtempSync(join(tmpdir(), 'neptune-nodes-'))
let postgres: Awaited<ReturnType<typeof startPostgres>>
let DATABASE_URL: string
let count = 0
beforeAll(async () => {
  postgres = await startPostgres()
})
beforeEach(async () => {
  await postgres.query(`create database neptune_${++count}`)
  DATABASE_URL = postgres.url.replace(/postgres$/, `neptune_${count}`)
})
afterAll(async () => {
  await postgres.stop()
  rmSync(scratch, { recursive: true, force: true })
})

/** On a machine of its own. */
const folderOf = (node: string) => join(scratch, String(count), node, 'data')

/** Nodes keep the bytes of files in one place. These have none to keep, so that they agree on its name is enough. */
function withStore(node: string): string {
  mkdirSync(folderOf(node), { recursive: true, mode: 0o700 })
  writeFileSync(join(folderOf(node), 'store.id'), 'AAAAAAAAAAAAAAAAAAAAAA\n')
  return folderOf(node)
}

const signIn = (url: string, password = admin.password, email = admin.email) =>
  fetch(`${url}/v1/identity/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  })

/** Starts nodes in the same moment. What became of each: the running ones are to be stopped. */
async function startAtOnce(nodes: Record<string, string>[]) {
  const started = await Promise.allSettled(
    nodes.map((more, i) => startNeptune({ DATABASE_URL, DATA_DIR: withStore(String(i)), ...more })),
  )
  const running = started.flatMap((node) => (node.status === 'fulfilled' ? [node.value] : []))
  const refusals = started.flatMap((node) => (node.status === 'rejected' ? [String(node.reason)] : []))
  const stop = async () => void (await Promise.all(running.map((node) => node[Symbol.asyncDispose]())))
  return { running, refusals, [Symbol.asyncDispose]: stop }
}

describe('nodes that start at once on an empty database', () => {
  it('all come up: every migration ran once, there is one admin, and one of them said how to sign in', async () => {
    await using nodes = await startAtOnce(Array.from({ length: 2 }, () => ({ SECRET_KEY: keys[0] })))
    expect(nodes.refusals).toEqual([])
    const said = nodes.running.flatMap((node) => /Password\s+(\S+)\s+\(shown once/.exec(node.output())?.[1] ?? [])
    expect(said).toHaveLength(1)
    for (const { url } of nodes.running) expect((await signIn(url, said[0], 'admin@neptune.local')).status).toBe(200)
    const [rows] = await query<Record<string, string>>(
      DATABASE_URL,
      `select (select count(*) from kysely_migration) as migrations, (select max(left(name, 4)) from kysely_migration) as last,
        (select count(*) from "user") as users, (select count(*) from company) as companies,
        (select count(*) from installation where name in ('key_check', 'first_run')) as facts,
        (select count(*) from audit where action = 'user.created') as told`,
    )
    expect(rows).toMatchObject({ users: '1', companies: '1', facts: '2', told: '1' })
    expect(Number(rows?.['migrations'])).toBe(Number(rows?.['last']))
  })

  it('with a key each: one comes up, and the other one says what to do', async () => {
    await using nodes = await startAtOnce(keys.map((SECRET_KEY) => ({ ...settings, SECRET_KEY })))
    expect(nodes.running).toHaveLength(1)
    expect(nodes.refusals).toEqual([expect.stringContaining(`SECRET_KEY ${isAKey} Restore the right one. ${whatToDo}`)])
    expect((await signIn(nodes.running[0]?.url ?? '')).status).toBe(200)
  })

  it('without a key: one makes it, and the other one says what to do and keeps none', async () => {
    await using nodes = await startAtOnce([settings, settings])
    expect(nodes.running).toHaveLength(1)
    expect(nodes.refusals).toEqual([expect.stringContaining(whatToDo)])
    expect(['0', '1'].map((node) => existsSync(join(folderOf(node), 'secret.key'))).toSorted()).toEqual([false, true])
  })
})

it('a second node is refused with another key or none, in one line, and comes up with that of the first', async () => {
  await using _ = await startNeptune({ ...settings, DATABASE_URL, DATA_DIR: withStore('first') })
  const DATA_DIR = folderOf('second')
  for (const [more, sentence] of [
    [{}, 'The secret key of this database is missing.'],
    [{ SECRET_KEY: keys[0] }, `SECRET_KEY ${isAKey}`],
  ] as const) {
    const { code, lines } = await failToStart({ ...settings, DATABASE_URL, DATA_DIR, ...more })
    expect(code).toBe(1)
    expect(lines).toEqual([expect.stringContaining(sentence)])
    expect(lines[0]).toContain(whatToDo)
    expect(existsSync(DATA_DIR)).toBe(false)
  }
  copyFileSync(join(folderOf('first'), 'secret.key'), join(withStore('second'), 'secret.key'))
  await using second = await startNeptune({ ...settings, DATABASE_URL, DATA_DIR })
  expect((await signIn(second.url)).status).toBe(200)
})

it('goes on by itself when PostgreSQL was restarted', async () => {
  await using neptune = await startNeptune({ ...settings, DATABASE_URL })
  const headers = { authorization: `Bearer ${(await (await signIn(neptune.url)).json()).token}` }
  const ask = () => fetch(`${neptune.url}/v1/stats`, { headers })
  await Promise.all(Array.from({ length: 20 }, ask)) // so that there are connections to be cut
  const during: Response[] = []
  let isBack = false
  const asking = (async () => {
    while (!isBack) during.push(await ask())
  })()
  await postgres.restart()
  isBack = true
  await asking
  await expect.poll(async () => (await ask()).status, { timeout: 10_000 }).toBe(200)
  expect((await signIn(neptune.url)).status).toBe(200)
  const refused = during.filter(({ status }) => status !== 200)
  expect(refused.length).toBeGreaterThan(0)
  for (const reply of refused) {
    expect(reply.status).toBe(503)
    expect(reply.headers.get('retry-after')).toBe('5')
    expect(await reply.json()).toMatchObject({ code: 'server.unavailable' })
  }
})

it('has no more connections than DATABASE_POOL, under its own name, and refuses who would wait too long', async () => {
  // What the address says goes before our own limits.
  const url = `${DATABASE_URL}?lock_timeout=500`
  await using neptune = await startNeptune({ ...settings, DATABASE_URL: url, DATABASE_POOL: '5' })
  const headers = { authorization: `Bearer ${(await (await signIn(neptune.url)).json()).token}` }
  const connections = () =>
    query<{ pid: number }>(
      DATABASE_URL,
      `select pid from pg_stat_activity where datname = current_database() and application_name = 'neptune'`,
    )
  // Somebody else works on the table, as a migration by hand would.
  const replies = await withLock('directory', async () => {
    const waiting = Array.from({ length: 10 }, () => fetch(`${neptune.url}/v1/stats`, { headers }))
    const first = await Promise.race(waiting)
    expect(first.status).toBe(503)
    expect(await connections()).toHaveLength(5)
    return Promise.all(waiting)
  })
  for (const reply of replies) expect(`${reply.status} ${reply.headers.get('retry-after')}`).toBe('503 5')
  expect((await fetch(`${neptune.url}/v1/stats`, { headers })).status).toBe(200)
})

/** Nobody else reads or writes the table meanwhile. */
async function withLock<T>(table: string, work: () => Promise<T>): Promise<T> {
  const client = new Client(DATABASE_URL)
  await client.connect()
  try {
    await client.query(`begin; lock table ${table}`)
    return await work()
  } finally {
    await client.end()
  }
}
