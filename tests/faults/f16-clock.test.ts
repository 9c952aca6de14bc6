import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { runCommand } from '../support/run-command.ts'
import { makeServerClock } from '../support/server-clock.ts'
import { admin } from '../support/start-neptune.ts'
import { postLogin, queryRows, signInAdmin, startSignedIn } from '../support/start-signed-in.ts'

const dayMs = 24 * 60 * 60_000

/** Starts a server whose clock can be set. */
async function startWithClock() {
  const clock = makeServerClock()
  const setDaysAhead = (days: number) => clock.setAhead(days * dayMs)
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
  /** Creates a link that expires this number of days after the real current time. */
  const share = async (days: number) => {
    const reserved = await reserve({ company: neptune.company, directory: neptune.directory })
    const expiry = new Date(Date.now() + days * dayMs).toISOString()
    const body = { linkType: 'LINK_DIRECTORY', directory: neptune.directory, ...reserved, expiry }
    expect((await neptune.send('POST', '/v1/link', body)).status).toBe(200)
    return { key: reserved.key, code: reserved.accessCode }
  }
  return {
    ...neptune,
    setDaysAhead,
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

const wrongCredentials = { ...admin, password: 'not the one they chose' }

describe.concurrent('F16: when the clock jumps', () => {
  it('two days ahead, links and sessions expire, and setting the clock back revives nothing that was ended', async () => {
    await using neptune = await startWithClock()
    const [short, long, deleted, reset] = [
      await neptune.share(1),
      await neptune.share(30),
      await neptune.share(30),
      await neptune.share(30),
    ]
    const { token: visit = '' } = await neptune.verify(long)
    expect(await neptune.isVisiting(visit)).toBe(true)

    neptune.setDaysAhead(2)
    expect(await neptune.verify(short)).toMatchObject({ expired: true, token: null })
    expect(await neptune.isVisiting(visit)).toBe(false)
    expect(await neptune.isSignedIn(neptune.headers)).toBe(false)
    expect((await neptune.verify(long)).token).toMatch(/^npl_/)
    const later = await signInAdmin(neptune)
    const signedOut = await signInAdmin(neptune)
    expect((await signedOut.send('DELETE', '/v1/identity')).status).toBe(204)
    expect((await later.send('DELETE', `/v1/link/${deleted.key}`)).status).toBe(204)
    const newCode = (await (await later.send('POST', '/v1/link/initialise', { type: 'RESET', accessKey: reset.key })).json()).data
    expect((await later.send('PATCH', '/v1/link/reset', { accessKey: reset.key, accessCode: newCode.accessCode })).status).toBe(
      200,
    )
    // Expired sessions are deleted once a minute.
    await expect.poll(() => queryRows(neptune, 'select * from session').length, { timeout: 90_000 }).toBe(1)

    for (const days of [0, -2]) {
      neptune.setDaysAhead(days)
      expect(await neptune.verify(deleted), 'deleted').toMatchObject({ validation: false, token: null })
      expect(await neptune.verify(reset), 'reset').toMatchObject({ validation: false, token: null })
      expect((await neptune.verify({ ...reset, code: newCode.accessCode })).token).toMatch(/^npl_/)
      expect(await neptune.isVisiting(visit)).toBe(false)
      expect(await neptune.isSignedIn(neptune.headers)).toBe(false)
      expect(await neptune.isSignedIn(signedOut.headers)).toBe(false)
      expect((await (await signInAdmin(neptune)).put(`at ${days}.bin`)).status).toBe(200)
    }

    // The audit log is in the order of the events, whatever the clock said.
    const reply = await (await signInAdmin(neptune)).get('/v1/activity?limit=200')
    const entries = ((await reply.json()).data as { id: number; at: string; action: string; name: string }[]).toReversed()
    expect(entries.map(({ id }) => id)).toEqual(entries.map((_, i) => (entries[0]?.id ?? 0) + i))
    expect(entries.filter(({ action }) => action === 'file.uploaded').map(({ name }) => name)).toEqual(['at 0.bin', 'at -2.bin'])
    expect(entries.map(({ at }) => at)).not.toEqual(entries.map(({ at }) => at).toSorted())
    expect(await runCommand(['audit', 'verify'], { DATA_DIR: join(neptune.folder, 'data') })).toMatchObject({ code: 0, err: '' })
  })

  it('ahead and back, the server locks nobody out for the time the clock was wrong', async () => {
    await using neptune = await startWithClock()
    const [link, other] = [await neptune.share(30), await neptune.share(30)]
    neptune.setDaysAhead(2)
    for (let i = 0; i < 10; i++) expect((await postLogin(neptune.url, wrongCredentials)).status).toBe(401)
    expect((await postLogin(neptune.url)).status).toBe(429)
    for (let i = 0; i < 10; i++) expect((await neptune.verify({ ...link, code: other.code })).validation).toBe(false)
    for (let i = 0; i < 2; i++) expect((await neptune.verify(link)).status).toBe(429)

    neptune.setDaysAhead(0)
    expect((await postLogin(neptune.url)).status).toBe(200)
    expect((await neptune.verify(link)).token).toMatch(/^npl_/)
    // Attempts are still counted.
    for (let i = 0; i < 10; i++) expect((await postLogin(neptune.url, wrongCredentials)).status).toBe(401)
    expect((await postLogin(neptune.url)).status).toBe(429)
    for (let i = 0; i < 10; i++) expect((await neptune.verify({ ...link, code: other.code })).validation).toBe(false)
    expect((await neptune.verify(link)).status).toBe(429)
  })
})
