import { adminsOnly, type Row, same } from './access-matrix-row.ts'

const credential = { id: 'AA', rawId: 'AA', type: 'public-key' }

/** The rows for people's own sign-in methods. Even admins can't see those of others. */
export const signInRows: Record<string, Row> = {
  'GET /v1/identity/passkey': { user: same(200), admin: same(200) },
  'POST /v1/identity/passkey/registration': { user: same(200), admin: same(200) },
  'POST /v1/identity/passkey': {
    body: () => ({ name: 'Phone', response: { ...credential, response: { clientDataJSON: 'AA', attestationObject: 'AA' } } }),
    user: same(400),
    admin: same(400),
  },
  'PATCH /v1/identity/passkey/{id}': {
    params: (server, side) => ({ id: server.passkeyId[side] }),
    body: () => ({ name: 'Another name' }),
    user: same(404),
    admin: same(404),
  },
  'DELETE /v1/identity/passkey/{id}': {
    params: (server, side) => ({ id: server.passkeyId[side] }),
    user: same(404),
    admin: same(404),
  },
  'POST /v1/identity/passkey/confirm/options': { user: same(404), admin: same(404) },
  'POST /v1/identity/passkey/confirm': {
    body: () => ({
      response: { ...credential, response: { clientDataJSON: 'AA', authenticatorData: 'AA', signature: 'AA' } },
    }),
    user: same(401),
    admin: same(401),
  },
  'GET /v1/admin/passkey': adminsOnly,
}
