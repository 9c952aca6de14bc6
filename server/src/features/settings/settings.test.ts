import { afterEach, describe, expect, it, vi } from 'vitest'
import { readSettings } from './settings.service.ts'
import { startWithAdmin } from './testing.ts'

const errorsOf = (reply: { json: () => { errors?: { field: string; message: string }[] } }) =>
  (reply.json().errors ?? []).map(({ field, message }) => `${field}: ${message}`)

describe('settings', () => {
  it('start with the defaults', async () => {
    await using server = await startWithAdmin()
    const { organisation, links, email, storage, logos } = await server.read()
    const defaults = { name: null, welcome: null, imprint_url: null, privacy_url: null, time_zone: 'UTC', language: 'en' }
    expect(organisation).toEqual({ version: 0, values: defaults, defaults, locked: {} })
    expect(links.values).toMatchObject({ default_days: 30, max_days: null, session_minutes: 720, max_files: 1000 })
    expect(email.values).toMatchObject({ sender_address: null, smtp_host: null, smtp_password: null })
    expect(storage.values).toMatchObject({ trash_days: 30, company_quota_bytes: null })
    expect(logos).toEqual({ light: null, dark: null })
  })

  it('change one section, and leave fields that were not sent as they are', async () => {
    await using server = await startWithAdmin()
    const before = await server.read()
    expect((await server.change('links', { max_days: 90 })).json().data).toMatchObject({ version: 1, values: { max_days: 90 } })
    const reply = await server.change('links', { default_days: 14, max_files: 5 })
    expect(reply.json().data).toMatchObject({
      version: 2,
      values: { max_days: 90, default_days: 14, max_files: 5 },
      defaults: { max_days: null, default_days: 30, max_files: 1000 },
    })
    const { links, ...others } = await server.read()
    expect(links).toEqual(reply.json().data)
    expect({ ...others, links: before.links }).toEqual(before)
  })

  it('return to the default with null', async () => {
    await using server = await startWithAdmin()
    await server.set('organisation', { name: 'Acme', welcome: 'Hello' })
    await server.set('organisation', { name: null })
    expect((await server.read()).organisation.values).toMatchObject({ name: null, welcome: 'Hello' })
  })

  it('store names without surrounding spaces, and addresses in their standard form', async () => {
    await using server = await startWithAdmin()
    await server.set('organisation', { name: '  Acme  ', imprint_url: 'HTTPS://Acme.Example/a b' })
    await server.set('email', { smtp_host: 'Mail.Acme.Example', reply_to: ' office@acme.example ' })
    const { organisation, email } = await server.read()
    expect(organisation.values).toMatchObject({ name: 'Acme', imprint_url: 'https://acme.example/a%20b' })
    expect(email.values).toMatchObject({ smtp_host: 'mail.acme.example', reply_to: 'office@acme.example' })
  })

  it('name the field of a bad value, and then change nothing', async () => {
    await using server = await startWithAdmin()
    await server.set('links', { default_days: 14, max_days: 60 })
    const before = await server.read()
    const bad = [
      ['links', { default_days: 20, max_files: 0 }, 'values.max_files: This must be a whole number from 1 to 1000000.'],
      ['links', { default_days: 61 }, 'values.default_days: This must not be more than the maximum of 60 days.'],
      ['links', { max_days: 13 }, 'values.max_days: This must not be less than the default of 14 days.'],
      [
        'organisation',
        { name: 'Acme', time_zone: 'Mars/Base' },
        'values.time_zone: This must be a time zone, such as Europe/Berlin.',
      ],
      ['email', { sender_name: 'Acme', reply_to: 'office' }, 'values.reply_to: This must be an email address'],
      ['storage', { trash_days: 1.5 }, 'values.trash_days: This must be a whole number'],
    ] as const
    for (const [section, values, error] of bad) {
      const reply = await server.change(section, values)
      expect(reply.statusCode).toBe(400)
      expect(errorsOf(reply)).toEqual([expect.stringContaining(error)])
    }
    expect(await server.read()).toEqual(before)
    expect(await server.listChanges()).toHaveLength(2)
  })
})

