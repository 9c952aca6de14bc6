import { hiddenPassword, type SectionName, settingsSections } from '@neptune/contract'
import { expect, it } from 'vitest'
import { toBearerHeader, withoutRequestId } from '../../testing.ts'
import { startWithAdmin } from './testing.ts'

type Server = Awaited<ReturnType<typeof startWithAdmin>>

/** Every field, with its section. */
const fields = Object.entries(settingsSections).flatMap(([section, { shape }]) =>
  Object.keys(shape).map((field) => [section as SectionName, field] as const),
)
/** The fields with text that people type. */
const textFields = /name|welcome|_url|time_zone|accent|address|reply_to|host|user|password/
const texts = fields.filter(([, field]) => textFields.test(field))

const readRows = (server: Server) => server.deps.db.selectFrom('setting').selectAll().execute()

it('P40: refuses control characters and line breaks in every text', async () => {
  await using server = await startWithAdmin()
  expect(texts.length).toBeGreaterThanOrEqual(12)
  for (const [section, field] of texts) {
    for (const text of ['a\u0000b', 'a\r\nBcc: eve@evil.example', 'a\nb', 'a\u001b[31m', 'a\u007f', 'a\u0085b', '\ud800']) {
      const reply = await server.change(section, { [field]: text }, 0)
      expect(reply.statusCode, `${field} ${JSON.stringify(text)}`).toBe(400)
      expect(reply.json().errors[0]).toMatchObject({ field: `values.${field}` })
    }
  }
  for (const field of ['name', 'welcome'])
    for (const text of ['a\u2028b', 'a\u202eb', '\u2066a', '   ', '\u200b', '\u3164'])
      expect((await server.change('organisation', { [field]: text }, 0)).statusCode).toBe(400)
  for (const smtp_host of ['a..b', '-a', 'a-', '::::', '1::2::3', 'a b', 'a/b', 'a:25', '[::1]'])
    expect((await server.change('email', { smtp_host }, 0)).statusCode, smtp_host).toBe(400)
  expect(await readRows(server)).toEqual([])
})

it('treats HTML, quotes and header syntax in texts of emails as plain text', async () => {
  await using server = await startWithAdmin()
  const name = `"Acme" <script>alert(1)</script>, eve@evil.example; \\r\\nBcc: x`
  await server.set('organisation', { name, welcome: name })
  const message = await server.sendTest()
  expect(message?.from).toEqual({ name, address: expect.stringContaining('neptune@') })
  expect(message?.html).not.toContain('<script>alert')
})

it('refuses URLs that run code or contain a password', async () => {
  await using server = await startWithAdmin()
  const urls = [
    'javascript:alert(1)',
    'http://acme.example',
    'https://kim:secret@acme.example',
    '//acme.example',
    'data:text/html,x',
    'acme.example',
    'https://',
    ` javascript:alert(1)//https://`,
  ]
  for (const imprint_url of urls) expect((await server.change('organisation', { imprint_url })).statusCode, imprint_url).toBe(400)
  await server.set('organisation', { imprint_url: 'https://acme.example/"><script>' })
  expect((await server.read()).organisation.values.imprint_url).toBe('https://acme.example/%22%3E%3Cscript%3E')
})

it('refuses values of the wrong type and huge values, and names the field', async () => {
  await using server = await startWithAdmin()
  for (const [section, field] of fields) {
    const flag = field === 'password_sign_in' ? [] : [true]
    for (const value of [{}, [], ...flag, 'x'.repeat(100_000), ['a'], { toString: 'a' }, -1, 1e300]) {
      const reply = await server.change(section, { [field]: value }, 0)
      expect(reply.statusCode, `${field} ${JSON.stringify(value).slice(0, 20)}`).toBe(400)
      expect(reply.json().errors[0].field).toBe(`values.${field}`)
    }
  }
  const reply = await server.change('organisation', { welcome: 'x'.repeat(1_000_000) }, 0)
  expect(reply.statusCode).toBe(413)
  // The URL is too long only after it is encoded.
  const encoded = await server.change('organisation', { privacy_url: `https://acme.example/${'ä'.repeat(400)}` }, 0)
  expect(encoded.json().errors).toEqual([{ field: 'values.privacy_url', message: 'This must have at most 500 characters.' }])
  expect(await readRows(server)).toEqual([])
})

