import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { query, startPostgres } from '../support/services/start-postgres.ts'
import { admin, startNeptune, tryToStart } from '../support/start-neptune.ts'

const settings = { ADMIN_EMAIL: admin.email, ADMIN_PASSWORD: admin.password }
const keys = ['tq0VnM2bX8sLr4yKcP7wZdE1uHfJ6gA9', 'w3kPz8RfVb5nQx7cLt2mYh9sJd4gUa6e'] as const
const wrongKeyMessage = 'is not the secret key of this database.'
const keyHint =
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

/** Returns the data folder of a node, as if on its own machine. */
const getDataFolder = (node: string) => join(scratch, String(count), node, 'data')

/** Creates a data folder with a fixed store id. Nodes must share their file storage; without files, the same id is enough. */
function createDataFolder(node: string): string {
  mkdirSync(getDataFolder(node), { recursive: true, mode: 0o700 })
  writeFileSync(join(getDataFolder(node), 'store.id'), 'AAAAAAAAAAAAAAAAAAAAAA\n')
  return getDataFolder(node)
}

const signIn = (url: string, password = admin.password, email = admin.email) =>
  fetch(`${url}/v1/identity/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  })

/** Starts nodes at the same moment. Returns the running ones, and the error messages of the others. */
async function startAtOnce(nodes: Record<string, string>[]) {
  const started = await Promise.allSettled(
    nodes.map((more, i) => startNeptune({ DATABASE_URL, DATA_DIR: createDataFolder(String(i)), ...more })),
  )
  const running = started.flatMap((node) => (node.status === 'fulfilled' ? [node.value] : []))
  const errors = started.flatMap((node) => (node.status === 'rejected' ? [String(node.reason)] : []))
  const stop = async () => void (await Promise.all(running.map((node) => node[Symbol.asyncDispose]())))
  return { running, errors, [Symbol.asyncDispose]: stop }
}

describe('nodes that start at once on an empty database', () => {
  it('all start: every migration runs once, there is one admin, and one node prints how to sign in', async () => {
    await using nodes = await startAtOnce(Array.from({ length: 2 }, () => ({ SECRET_KEY: keys[0] })))
    expect(nodes.errors).toEqual([])
    const passwords = nodes.running.flatMap((node) => /Password\s+(\S+)\s+\(shown once/.exec(node.output())?.[1] ?? [])
    expect(passwords).toHaveLength(1)
    for (const { url } of nodes.running) expect((await signIn(url, passwords[0], 'admin@neptune.local')).status).toBe(200)
    const [rows] = await query<Record<string, string>>(
      DATABASE_URL,
      `select (select count(*) from kysely_migration) as migrations, (select max(left(name, 4)) from kysely_migration) as last,
        (select count(*) from "user") as users, (select count(*) from company) as companies,
        (select count(*) from installation where name in ('key_check', 'first_run')) as facts,
        (select count(*) from audit where action = 'user.created') as entries`,
    )
    expect(rows).toMatchObject({ users: '1', companies: '1', facts: '2', entries: '1' })
    expect(Number(rows?.['migrations'])).toBe(Number(rows?.['last']))
  })

  it('with different keys: one starts, and the other explains what to do', async () => {
    await using nodes = await startAtOnce(keys.map((SECRET_KEY) => ({ ...settings, SECRET_KEY })))
    expect(nodes.running).toHaveLength(1)
    expect(nodes.errors).toEqual([expect.stringContaining(`SECRET_KEY ${wrongKeyMessage} Restore the right one. ${keyHint}`)])
    expect((await signIn(nodes.running[0]?.url ?? '')).status).toBe(200)
  })

  it('without a key: one creates it, and the other explains what to do and stores none', async () => {
    await using nodes = await startAtOnce([settings, settings])
    expect(nodes.running).toHaveLength(1)
    expect(nodes.errors).toEqual([expect.stringContaining(keyHint)])
    expect(['0', '1'].map((node) => existsSync(join(getDataFolder(node), 'secret.key'))).toSorted()).toEqual([false, true])
  })
})

it('rejects a second node with a different key or none in one line, and accepts it with the key of the first', async () => {
  await using _ = await startNeptune({ ...settings, DATABASE_URL, DATA_DIR: createDataFolder('first') })
  const DATA_DIR = getDataFolder('second')
  for (const [more, sentence] of [
    [{}, 'The secret key of this database is missing.'],
    [{ SECRET_KEY: keys[0] }, `SECRET_KEY ${wrongKeyMessage}`],
  ] as const) {
    const { code, lines } = await tryToStart({ ...settings, DATABASE_URL, DATA_DIR, ...more })
    expect(code).toBe(1)
    expect(lines).toEqual([expect.stringContaining(sentence)])
    expect(lines[0]).toContain(keyHint)
    expect(existsSync(DATA_DIR)).toBe(false)
  }
  copyFileSync(join(getDataFolder('first'), 'secret.key'), join(createDataFolder('second'), 'secret.key'))
  await using second = await startNeptune({ ...settings, DATABASE_URL, DATA_DIR })
  expect((await signIn(second.url)).status).toBe(200)
})

it('recovers by itself after PostgreSQL restarts', async () => {
  await using neptune = await startNeptune({ ...settings, DATABASE_URL })
  const headers = { authorization: `Bearer ${(await (await signIn(neptune.url)).json()).token}` }
  const getStats = () => fetch(`${neptune.url}/v1/stats`, { headers })
  await Promise.all(Array.from({ length: 20 }, getStats)) // opens connections that the restart closes
  const during: Response[] = []
  let isBack = false
  const polling = (async () => {
    while (!isBack) during.push(await getStats())
  })()
  await postgres.restart()
  isBack = true
  await polling
  await expect.poll(async () => (await getStats()).status, { timeout: 10_000 }).toBe(200)
  expect((await signIn(neptune.url)).status).toBe(200)
  const rejected = during.filter(({ status }) => status !== 200)
  expect(rejected.length).toBeGreaterThan(0)
  for (const reply of rejected) {
    expect(reply.status).toBe(503)
    expect(reply.headers.get('retry-after')).toBe('5')
    expect(await reply.json()).toMatchObject({ code: 'server.unavailable' })
  }
})

it('opens at most DATABASE_POOL connections, under its own name, and rejects requests that would wait too long', async () => {
  // Parameters in the URL override our own limits.
  const url = `${DATABASE_URL}?lock_timeout=500`
  await using neptune = await startNeptune({ ...settings, DATABASE_URL: url, DATABASE_POOL: '5' })
  const headers = { authorization: `Bearer ${(await (await signIn(neptune.url)).json()).token}` }
  const listConnections = () =>
    query<{ pid: number }>(
      DATABASE_URL,
      `select pid from pg_stat_activity where datname = current_database() and application_name = 'neptune'`,
    )
  // Another client locks the table, as a manual migration would.
  const replies = await withLock('directory', async () => {
    const waiting = Array.from({ length: 10 }, () => fetch(`${neptune.url}/v1/directory`, { headers }))
    const first = await Promise.race(waiting)
    expect(first.status).toBe(503)
    expect(await listConnections()).toHaveLength(5)
    return Promise.all(waiting)
  })
  for (const reply of replies) expect(`${reply.status} ${reply.headers.get('retry-after')}`).toBe('503 5')
  expect((await fetch(`${neptune.url}/v1/directory`, { headers })).status).toBe(200)
})

/** Runs `work` while the table is locked exclusively. */
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