describe('several admins', () => {
  it('cannot overwrite a change that they have not seen', async () => {
    await using server = await startWithAdmin()
    await server.change('organisation', { name: 'Acme' }, 0)
    const reply = await server.change('organisation', { name: 'Globex' }, 0)
    expect([reply.statusCode, reply.json().code]).toEqual([409, 'settings.changed'])
    expect((await server.change('organisation', { name: 'Globex' }, 7)).statusCode).toBe(409)
    expect((await server.read()).organisation).toMatchObject({ version: 1, values: { name: 'Acme' } })
  })

  it.each([0, 1])('who save version %i at the same time: one succeeds, and the others get 409', async (version) => {
    await using server = await startWithAdmin()
    if (version > 0) await server.set('organisation', { welcome: 'Hello' })
    const names = ['Acme', 'Globex', 'Initech']
    const replies = await Promise.all(names.map((name) => server.change('organisation', { name }, version)))
    expect(replies.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 409, 409])
    const { organisation } = await server.read()
    expect(organisation.version).toBe(version + 1)
    expect(names[replies.findIndex(({ statusCode }) => statusCode === 200)]).toBe(organisation.values.name)
    expect((await server.listChanges()).filter((entry: string) => entry.startsWith('organisation.name'))).toHaveLength(1)
  })

  it('can change different sections at the same time', async () => {
    await using server = await startWithAdmin()
    const replies = await Promise.all([
      server.change('links', { max_files: 5 }, 0),
      server.change('storage', { trash_days: 5 }, 0),
    ])
    expect(replies.map(({ statusCode }) => statusCode)).toEqual([200, 200])
  })
})

describe('the environment', () => {
  const environment = {
    TRASH_DAYS: '7',
    LINK_MAX_FILES: '10',
    SMTP_URL: 'smtps://kim:hunter2@mail.acme.example',
    MAIL_FROM: 'Acme <files@acme.example>',
  }

  it('overrides what admins have saved, and locks it', async () => {
    await using server = await startWithAdmin(environment)
    const { storage, links, email } = await server.read()
    expect(storage).toMatchObject({ values: { trash_days: 7 }, locked: { trash_days: 'TRASH_DAYS' } })
    expect(links.locked).toEqual({ max_files: 'LINK_MAX_FILES' })
    expect(email.locked).toMatchObject({ smtp_password: 'SMTP_URL', sender_name: 'MAIL_FROM', sender_address: 'MAIL_FROM' })
    expect(email.values).toMatchObject({ smtp_host: 'mail.acme.example', smtp_port: 465, smtp_security: 'tls', smtp_user: 'kim' })
    expect(email.values.smtp_password).not.toContain('hunter2')
    const row = { section: 'storage' as const, value: '{"trash_days":99}', version: 1, changed_at: '' }
    await server.deps.db.insertInto('setting').values(row).execute()
    expect((await server.read()).storage.values.trash_days).toBe(7)
  })

  it('cannot be overridden: the error names the field and the variable, and nothing changes', async () => {
    await using server = await startWithAdmin(environment)
    const reply = await server.change('storage', { trash_days: 8, activity_days: 9 })
    expect([reply.statusCode, reply.json().code]).toEqual([409, 'settings.locked'])
    expect(errorsOf(reply)).toEqual(['values.trash_days: The environment variable TRASH_DAYS sets this value.'])
    expect((await server.change('email', { smtp_host: 'evil.example' })).json().code).toBe('settings.locked')
    expect((await server.read()).storage).toMatchObject({ version: 0, values: { trash_days: 7, activity_days: null } })
  })

  it('accepts a whole section in which the locked values are unchanged', async () => {
    await using server = await startWithAdmin(environment)
    const { storage, email } = await server.read()
    expect((await server.change('storage', { ...storage.values, activity_days: 9 })).statusCode).toBe(200)
    expect((await server.change('email', { ...email.values, reply_to: 'office@acme.example' })).statusCode).toBe(200)
    const rows = await server.deps.db.selectFrom('setting').select('value').execute()
    expect(rows.map(({ value }) => JSON.parse(value))).toEqual([{ activity_days: 9 }, { reply_to: 'office@acme.example' }])
  })

  it('leaves the name of the sender to admins if MAIL_FROM has none, and hides a user name that is also the password', async () => {
    await using server = await startWithAdmin({
      MAIL_FROM: 'files@acme.example',
      SMTP_URL: 'smtp://token123:token123@mail.example',
    })
    const { email } = await server.read()
    expect(email.locked).not.toHaveProperty('sender_name')
    expect(JSON.stringify(email)).not.toContain('token123')
    await server.set('email', { sender_name: 'Acme' })
    expect((await server.sendTest())?.from).toEqual({ name: 'Acme', address: 'files@acme.example' })
  })
})

