/** Invites a user through the API. Returns the token of their link. */
export async function inviteUser(server: { company: string; post: (path: string, body: object) => Promise<Response> }) {
  const user = { name: 'Ada Lovelace', email: 'ada@acme.example', company: server.company, role: 'NEPTUNE_USER', invite: true }
  const { link } = await (await server.post('/v1/admin/user', user)).json()
  return String(link.url).split('/').at(-1) ?? ''
}

/** Accepts an invitation. Returns the status of the response. */
export async function acceptInvitation(server: { post: (path: string, body: object) => Promise<Response> }, token: string) {
  return (await server.post('/v1/identity/invitation', { token, password: 'analytical engine no 1' })).status
}
