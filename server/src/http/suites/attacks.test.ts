import { api, type Endpoint } from '@neptune/contract'
import { describe, expect, it } from 'vitest'
import { toJSONSchema } from 'zod'
import { startTestServer, toBearerHeader } from '../../testing.ts'
import { shareServer } from './testing.ts'

/** Attacks on every endpoint of the contract, so that a new endpoint is covered at once. */
const endpoints = Object.values(api).flatMap((group) =>
  Object.values<Endpoint>(group).map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const),
)

interface JsonSchema {
  type?: string
  enum?: string[]
  properties?: Record<string, JsonSchema>
  items?: JsonSchema
  anyOf?: JsonSchema[]
}

const openServerWithUsers = shareServer(async () => {
  const server = await startTestServer()
  await server.addUser({ email: 'admin@acme.example', role: 'NEPTUNE_ADMIN' })
  await server.addUser({ email: 'user@acme.example' })
  const tables = async () => {
    const { db } = server.deps
    const users = await db.selectFrom('user').select(['email', 'role', 'password_hash']).orderBy('email').execute()
    return { users, companies: (await db.selectFrom('company').select('id').execute()).length }
  }
  return { ...server, tables }
})

/** Returns the headers of a recipient who may upload to a directory. */
async function signInAsRecipient(server: Awaited<ReturnType<typeof openServerWithUsers>>) {
  const headers = await server.startSessionAs('admin@acme.example')
  const data = async (method: 'GET' | 'POST', url: string, payload?: object) =>
    (await server.app.inject({ method, url, headers, ...(payload && { payload }) })).json().data
  const { company } = await data('GET', '/v1/identity')
  const { id: directory } = await data('POST', '/v1/directory', { directory: 'Plans', client: company })
  const { key, accessCode } = await data('POST', '/v1/link/initialise', { company, directory })
  await data('POST', '/v1/link', { linkType: 'LINK_EDITABLE_DIRECTORY', directory, key, accessCode, expiry: '2027-01-01' })
  return toBearerHeader((await data('POST', '/v1/link/verify', { accessKey: key, accessCode })).token)
}

const toJsonSchema = (schema: Endpoint['body']): JsonSchema =>
  schema && typeof schema !== 'string' ? (toJSONSchema(schema, { io: 'input' }) as JsonSchema) : {}
const fieldsOf = (schema: Endpoint['body']) => Object.entries(toJsonSchema(schema).properties ?? {})
const textFieldsOf = (schema: Endpoint['body']) =>
  fieldsOf(schema).flatMap(([name, { type, enum: options }]) => (type === 'string' && !options ? [name] : []))

/** Valid values for the other fields, so that the attacked one reaches the database. */
const harmless: Record<string, unknown> = {
  email: 'someone@acme.example',
  to: 'someone@acme.example',
  role: 'NEPTUNE_USER',
  password: 'a harmless long password',
  oldPassword: 'a harmless long password',
  newPassword: 'another harmless password',
}
const fillBody = (schema: Endpoint['body'], field: string, text: string) =>
  Object.fromEntries(textFieldsOf(schema).map((name) => [name, name === field ? text : (harmless[name] ?? 'harmless')]))

const injections = [
  `' or '1'='1`,
  `'; drop table "user"; --`,
  `x' union select password_hash from "user" --`,
  '%',
  '_',
  '\\',
  `%' escape '`,
  '$1 {{7*7}} ?1 :a @b',
  `a"b'c\`d`,
  `o'brien@acme.example`,
]

