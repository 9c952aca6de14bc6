import { expect, it } from 'vitest'
import { password, startTestServer } from '../../testing.ts'
import { cookiesOf } from '../factor/testing.ts'

const email = 'kim@acme.example'
const agent = 'Mozilla/5.0 (X11; Linux x86_64; rv:142.0) Gecko/20100101 Firefox/142.0'

async function startWithKim() {
  const server = await startTestServer()
  await server.addUser({ email })
  const signIn = (cookie = '') => server.signIn(email, password, { headers: { cookie, 'user-agent': agent } })
  return { ...server, signIn }
}

it('notifies users of a sign-in with a new browser by email, except for their first sign-in', async () => {
  await using server = await startWithKim()
  const first = await server.signIn()
  await server.signIn(cookiesOf(first))
  await server.deliver()
  expect(server.sentEmails).toEqual([])
  const second = await server.signIn()
  await server.deliver()
  expect(server.sentEmails).toHaveLength(1)
  expect(server.sentEmails[0]).toMatchObject({ to: email, subject: 'New sign-in to your account at Neptune' })
  expect(server.sentEmails[0]?.text).toContain('Firefox on Linux, 127.0.0.1')
  const headers = { authorization: `Bearer ${second.json().token}` }
  const sessions = (await server.app.inject({ url: '/v1/identity/session', headers })).json().data
  expect(sessions.map((row: { is_new_browser: boolean }) => row.is_new_browser)).toContain(true)
})

it('combines the emails about many sign-ins with new browsers', async () => {
  await using server = await startWithKim()
  for (let i = 0; i < 20; i++) await server.signIn()
  await server.deliver()
  // An address gets five of these emails an hour. The sixth one is about all the other sign-ins.
  expect(server.sentEmails).toHaveLength(5)
  server.advance(60 * 60_000)
  await server.deliver()
  expect(server.sentEmails).toHaveLength(6)
})

it('recognizes the browser when a tab restores a session that is older than browser cookies', async () => {
  await using server = await startWithKim()
  const [auth = ''] = cookiesOf(await server.signIn()).split('; ')
  await server.deps.db.updateTable('session').set({ method: null }).execute()
  const restored = await server.restore(auth)
  const browser = cookiesOf(restored)
    .split('; ')
    .find((cookie) => cookie.startsWith('_browser='))
  expect(browser).toMatch(/^_browser=npb_[\w-]{43}$/)
  await server.signIn(browser)
  await server.deliver()
  expect(server.sentEmails).toEqual([])
})

it('does not recognize a browser that has only a session cookie, which may be stolen', async () => {
  await using server = await startWithKim()
  const [auth = ''] = cookiesOf(await server.signIn()).split('; ')
  const stolen = await server.restore(auth)
  expect(stolen.statusCode).toBe(200)
  expect(cookiesOf(stolen)).not.toContain('_browser')
  await server.signIn(cookiesOf(stolen))
  await server.deliver()
  expect(server.sentEmails).toHaveLength(1)
})

it('replaces a malformed browser cookie', async () => {
  await using server = await startWithKim()
  const reply = await server.signIn('_browser=guess')
  expect(cookiesOf(reply)).toMatch(/_browser=npb_[\w-]{43}/)
})

it('replaces a browser cookie that Neptune has not issued, and keeps one that it has', async () => {
  await using server = await startWithKim()
  const planted = `_browser=npb_${'A'.repeat(43)}`
  const reply = await server.signIn(planted)
  expect(cookiesOf(reply)).toMatch(/_browser=npb_[\w-]{43}/)
  expect(cookiesOf(reply)).not.toContain(planted)
  expect(cookiesOf(await server.signIn(cookiesOf(reply)))).not.toContain('_browser')
})
