import { api, type Endpoint } from '@neptune/contract'
import { describe, expect, it } from 'vitest'
import { writeQueuedEntries } from '../../features/audit/audit.service.ts'
import { withoutRequestId } from '../../testing.ts'
import { matrix } from './access-matrix-rows.ts'
import { openWorld, shareServer, type World } from './testing.ts'

const guarded = Object.values(api)
  .flatMap((group) => Object.values<Endpoint>(group))
  .filter((endpoint) => endpoint.access !== 'public')
const nameOf = ({ method, path }: Endpoint) => `${method} ${path}`

/** Endpoints that write no audit entry: they only prepare a change that is audited later, or there is nothing to change here. */
const unaudited = [
  'POST /v1/link/initialise',
  'POST /v1/upload',
  'PATCH /v1/upload/{id}',
  'DELETE /v1/upload/{id}',
  'POST /v1/upload/{id}/part',
  'PUT /v1/upload/{id}/part',
  'POST /v1/file/{id}/ticket',
  'POST /v1/file/clash',
  'POST /v1/link/affected',
  'POST /v1/admin/user/{id}/successor',
  'POST /v1/file/{id}/preview',
  'POST /v1/directory/{id}/ticket',
  'POST /v1/activity/export',
  'POST /v1/identity/passkey/registration',
  'POST /v1/admin/provider/test',
  // The version is already the current one.
  'POST /v1/file/{id}/version/{version}/restore',
  // The file is already in the target.
  'POST /v1/move',
  // Nothing is in the trash here.
  'POST /v1/directory/{id}/restore',
  'POST /v1/file/restore',
  // No company is archived here.
  'POST /v1/admin/company/{id}/restore',
  // There is no logo.
  'DELETE /v1/admin/settings/logo/{theme}',
  'DELETE /v1/admin/company/{id}/logo/{theme}',
]
const isUnaudited = (endpoint: Endpoint) =>
  ['GET', 'HEAD', 'OPTIONS'].includes(endpoint.method) || unaudited.includes(nameOf(endpoint))

async function listActions(server: World): Promise<string[]> {
  await writeQueuedEntries(server.deps)
  const rows = await server.deps.db.selectFrom('audit').select('action').orderBy('seq').execute()
  return rows.map(({ action }) => action)
}

/** Opens a server on which every actor has one session for all tests: the 21st session of a user would end another one. */
const openSignedIn = shareServer(async () => {
  const world = await openWorld()
  const sessions = {
    user: await world.startSessionAs('user@acme.example'),
    'user with both companies': await world.startSessionAs('both@acme.example'),
    'user with a third company': await world.startSessionAs('third@acme.example'),
    'user with all companies': await world.startSessionAs('all@acme.example'),
    admin: await world.startSessionAs('admin@acme.example'),
  }
  await writeQueuedEntries(world.deps)
  return { ...world, sessions }
})

it('has exactly one row per endpoint that is not public', () => {
  expect(Object.keys(matrix).toSorted()).toEqual(guarded.map(nameOf).toSorted())
})

describe.each(guarded.map((endpoint) => [nameOf(endpoint), endpoint] as const))('%s', (name, endpoint) => {
  it.each([
    ['user', 'own'],
    ['user', 'foreign'],
    ['user with both companies', 'foreign'],
    ['user with a third company', 'foreign'],
    ['user with all companies', 'foreign'],
    ['admin', 'own'],
    ['admin', 'foreign'],
  ] as const)('returns the expected status to a %s for records of the %s company', async (actor, side) => {
    const row = matrix[name]
    // With access to another company, a user may do there what they may do in their own.
    const hasAccess = actor === 'user with both companies' || actor === 'user with all companies'
    const expected = row?.[actor === 'admin' ? 'admin' : 'user'][hasAccess ? 'own' : side]
    await using server = await openSignedIn()
    const headers = server.sessions[actor]
    const params = row?.params?.(server, side) ?? {}
    const body = row?.body?.(server, side)
    const send = (values: Record<string, string>) =>
      server.app.inject({
        method: endpoint.method,
        url: endpoint.path.replaceAll(/\{(\w+)\}/g, (_, key: string) => values[key] ?? 'absent'),
        headers: { ...headers, ...row?.headers?.(server, side) },
        ...(body && { payload: body }),
      })
    const before = await listActions(server)
    const reply = await send(params)
    expect(reply.statusCode, reply.body).toBe(expected)
    // A record that the caller may not see gets the same reply as a missing one, apart from the request id.
    if (reply.statusCode === 404) expect(withoutRequestId(reply)).toBe(withoutRequestId(await send({})))
    // Every change and every denied request is audited.
    const actions = (await listActions(server)).slice(before.length)
    if (reply.statusCode === 403) expect(actions).toContain('access.refused')
    if (reply.statusCode < 300 && !isUnaudited(endpoint)) expect(actions.length, 'audit entries').toBeGreaterThan(0)
    if (actor !== 'admin' && !hasAccess) expect(reply.body).not.toContain('globex.example')
  })
})
