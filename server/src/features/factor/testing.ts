import { spawnSync } from 'node:child_process'
import { password, startTestServer, toBearerHeader } from '../../testing.ts'

export const email = 'kim@acme.example'

/** Starts a test server with a user who is signed in. */
export async function startWithKim(role: 'NEPTUNE_USER' | 'NEPTUNE_ADMIN' = 'NEPTUNE_USER') {
  const server = await startTestServer()
  const userId = await server.addUser({ email, role })
  const headers = await server.startSessionAs(email)
  const post = (url: string, payload: object = {}, more: Record<string, string> = headers) =>
    server.app.inject({ method: 'POST', url, headers: more, payload })
  return {
    ...server,
    userId,
    headers,
    post,
    get: (url: string, more = headers) => server.app.inject({ url, headers: more }),
    remove: (url: string, more = headers) => server.app.inject({ method: 'DELETE', url, headers: more }),
    /** Sets up an authenticator app. Advances the clock, so that its next code is a new one. */
    async setUpTotp(more = headers) {
      const { secret } = (await post('/v1/identity/totp', {}, more)).json().data
      const authenticatorApp = createAuthenticatorApp(secret, () => server.clock.now)
      const reply = await post('/v1/identity/totp/confirm', { code: authenticatorApp.read() }, more)
      server.advance(30_000)
      return { secret, ...authenticatorApp, codes: reply.json().data.recovery_codes as string[] }
    },
    /** Signs in with the password. Returns the reply, and the challenge if a second factor is needed. */
    async enterPassword(cookie = '') {
      const reply = await server.signIn(email, password, { headers: { cookie } })
      return { reply, challenge: reply.json().second_factor?.challenge as string }
    },
    /** Enters a code for a challenge. */
    enterCode: (challenge: string, code: string, body: object = {}) =>
      post('/v1/identity/second-factor', { challenge, code, ...body }, {}),
  }
}

/** Creates an authenticator app that computes its codes with oathtool. */
export function createAuthenticatorApp(secret: string, now: () => Date) {
  return {
    /** Returns the code that the app shows after this many seconds. */
    read(seconds = 0): string {
      const time = new Date(now().getTime() + seconds * 1000).toISOString().replace('T', ' ').slice(0, 19)
      const { status, stdout, stderr } = spawnSync('oathtool', ['--totp', '--base32', '--now', `${time} UTC`, secret], {
        encoding: 'utf8',
      })
      if (status !== 0) throw new Error(`oathtool is needed for this test: apt install oathtool. ${stderr ?? ''}`)
      return stdout.trim()
    },
  }
}

/** Returns all cookies that a reply sets, as a Cookie header. */
export const cookiesOf = ({ headers }: { headers: Record<string, unknown> }) =>
  [headers['set-cookie']]
    .flat()
    .map((cookie) => String(cookie).split(';')[0])
    .join('; ')

export { toBearerHeader }
