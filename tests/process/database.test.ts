import { Client } from 'pg'
import { expect, it } from 'vitest'
import { startPostgres } from '../support/services/start-postgres.ts'
import { admin, startNeptune } from '../support/start-neptune.ts'

const settings = { ADMIN_EMAIL: admin.email, ADMIN_PASSWORD: admin.password }

const signIn = (url: string) =>
  fetch(`${url}/v1/identity/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(admin),
  })

it('returns 503 when PostgreSQL is gone, and stays alive', async () => {
  const postgres = await startPostgres()
  await using neptune = await startNeptune({ ...settings, DATABASE_URL: postgres.url })
  expect((await signIn(neptune.url)).status).toBe(200)
  await postgres.stop()
  for (let i = 0; i < 3; i++) {
    const reply = await signIn(neptune.url)
    expect(reply.status).toBe(503)
    expect(reply.headers.get('retry-after')).toBe('5')
    expect(await reply.json()).toMatchObject({ code: 'server.unavailable' })
  }
  expect((await fetch(`${neptune.url}/readyz`)).status).toBe(503)
  expect((await fetch(`${neptune.url}/healthz`)).status).toBe(200)
})

it('survives connections that PostgreSQL closes in the middle of a request', async () => {
  const postgres = await startPostgres()
  await using neptune = await startNeptune({ ...settings, DATABASE_URL: postgres.url })
  const client = new Client(postgres.url)
  await client.connect()
  const closeConnections = () =>
    client.query('select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and datname is not null')
  const statuses = new Set<number>()
  for (let round = 0; round < 20; round++) {
    const replies = Array.from({ length: 10 }, () =>
      // Uses a new connection, because Neptune may be closing an idle one.
      fetch(`${neptune.url}/v1/identity`, { headers: { connection: 'close', authorization: `Bearer nps_${'A'.repeat(43)}` } }),
    )
    await closeConnections()
    for (const reply of await Promise.all(replies)) statuses.add(reply.status)
  }
  await client.end()
  expect([...statuses].filter((status) => ![401, 503].includes(status))).toEqual([])
  // The pool may still have a connection that was just closed; a request that gets it is rejected with 503.
  await expect.poll(async () => (await signIn(neptune.url)).status).toBe(200)
  await postgres.stop()
})