describe('P41: SQL injection', () => {
  it.each(endpoints)('%s treats SQL as plain text in every field', async (_, endpoint) => {
    await using server = await openServerWithUsers()
    const headers =
      endpoint.access === 'link' ? await signInAsRecipient(server) : await server.startSessionAs('admin@acme.example')
    const before = await server.tables()
    const attempts = injections.flatMap((text) => [
      ...textFieldsOf(endpoint.body).map((field) => ({ payload: fillBody(endpoint.body, field, text) })),
      ...textFieldsOf(endpoint.query).map((field) => ({ url: `${endpoint.path}?${new URLSearchParams({ [field]: text })}` })),
      ...textFieldsOf(endpoint.params).map((field) => ({
        url: endpoint.path.replace(`{${field}}`, encodeURIComponent(text)),
        ...(endpoint.body && { payload: fillBody(endpoint.body, '', '') }),
      })),
    ])
    for (const attempt of attempts) {
      const reply = await server.call(endpoint, { ...attempt, headers })
      expect(reply.statusCode, `${JSON.stringify(attempt)} → ${reply.body}`).toBeLessThan(500)
      if (endpoint.method === 'GET' && reply.statusCode === 200 && 'url' in attempt) {
        const found = endpoint.reply === 'bytes' ? reply.body : JSON.stringify(reply.json().data)
        expect(found.replace('[]', ''), JSON.stringify(attempt)).toBe('')
      }
      expect(reply.body).not.toContain('argon2')
    }
    const after = await server.tables()
    // A call may create records, but must not change existing ones.
    expect(after.users).toEqual(expect.arrayContaining(before.users))
    expect(after.companies).toBeGreaterThanOrEqual(before.companies)
  })
})

