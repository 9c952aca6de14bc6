import { startTestServer } from '../../testing.ts'

export const invitedEmail = 'ada@acme.example'
export const chosenPassword = 'analytical engine no 1'
export const dayMs = 24 * 60 * 60_000

/** Starts a server with an admin, and returns helpers that invite Ada and use her invitation. */
export async function startWithInvitations() {
  const server = await startTestServer({ PUBLIC_URL: 'https://files.acme.example' })
  const adminId = await server.addUser({ email: 'admin@acme.example', role: 'NEPTUNE_ADMIN' })
  const admin = await server.startSessionAs('admin@acme.example')
  const { company_id } = await server.deps.db
    .selectFrom('user')
    .select('company_id')
    .where('id', '=', adminId)
    .executeTakeFirstOrThrow()
  const send = (
    method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
    url: string,
    payload?: object,
    headers: Record<string, string> = admin,
  ) => server.app.inject({ method, url, headers, ...(payload && { payload }) })
  const invite = (more: object = {}) =>
    send('POST', '/v1/admin/user', {
      ...{ name: 'Ada Lovelace', email: invitedEmail, company: company_id, role: 'NEPTUNE_USER', invite: true },
      ...more,
    })
  return {
    ...server,
    admin,
    companyId: company_id,
    send,
    invite,
    /** Invites Ada and returns her id and the token of her link. */
    async inviteAda(more: object = {}) {
      const { data, link } = (await invite(more)).json()
      return { id: data.id as string, token: findInviteToken(link.url) }
    },
    check: (token: string) => send('POST', '/v1/identity/invitation/check', { token }, {}),
    accept: (token: string, password = chosenPassword) => send('POST', '/v1/identity/invitation', { token, password }, {}),
    resend: (id: string) => send('POST', `/v1/admin/user/${id}/invitation`),
    revoke: (id: string) => send('DELETE', `/v1/admin/user/${id}/invitation`),
    listActions: async () =>
      (await server.deps.db.selectFrom('audit').select(['action', 'name']).orderBy('seq').execute())
        .filter(({ action }) => action.startsWith('user.'))
        .map(({ action, name }) => `${action} ${name}`),
  }
}

/** Returns the token in the text of an email, or in a link. */
export const findInviteToken = (text = '') => /https:\/\/files\.acme\.example\/invitation\/([\w-]{44})$/m.exec(text)?.[1] ?? ''
