import { hiddenPassword } from '@neptune/contract'
import { describe, expect, it } from 'vitest'
import { startWithAdmin } from './testing.ts'

const password = 'pa55 word, w1th spaces '
const server1 = { smtp_host: 'mail.acme.example', smtp_user: 'kim', smtp_password: password }

describe('the mail server in the settings', () => {
  it('is used for the next email, and without one emails are saved as files', async () => {
    await using server = await startWithAdmin()
    const used = server.captureMailServers()
    await server.sendTest()
    await server.set('email', { ...server1, smtp_port: 2525 })
    await server.sendTest()
    await server.set('email', { smtp_security: 'tls', smtp_port: null, smtp_password: 'other' })
    await server.sendTest()
    await server.set('email', { smtp_host: null })
    await server.sendTest()
    const host = 'mail.acme.example'
    expect(used).toEqual([
      undefined,
      { host, port: 2525, isTls: false, user: 'kim', password },
      { host, port: 465, isTls: true, user: 'kim', password: 'other' },
      undefined,
    ])
    const list = (await server.app.inject({ url: '/v1/admin/mail', headers: server.headers })).json()
    expect([list.data.map(({ state }: { state: string }) => state), list.way]).toEqual([
      ['saved', 'sent', 'sent', 'saved'],
      'files',
    ])
  })

  it('is overridden by SMTP_URL', async () => {
    await using server = await startWithAdmin({ SMTP_URL: 'smtp://relay.example' })
    const value = JSON.stringify({ smtp_host: 'mail.acme.example' })
    await server.deps.db.insertInto('setting').values({ section: 'email', value, version: 1, changed_at: '' }).execute()
    const used = server.captureMailServers()
    await server.sendTest()
    expect(used).toMatchObject([{ host: 'relay.example', port: 587 }])
  })
})

describe('the sender', () => {
  it('is the one in the settings, otherwise the organisation, otherwise Neptune', async () => {
    await using server = await startWithAdmin({ PUBLIC_URL: 'https://files.acme.example' })
    expect(await server.sendTest()).toMatchObject({ from: { name: 'Neptune', address: 'neptune@files.acme.example' } })
    await server.set('organisation', { name: 'Acme "Tax" <GmbH>' })
    expect((await server.sendTest())?.from.name).toBe('Acme "Tax" <GmbH>')
    await server.set('email', { sender_name: 'Acme Files', sender_address: 'a@acme.example', reply_to: 'office@acme.example' })
    expect(await server.sendTest()).toMatchObject({
      from: { name: 'Acme Files', address: 'a@acme.example' },
      replyTo: { name: '', address: 'office@acme.example' },
    })
  })
})

describe('the password of the mail server', () => {
  it('is encrypted in the database, and in no reply, log line or audit entry', async () => {
    await using server = await startWithAdmin()
    const reply = await server.change('email', server1)
    expect(reply.json().data.values.smtp_password).toBe(hiddenPassword)
    await server.sendTest()
    const { values } = (await server.read()).email
    expect(values.smtp_password).toBe(hiddenPassword)
    const rows = await server.deps.db.selectFrom('setting').selectAll().execute()
    const audit = await server.deps.db.selectFrom('audit').selectAll().execute()
    const seen = JSON.stringify([reply.json(), values, rows, audit, server.logLines])
    for (const secret of [password, password.trim(), Buffer.from(password).toString('base64'), 'pa55'])
      expect(seen).not.toContain(secret)
    expect(await server.listChanges()).toContain('email.smtp_password: changed')
  })

  it('is kept if the hidden one or none is sent, and removed with null', async () => {
    await using server = await startWithAdmin()
    const used = server.captureMailServers()
    await server.set('email', server1)
    await server.set('email', { smtp_password: hiddenPassword, sender_name: 'Acme' })
    await server.set('email', { reply_to: 'office@acme.example' })
    await server.sendTest()
    expect(used.at(-1)).toMatchObject({ password })
    await server.set('email', { smtp_password: null })
    await server.sendTest()
    expect(used.at(-1)).toMatchObject({ user: 'kim', password: undefined })
    expect((await server.read()).email.values.smtp_password).toBeNull()
  })

  it.each([
    ['host', { smtp_host: 'evil.example' }],
    ['port', { smtp_port: 2525 }],
    ['encryption', { smtp_security: 'tls' as const }],
    ['user', { smtp_user: 'eve' }],
  ])('is removed if the %s changes and no new password is sent', async (_, other) => {
    for (const sent of [{}, { smtp_password: hiddenPassword }]) {
      await using server = await startWithAdmin()
      const used = server.captureMailServers()
      await server.set('email', server1)
      const reply = await server.change('email', { ...other, ...sent })
      expect(reply.json().data.values.smtp_password).toBeNull()
      expect(await server.listChanges()).toHaveLength(5)
      await server.sendTest()
      expect(used.at(-1)?.password).toBeUndefined()
      // Changing it back does not bring the password back.
      await server.set('email', { smtp_host: server1.smtp_host, smtp_port: null, smtp_security: 'starttls', smtp_user: 'kim' })
      await server.sendTest()
      expect(used.at(-1)).toMatchObject({ host: 'mail.acme.example', password: undefined })
    }
  })

  it('is not sent to another server by someone who can only write to the database', async () => {
    await using server = await startWithAdmin()
    const used = server.captureMailServers()
    await server.set('email', server1)
    const { value } = await server.deps.db.selectFrom('setting').select('value').executeTakeFirstOrThrow()
    const changed = { ...JSON.parse(value), smtp_host: 'evil.example' }
    await server.deps.db
      .updateTable('setting')
      .set({ value: JSON.stringify(changed) })
      .execute()
    await server.sendTest()
    expect(used).toEqual([])
    const { data } = (await server.app.inject({ url: '/v1/admin/mail', headers: server.headers })).json()
    expect(data[0]).toMatchObject({ state: 'waiting', problem: expect.stringContaining('can’t be decrypted') })
  })
})