it('refuses unknown fields and sections, and keys that change prototypes', async () => {
  await using server = await startWithAdmin()
  const send = (payload: string, section = 'organisation') =>
    server.app.inject({
      method: 'PATCH',
      url: `/v1/admin/settings/${section}`,
      headers: { ...server.headers, 'content-type': 'application/json' },
      payload,
    })
  const unknown = await send('{"version":0,"values":{"trash_days":1,"constructor":{"prototype":{}},"logo_light":"x"}}')
  expect(unknown.statusCode).toBe(400)
  expect(unknown.json().errors.map(({ field }: { field: string }) => field)).toEqual([
    'values.trash_days',
    'values.constructor',
    'values.logo_light',
  ])
  for (const payload of [
    '{"version":0,"values":{"__proto__":{"name":"x"}}}',
    '{"version":0,"__proto__":{"values":{}},"values":{}}',
    '{"version":0,"values":{"name":"a","name":"b"}}',
    '{"version":0}',
    '{"version":"0","values":{}}',
    '{"values":{"name":"a"}}',
    '{"version":-1,"values":{}}',
  ])
    expect((await send(payload)).statusCode, payload).toBe(400)
  for (const section of ['__proto__', 'constructor', 'logos', 'unknown', 'organisation%00'])
    expect((await send('{"version":0,"values":{}}', section)).statusCode).toBe(404)
  expect(Object.prototype).not.toHaveProperty('name')
  expect(await readRows(server)).toEqual([])
})

it('lets users, API tokens and anonymous callers neither read nor change anything', async () => {
  await using server = await startWithAdmin()
  await server.addUser({ email: 'kim@acme.example' })
  await server.set('email', { smtp_host: 'mail.acme.example', smtp_user: 'kim', smtp_password: 'hunter2' })
  const createToken = async (headers: Record<string, string>) => {
    const payload = { name: 'Script', scope: 'write' }
    return toBearerHeader((await server.app.inject({ method: 'POST', url: '/v1/token', headers, payload })).json().data.token)
  }
  const kim = await server.startSessionAs('kim@acme.example')
  const before = await readRows(server)
  const callers = [
    [kim, 403],
    [await createToken(kim), 403],
    [await createToken(server.headers), 403],
    [{}, 401],
  ] as const
  for (const [headers, status] of callers) {
    const read = await server.app.inject({ url: '/v1/admin/settings', headers })
    expect(read.statusCode).toBe(status)
    expect(withoutRequestId(read)).not.toContain('mail.acme.example')
    for (const section of Object.keys(settingsSections)) {
      const payload = { version: 1, values: {} }
      const reply = await server.app.inject({ method: 'PATCH', url: `/v1/admin/settings/${section}`, headers, payload })
      expect(reply.statusCode).toBe(status)
    }
  }
  expect(await readRows(server)).toEqual(before)
})

it('does not reveal whether a guessed password is the stored one', async () => {
  await using server = await startWithAdmin()
  await server.set('email', { smtp_host: 'mail.acme.example', smtp_user: 'kim', smtp_password: 'hunter2' })
  const guess = async (smtp_password: string) => {
    const { version, values } = (await server.change('email', { smtp_password })).json().data
    return { version, values }
  }
  const [right, wrong] = [await guess('hunter2'), await guess('hunter3')]
  expect(right.values).toEqual(wrong.values)
  expect(right.values.smtp_password).toBe(hiddenPassword)
  expect(wrong.version - right.version).toBe(1)
})
