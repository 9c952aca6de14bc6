import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { runCommand } from '../support/run-command.ts'
import { makeServerClock } from '../support/server-clock.ts'
import { login, rowsOf, signIn, startSignedIn } from '../support/signed-in.ts'
import { admin } from '../support/start-neptune.ts'

const day = 24 * 60 * 60_000

/** A Neptune whose clock can be set. */
async function startWithClock() {
  const clock = makeServerClock()
  const set = (days: number) => clock.setAhead(days * day)
  const neptune = await startSignedIn({ ...clock.settings, SESSION_IDLE_MINUTES: '60' })
  const isSignedIn = async (headers: Record<string, string>) =>
    (await fetch(`${neptune.url}/v1/identity`, { headers })).status === 200
  const isVisiting = async (token: string) =>
    (await fetch(`${neptune.url}/v1/access`, { headers: { authorization: `Bearer ${token}` } })).status === 200
  const verify = async ({ key, code }: { key: string; code: string }) => {
    const reply = await fetch(`${neptune.url}/v1/link/verify`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ accessKey: key, accessCode: code }),
    })
    return { status: reply.status, ...(await reply.json()).data } as {
      status: number
      validation?: boolean
      expired?: boolean
      token?: string
    }
  }
  const reserve = async (body: object) =>
    (await (await neptune.send('POST', '/v1/link/initialise', body)).json()).data as { key: string; accessCode: string }
  /** A link that lives so many days from the true now. */
  const share = async (days: number) => {
    const reserved = await reserve({ company: neptune.company, directory: neptune.directory })
    const expiry = new Date(Date.now() + days * day).toISOString()
    const body = { linkType: 'LINK_DIRECTORY', directory: neptune.directory, ...reserved, expiry }
    expect((await neptune.send('POST', '/v1/link', body)).status).toBe(200)
    return { key: reserved.key, code: reserved.accessCode }
  }
  return {
    ...neptune,
    set,
    isSignedIn,
    isVisiting,
    verify,
    reserve,
    share,
    async [Symbol.asyncDispose]() {
      await neptune[Symbol.asyncDispose]()
      clock[Symbol.dispose]()
    },
  }
}

const wrong = { ...admin, password: 'not the one they chose' }

describe.concurrent('F16: a clock that jumps', () => {
  it('two days ahead ends what is over by then; set back, it brings nothing back to life that was ended meanwhile', async () => {
    await using neptune = await startWithClock()
    const [short, long, deleted, reset] = [
      await neptune.share(1),
      await neptune.share(30),
      await neptune.share(30),
      await neptune.share(30),
    ]
    const { token: visit = '' } = await neptune.verify(long)
    expect(await neptune.isVisiting(visit)).toBe(true)

    neptune.set(2)
    expect(await neptune.verify(short)).toMatchObject({ expired: true, token: null })
    expect(await neptune.isVisiting(visit)).toBe(false)
    expect(await neptune.isSignedIn(neptune.headers)).toBe(false)
    expect((await neptune.verify(long)).token).toMatch(/^npl_/)
    const later = await signIn(neptune)
    const out = await signIn(neptune)
    expect((await out.send('DELETE', '/v1/identity')).status).toBe(204)
    expect((await later.send('DELETE', `/v1/link/${deleted.key}`)).status).toBe(204)
    const fresh = (await (await later.send('POST', '/v1/link/initialise', { type: 'RESET', accessKey: reset.key })).json()).data
    expect((await later.send('PATCH', '/v1/link/reset', { accessKey: reset.key, accessCode: fresh.accessCode })).status).toBe(200)
    // What is over is thrown away once a minute.
    await expect.poll(() => rowsOf(neptune, 'select * from session').length, { timeout: 90_000 }).toBe(1)

    for (const days of [0, -2]) {
      neptune.set(days)
      expect(await neptune.verify(deleted), 'deleted').toMatchObject({ validation: false, token: null })
      expect(await neptune.verify(reset), 'reset').toMatchObject({ validation: false, token: null })
      expect((await neptune.verify({ ...reset, code: fresh.accessCode })).token).toMatch(/^npl_/)
      expect(await neptune.isVisiting(visit)).toBe(false)
      expect(await neptune.isSignedIn(neptune.headers)).toBe(false)
      expect(await neptune.isSignedIn(out.headers)).toBe(false)
      expect((await (await signIn(neptune)).put(`at ${days}.bin`)).status).toBe(200)
    }

    // What happened is told in the order in which it happened, whatever the clock said.
    const reply = await (await signIn(neptune)).get('/v1/activity?limit=200')
    const told = ((await reply.json()).data as { id: number; at: string; action: string; name: string }[]).toReversed()
    expect(told.map(({ id }) => id)).toEqual(told.map((_, i) => (told[0]?.id ?? 0) + i))
    expect(told.filter(({ action }) => action === 'file.uploaded').map(({ name }) => name)).toEqual(['at 0.bin', 'at -2.bin'])
    expect(told.map(({ at }) => at)).not.toEqual(told.map(({ at }) => at).toSorted())
    expect(await runCommand(['audit', 'verify'], { DATA_DIR: join(neptune.folder, 'data') })).toMatchObject({ code: 0, err: '' })
  })

  it('and is set back shuts nobody out for as long as it was wrong', async () => {
    await using neptune = await startWithClock()
    const [link, other] = [await neptune.share(30), await neptune.share(30)]
    neptune.set(2)
    for (let i = 0; i < 10; i++) expect((await login(neptune.url, wrong)).status).toBe(401)
    expect((await login(neptune.url)).status).toBe(429)
    for (let i = 0; i < 10; i++) expect((await neptune.verify({ ...link, code: other.code })).validation).toBe(false)
    for (let i = 0; i < 2; i++) expect((await neptune.verify(link)).status).toBe(429)

    neptune.set(0)
    expect((await login(neptune.url)).status).toBe(200)
    expect((await neptune.verify(link)).token).toMatch(/^npl_/)
    // And tries are counted as ever.
    for (let i = 0; i < 10; i++) expect((await login(neptune.url, wrong)).status).toBe(401)
    expect((await login(neptune.url)).status).toBe(429)
    for (let i = 0; i < 10; i++) expect((await neptune.verify({ ...link, code: other.code })).validation).toBe(false)
    expect((await neptune.verify(link)).status).toBe(429)
  })
})