describe('P26: replies without secrets', () => {
  /** Returns every field of a reply, by its path. */
  function listReplyFields(schema: JsonSchema, path = ''): string[] {
    const inner = [...(schema.anyOf ?? []), ...(schema.items ? [schema.items] : [])].flatMap((part) =>
      listReplyFields(part, path),
    )
    const own = Object.entries(schema.properties ?? {}).flatMap(([name, part]) => [
      `${path}${name}`,
      ...listReplyFields(part, `${path}${name}.`),
    ])
    return [...own, ...inner]
  }
  const replies = endpoints.flatMap(([name, { reply, access }]) =>
    typeof reply === 'string'
      ? []
      : [{ name, access, fields: listReplyFields(toJSONSchema(reply, { io: 'output' }) as JsonSchema) }],
  )

  it('have no field for a hash, a code, a path or a token, except where one is issued', () => {
    const found = replies.flatMap(({ name, fields }) =>
      fields
        .filter((field) => /hash|secret|password|token|code|path|claim|generation/i.test(field))
        // The path of a folder consists of the names of the folders above it. It is not a path in the server's file system.
        .filter((field) => !/^data\.path(\.|$)/.test(field))
        // The rules of a provider contain names of claims, which are not secret.
        .filter((field) => !field.startsWith('data.rules.'))
        .map((field) => `${name} ${field}`),
    )
    expect(new Set(found)).toEqual(
      new Set([
        'POST /v1/identity/login token',
        'POST /v1/user/identity token',
        'POST /v1/identity/session token',
        'POST /v1/identity/invitation token',
        'PATCH /v1/identity/password token',
        'POST /v1/identity/second-factor token',
        'POST /v1/identity/passkey/sign-in token',
        'POST /v1/identity/provider/link token',
        'POST /v1/identity/operator-link token',
        // Shown once, to their owner. In the last of these replies, the field is a count.
        'POST /v1/identity/totp data.secret',
        'POST /v1/identity/totp/confirm data.recovery_codes',
        'POST /v1/identity/passkey data.recovery_codes',
        'POST /v1/identity/recovery-code data.recovery_codes',
        'GET /v1/identity/factor data.recovery_codes',
        // Never the password itself: whether there is one, and the variable that sets it.
        'GET /v1/admin/settings data.email.values.smtp_password',
        'GET /v1/admin/settings data.email.defaults.smtp_password',
        'GET /v1/admin/settings data.email.locked.smtp_password',
        'PATCH /v1/admin/settings/email data.values.smtp_password',
        'PATCH /v1/admin/settings/email data.defaults.smtp_password',
        'PATCH /v1/admin/settings/email data.locked.smtp_password',
        'GET /v1/admin/provider data.client_secret',
        'POST /v1/admin/provider data.client_secret',
        'PATCH /v1/admin/provider/{id} data.client_secret',
        // Whether people can sign in with a password.
        'GET /v1/identity/provider data.password',
        'GET /v1/identity/factor data.password', // or whether the user has one
        'GET /v1/admin/settings data.security.values.password_sign_in',
        'GET /v1/admin/settings data.security.defaults.password_sign_in',
        'GET /v1/admin/settings data.security.locked.password_sign_in',
        'PATCH /v1/admin/settings/security data.values.password_sign_in',
        'PATCH /v1/admin/settings/security data.defaults.password_sign_in',
        'PATCH /v1/admin/settings/security data.locked.password_sign_in',
        // What a provider says about itself, and what is wrong with it.
        'POST /v1/admin/provider/test data.findings.code',
        'POST /v1/admin/provider/test data.supports.claims',
        // Staff see a code that they create, reset, look up or grant. A recipient gets a token for a code, and staff who preview a link get one
        // without.
        'POST /v1/link/initialise data.accessCode',
        'POST /v1/link/verify data.token',
        'POST /v1/link/{key}/code data.accessCode',
        'POST /v1/link/{key}/preview data.token',
        'POST /v1/ask/{id} data.accessCode',
        // Shown once, to their creator.
        'POST /v1/token data.token',
        'POST /v1/webhook data.secret',
      ]),
    )
  })

  it('show staff email addresses only to their owners, on the Users page and to admins', () => {
    const found = replies
      .filter(({ access, fields }) => access !== 'admin' && fields.some((field) => /\b(email|to)$/.test(field)))
      .map(({ name }) => name)
    expect(new Set(found)).toEqual(
      new Set([
        'POST /v1/identity/login',
        'POST /v1/user/identity',
        'POST /v1/identity/session',
        'POST /v1/identity/reset/check',
        'POST /v1/identity/invitation/check',
        'POST /v1/identity/factor-reset/check',
        'POST /v1/identity/second-factor',
        'POST /v1/identity/passkey/sign-in',
        'POST /v1/identity/operator-link',
        'GET /v1/identity/provider-account',
        'POST /v1/identity/provider/pending',
        'POST /v1/identity/provider/link',
        'POST /v1/identity/invitation',
        'GET /v1/identity',
        'PATCH /v1/identity/details',
        'PATCH /v1/identity/language',
        'PATCH /v1/identity/password',
        'GET /v1/admin/user',
        'GET /v1/admin/user/{id}',
        // The addresses of recipients of links, not of staff.
        'GET /v1/upload',
        'GET /v1/dashboard',
        'GET /v1/link',
        'POST /v1/link/affected',
        'POST /v1/link',
        'PATCH /v1/link/reset',
        'POST /v1/link/email',
        'GET /v1/link/{id}/info',
        'POST /v1/link/{key}/extend',
        'GET /v1/ask',
        'POST /v1/ask/{id}',
      ]),
    )
  })

  it.each(endpoints.filter(([, { method }]) => method === 'GET'))('%s returns no stored secret', async (_, endpoint) => {
    await using server = await openServerWithUsers()
    await server.app.inject({ method: 'POST', url: '/v1/identity/forgot', payload: { email: 'user@acme.example' } })
    const headers = await server.startSessionAs('admin@acme.example')
    const { body } = await server.call(endpoint, { headers })
    const { db } = server.deps
    const secrets = [
      ...(await db.selectFrom('session_token').select('hash as secret').execute()),
      ...(await db.selectFrom('password_reset').select('id as secret').execute()),
      ...(await db.selectFrom('user').select('password_hash as secret').execute()),
      ...(await db.selectFrom('user').select('invitation_id as secret').where('invitation_id', 'is not', null).execute()),
    ]
    for (const { secret } of secrets) expect(body).not.toContain(secret)
    expect(body).not.toContain(headers.authorization.slice('Bearer '.length))
    expect(body).not.toContain(server.deps.config.dataDir)
  })
})
