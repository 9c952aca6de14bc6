import { describe, expect, it } from 'vitest'
import { deliverDue } from '../../lib/concurrency/delivery.ts'
import { MailError, type MailFailure } from '../../mail/mailer.ts'
import { composeEmail } from '../../process/compose-email.ts'
import { startTestServer } from '../../testing.ts'
import { setSettings } from '../settings/testing.ts'
import { createMailQueue } from './mail-queue.service.ts'

const hour = 60 * 60_000
const to = 'kim@acme.example'

async function startOutbox() {
  const server = await startTestServer()
  await server.addUser({ email: 'admin@acme.example', role: 'NEPTUNE_ADMIN' })
  const headers = await server.startSessionAs('admin@acme.example')
  const sendTest = (address = to) =>
    server.app.inject({ method: 'POST', url: '/v1/admin/mail/test', headers, payload: { to: address } })
  const sendAgain = (id: string) => server.app.inject({ method: 'POST', url: `/v1/admin/mail/${id}/again`, headers })
  const list = async (query = '') => (await server.app.inject({ url: `/v1/admin/mail${query}`, headers })).json()
  /** Makes the next attempts fail, in this order. `handed` fails after the handover of the message to the mail server. */
  function fail(...failures: (MailFailure | 'handed')[]) {
    const { send } = server.deps.mailer
    server.deps.mailer.send = async (message, mailServer, confirmClaim) => {
      const failure = failures.shift()
      if (!failure) return send(message, mailServer, confirmClaim)
      if (failure === 'handed') await confirmClaim()
      throw new MailError(failure === 'handed' ? 'unconfirmed' : failure, 'the server said so')
    }
  }
  const readState = async () => (await list()).data[0]
  return { ...server, headers, sendTest, sendAgain, list, fail, readState }
}