describe('the audit log', () => {
  it('has each changed value before and after, and nothing about unchanged ones', async () => {
    await using server = await startWithAdmin()
    const welcome = 'w'.repeat(300)
    await server.set('organisation', { name: 'Acme', welcome, language: 'en' })
    await server.set('organisation', { name: 'Acme', welcome: `${'v'.repeat(299)}!` })
    await server.set('links', { max_days: 30, session_minutes: 60 })
    expect(await server.listChanges()).toEqual([
      'organisation.name: not set → Acme',
      `organisation.welcome: not set → ${welcome}`,
      `organisation.welcome: ${welcome} → ${'v'.repeat(299)}!`,
      'links.max_days: not set → 30',
      'links.session_minutes: 720 → 60',
    ])
    expect((await server.change('links', { max_days: 30 })).json().data.version).toBe(1)
    expect(await server.listChanges()).toHaveLength(5)
  })
})

describe('staff', () => {
  it('get the settings that they work with, and no others', async () => {
    await using server = await startWithAdmin()
    await server.addUser({ email: 'kim@acme.example' })
    await server.set('organisation', { name: 'Acme', time_zone: 'Europe/Berlin', language: 'de' })
    await server.set('links', { default_days: 7, max_days: 14 })
    const reply = await server.app.inject({ url: '/v1/settings', headers: await server.startSessionAs('kim@acme.example') })
    expect(reply.json().data).toEqual({
      organisation: { name: 'Acme', time_zone: 'Europe/Berlin', language: 'de' },
      links: { default_days: 7, max_days: 14 },
    })
  })
})

describe('reading the settings', () => {
  afterEach(() => vi.restoreAllMocks())

  it('returns a change by another process after at most half a second, whatever the clock says', async () => {
    await using server = await startWithAdmin()
    const other = { ...server.deps, config: { ...server.deps.config, settingsMaxAgeMs: 500 } }
    const readName = async () => (await readSettings(other)).organisation.name
    const now = vi.spyOn(performance, 'now').mockReturnValue(1_000_000)
    expect(await readName()).toBeNull()
    await server.set('organisation', { name: 'Acme' })
    server.advance(1_000_000)
    now.mockReturnValue(1_000_499)
    expect(await readName()).toBeNull()
    now.mockReturnValue(1_000_500)
    expect(await Promise.all([readName(), readName()])).toEqual(['Acme', 'Acme'])
  })

  it('works inside a transaction while a caller outside waits for the settings', async () => {
    await using server = await startWithAdmin()
    await server.deps.db
      .transaction()
      .execute(async (trx) => {
        const outside = readSettings(server.deps)
        expect((await readSettings({ ...server.deps, db: trx })).links.default_days).toBe(30)
        return { outside }
      })
      .then(({ outside }) => outside)
  })

  it('ignores stored values that are invalid or unknown, and a change keeps the unknown ones', async () => {
    await using server = await startWithAdmin()
    const value = JSON.stringify({ trash_days: 'soon', activity_days: 5, shredder: true })
    await server.deps.db.insertInto('setting').values({ section: 'storage', value, version: 3, changed_at: '' }).execute()
    expect((await server.read()).storage).toMatchObject({ version: 3, values: { trash_days: 30, activity_days: 5 } })
    await server.set('storage', { trash_days: 9 })
    const row = await server.deps.db.selectFrom('setting').select('value').executeTakeFirstOrThrow()
    expect(JSON.parse(row.value)).toEqual({ trash_days: 9, activity_days: 5, shredder: true })
  })
})
