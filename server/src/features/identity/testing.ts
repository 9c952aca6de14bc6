import { startTestServer, toBearerHeader } from '../../testing.ts'

export const email = 'kim@acme.example'

/** Starts a test server with an admin who is signed in. */
export async function startSignedIn(options: { remember?: boolean } = {}, environment?: Record<string, string>) {
  const server = await startTestServer(environment)
  const userId = await server.addUser({ email, role: 'NEPTUNE_ADMIN' })
  const reply = await server.signIn(email, undefined, options)
  const token: string = reply.json().token
  const getStatus = async (bearerToken = token) =>
    (await server.app.inject({ url: '/v1/identity', headers: toBearerHeader(bearerToken) })).statusCode
  return {
    ...server,
    userId,
    token,
    setCookie: String([reply.headers['set-cookie']].flat()[0]),
    cookie: cookieOf(reply),
    getStatus,
  }
}

export const cookieOf = (reply: { headers: Record<string, unknown> }) => String(reply.headers['set-cookie']).split(';')[0] ?? ''