describe('the outbox', () => {
  it('lists messages with their state for admins', async () => {
    await using server = await startOutbox()
    expect((await server.sendTest()).json().data).toMatchObject({ letter: 'test', to, state: 'waiting', tries: 0 })
    await server.deliver()
    expect(await server.list()).toMatchObject({
      data: [{ to, state: 'saved', tries: 1, problem: null, next_at: null }],
      next: null,
    })
    expect(server.sentEmails).toMatchObject([{ to, subject: 'Test email from Neptune' }])
  })

  it('still shows which messages were only saved as files after a mail server is set up and removed again', async () => {
    await using server = await startOutbox()
    for (const smtp_host of [null, 'mail.acme.example', null]) {
      server.advance(1000)
      await setSettings(server, 'email', { smtp_host })
      await server.sendTest()
      await server.deliver()
    }
    const { data, way } = await server.list()
    expect([data.map(({ state }: { state: string }) => state), way]).toEqual([['saved', 'sent', 'saved'], 'files'])
    expect((await server.list('?state=saved')).data).toHaveLength(2)
  })

  it('lists the newest message first, and filters by state and address', async () => {
    await using server = await startOutbox()
    for (const address of ['a@acme.example', 'b@globex.example', 'c@acme.example']) {
      server.advance(1000)
      await server.sendTest(address)
    }
    const listAddresses = async (query: string) => (await server.list(query)).data.map((mail: { to: string }) => mail.to)
    expect(await listAddresses('')).toEqual(['c@acme.example', 'b@globex.example', 'a@acme.example'])
    expect(await listAddresses('?search=acme')).toEqual(['c@acme.example', 'a@acme.example'])
    expect(await listAddresses('?state=sent')).toEqual([])
    expect(await listAddresses('?sort=created_at&limit=1')).toEqual(['a@acme.example'])
    expect((await server.list('?limit=2')).next).toEqual(expect.any(String))
  })

  it.each(['unreachable', 'deferred', 'refused'] as const)(
    'retries a message that was %s, and delivers it once',
    async (failure) => {
      await using server = await startOutbox()
      await server.sendTest()
      server.fail(failure)
      await server.deliver()
      expect(await server.readState()).toMatchObject({ state: 'waiting', tries: 1, problem: 'the server said so' })
      await server.deliver() // not due yet
      expect(server.sentEmails).toHaveLength(0)
      server.advance(5000)
      await server.deliver()
      await server.deliver()
      expect(server.sentEmails).toHaveLength(1)
      expect(await server.readState()).toMatchObject({ state: 'saved', tries: 2, problem: null })
    },
  )

  it('waits longer after each attempt, up to 15 minutes, and gives up after two days', async () => {
    await using server = await startOutbox()
    await server.sendTest()
    server.fail(...Array.from({ length: 1000 }, () => 'deferred' as const))
    const waits = []
    for (let hours = 0; hours < 60; ) {
      await server.deliver()
      const { state, next_at, problem } = await server.readState()
      if (state === 'failed') {
        expect(problem).toBe('the server said so')
        break
      }
      const wait = Date.parse(next_at) - server.deps.now().getTime()
      waits.push(wait / 1000)
      server.advance(wait)
      hours += wait / hour
    }
    expect(waits.slice(0, 8)).toEqual([5, 15, 45, 135, 405, 900, 900, 900])
    expect(waits.reduce((sum, wait) => sum + wait)).toBeCloseTo(48 * 3600, -4)
  })

  it('gives up after five refusals', async () => {
    await using server = await startOutbox()
    await server.sendTest()
    server.fail(...Array.from({ length: 5 }, () => 'refused' as const))
    for (let i = 0; i < 6; i++) {
      await server.deliver()
      server.advance(hour)
    }
    expect(await server.readState()).toMatchObject({ state: 'failed', tries: 5 })
    expect(server.sentEmails).toHaveLength(0)
  })

  it('does not count an outage as a refusal', async () => {
    await using server = await startOutbox()
    await server.sendTest()
    server.fail('unreachable', 'unreachable', 'unreachable', 'unreachable', 'refused')
    for (let i = 0; i < 6; i++) {
      await server.deliver()
      server.advance(600_000)
    }
    expect(await server.readState()).toMatchObject({ state: 'saved', tries: 6 })
  })

  it('never resends an unconfirmed message on its own, but lets an admin do it', async () => {
    await using server = await startOutbox()
    const { id } = (await server.sendTest()).json().data
    server.fail('handed')
    await server.deliver()
    server.advance(hour)
    await server.deliver()
    expect(await server.readState()).toMatchObject({ state: 'unconfirmed', next_at: null })
    expect(server.sentEmails).toHaveLength(0)
    expect((await server.sendAgain(id)).json().data).toMatchObject({ state: 'waiting', tries: 0 })
    await server.deliver()
    expect(server.sentEmails).toMatchObject([{ id, to }])
  })

  it('marks a message as unconfirmed if its worker crashed after the handover, and sends it if the crash was before', async () => {
    await using server = await startOutbox()
    await server.sendTest('before@acme.example')
    await server.sendTest('after@acme.example')
    const { db } = server.deps
    const claimExpiry = new Date(server.deps.now().getTime() + 15_000).toISOString()
    await db.updateTable('outbox').set({ claim: 'crashed worker', next_at: claimExpiry }).execute()
    await db.updateTable('outbox').set({ state: 'sending' }).where('recipient', '=', 'after@acme.example').execute()
    await server.deliver()
    expect(server.sentEmails).toHaveLength(0) // the claims are still valid
    server.advance(15_000)
    await server.deliver()
    expect(server.sentEmails.map((email) => email.to)).toEqual(['before@acme.example'])
    expect(await server.list('?state=unconfirmed')).toMatchObject({ data: [{ to: 'after@acme.example' }] })
  })

  it('sends no message twice when several workers run', async () => {
    await using server = await startOutbox()
    for (let i = 0; i < 12; i++) await server.sendTest(`person${i}@acme.example`)
    await Promise.all(Array.from({ length: 6 }, () => server.deliver()))
    await server.deliver()
    expect(new Set(server.sentEmails.map((email) => email.to)).size).toBe(12)
    expect(server.sentEmails).toHaveLength(12)
  })

  it('retries at once when admins change the mail server during an outage', async () => {
    await using server = await startOutbox()
    const queue = createMailQueue(server.deps, composeEmail)
    server.fail('unreachable')
    await server.sendTest()
    await deliverDue(queue)
    await server.sendTest()
    await deliverDue(queue)
    expect(server.sentEmails).toHaveLength(0) // attempts are paused
    await setSettings(server, 'email', { smtp_host: 'mail.acme.example', smtp_password: 'secret' })
    await deliverDue(queue)
    expect(server.sentEmails).toHaveLength(1)
  })

  it('does not send a message that another worker has taken over', async () => {
    await using server = await startOutbox()
    await server.sendTest()
    const { mailer, db } = server.deps
    const { send } = mailer
    mailer.send = async (message, _server, confirmClaim) => {
      mailer.send = send
      await db.updateTable('outbox').set({ claim: 'another' }).execute()
      if (!(await confirmClaim())) throw new MailError('withdrawn', 'another worker has it')
      server.sentEmails.push(message)
    }
    await server.deliver()
    expect(server.sentEmails).toHaveLength(0)
    server.advance(15_000)
    await server.deliver()
    expect(server.sentEmails).toHaveLength(1)
  })

  it('rejects resending a message that was sent, is waiting or does not exist', async () => {
    await using server = await startOutbox()
    const { id } = (await server.sendTest()).json().data
    expect((await server.sendAgain(id)).json().code).toBe('mail.not_repeatable')
    await server.deliver()
    expect((await server.sendAgain(id)).json().code).toBe('mail.not_repeatable')
    expect((await server.sendAgain('nothing')).json().code).toBe('mail.not_found')
  })
})

describe('the sending limit', () => {
  it('P42: allows twenty messages an hour per user, then returns 429 with Retry-After', async () => {
    await using server = await startOutbox()
    for (let i = 0; i < 20; i++) expect((await server.sendTest(`person${i}@acme.example`)).statusCode).toBe(200)
    const reply = await server.sendTest('one.more@acme.example')
    expect(reply.json().code).toBe('mail.too_many')
    expect(reply.headers['retry-after']).toBe('3600')
    server.advance(hour)
    expect((await server.sendTest('one.more@acme.example')).statusCode).toBe(200)
  })

  it('allows five messages an hour to one address', async () => {
    await using server = await startOutbox()
    for (let i = 0; i < 5; i++) expect((await server.sendTest()).statusCode).toBe(200)
    expect((await server.sendTest('KIM@acme.example')).statusCode).toBe(429)
    expect((await server.list()).data).toHaveLength(5)
  })

  it.each([
    'kim@acme.example\r\nBcc: eve@evil.example',
    'kim@acme.example, eve@evil.example',
    'Kim <kim@acme.example>',
    '@acme.example',
  ])('P42: rejects %j as an address, and sends nothing', async (address) => {
    await using server = await startOutbox()
    expect((await server.sendTest(address)).json()).toMatchObject({
      code: 'request.invalid',
      errors: expect.arrayContaining([expect.objectContaining({ field: 'to' })]),
    })
    expect((await server.list()).data).toEqual([])
  })
})
