import dns from 'node:dns/promises'
import { syncBuiltinESMExports } from 'node:module'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { day } from '../link/testing.ts'
import { deliverDueWebhooks, startWebhookDelivery } from './delivery.service.ts'
import { type Answer, answer, isGenuine, openWebhookOffice, startReceiver, switchProtocols } from './testing.ts'
import { sweepWebhooks } from './webhook.service.ts'

const minute = 60_000
const hour = 60 * minute

// Disables the deadline of deliveries: on a busy machine it could pass while a test lets a receiver hang.
beforeEach(() => void vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => new AbortController().signal))
afterEach(() => void vi.restoreAllMocks())

describe('a delivery', () => {
  const answers: Record<string, [Answer, number | null, unknown]> = {
    'an error': [answer(500), 500, 'It answered 500.'],
    'a redirect': [answer(302, { location: 'http://127.0.0.1:1/' }), 302, 'It answered 302: redirects are not followed.'],
    'a cut': [(response) => void response.destroy(), null, 'The connection broke off before there was an answer.'],
    'another protocol': [switchProtocols, 101, 'It answered 101.'],
    nonsense: [
      (response) => void response.socket?.end('hello\r\n\r\n'),
      null,
      expect.stringContaining('no answer that makes sense'),
    ],
  }

  it.each(Object.entries(answers))('that gets %s is tried again, as it was', async (_, [answers, status, problem]) => {
    await using server = await openWebhookOffice()
    const { id, secret } = await server.listen()
    await server.put(server.plans, 'new.txt', server.kim)
    server.receiver.answers = answers
    await server.tell()
    expect(await server.deliveries(id)).toMatchObject([{ state: 'waiting', tries: 1, status, problem }])
    expect(await server.read(id)).toMatchObject({ failures: 1, failing_since: '2026-12-01T09:00:00.000Z' })
    server.receiver.answers = answer(200)
    await server.tell() // not due yet
    server.advance(5_000)
    await server.tell()
    const [first, second, ...more] = server.receiver.received
    expect(more).toEqual([])
    expect(second?.body).toBe(first?.body)
    expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id'])
    expect(second?.headers['webhook-timestamp']).not.toBe(first?.headers['webhook-timestamp'])
    expect(second && isGenuine(second, secret)).toBe(true)
    expect(await server.deliveries(id)).toMatchObject([{ state: 'sent', tries: 2, status: 200, problem: null }])
    expect(await server.read(id)).toMatchObject({ failures: 0, failing_since: null })
  })

  it('waits longer from try to try, and is given up after eight in a day', async () => {
    await using server = await openWebhookOffice()
    const { id } = await server.listen()
    await server.put(server.plans, 'new.txt', server.kim)
    server.receiver.answers = answer(503)
    const waits: number[] = []
    for (;;) {
      await server.tell()
      const [{ state, next_at, tries }] = await server.deliveries(id)
      if (state === 'failed') {
        expect(tries).toBe(8)
        break
      }
      const wait = Date.parse(next_at) - server.deps.now().getTime()
      waits.push(wait)
      server.advance(wait)
    }
    expect(waits).toEqual([5_000, 5 * minute, 30 * minute, 2 * hour, 4 * hour, 7 * hour, 10 * hour])
    expect(server.receiver.received).toHaveLength(8)
    expect(await server.deliveries(id, '?state=waiting')).toEqual([])
  })

  it('that hangs holds up no other webhook, and is cut off when the server stops', async () => {
    await using server = await openWebhookOffice()
    await using other = await startReceiver()
    server.receiver.answers = () => undefined
    const { id } = await server.listen()
    await server.listen({ url: other.url })
    for (const name of ['a.txt', 'b.txt', 'c.txt']) await server.put(server.plans, name, server.kim)
    const telling = startWebhookDelivery(server.deps)
    await expect.poll(() => other.told().map(({ data }) => data.name)).toHaveLength(3)
    expect(server.receiver.received).toHaveLength(1)
    await telling.stop()
    expect(await server.deliveries(id)).toMatchObject(Array.from({ length: 3 }, () => ({ state: 'waiting', tries: 0 })))
    server.receiver.answers = answer(204)
    await server.tell()
    expect(server.receiver.received).toHaveLength(4)
  })

  it('that hangs for one company holds up no other company, however many webhooks hang', async () => {
    await using server = await openWebhookOffice()
    await using other = await startReceiver()
    server.receiver.answers = () => undefined
    for (let i = 0; i < 20; i++) await server.listen()
    await server.create({ company: await server.companyOf(server.eve), url: other.url }, server.eve)
    await server.put(server.plans, 'new.txt', server.kim)
    server.advance(1000)
    await server.put(server.foreign, 'theirs.txt', server.eve)
    const telling = startWebhookDelivery(server.deps)
    await expect.poll(() => other.told()).toMatchObject([{ data: { name: 'theirs.txt' } }])
    await expect.poll(() => server.receiver.received.length).toBe(4)
    await server.put(server.foreign, 'more.txt', server.eve)
    await expect.poll(() => other.received.length).toBe(2) // so it was looked again
    expect(server.receiver.received).toHaveLength(4)
    await telling.stop()
  })

  it('to whom the last one failed waits for those to whom it did not', async () => {
    await using server = await openWebhookOffice()
    await using other = await startReceiver()
    server.receiver.answers = () => undefined
    for (let i = 0; i < 6; i++) await server.listen()
    await server.put(server.plans, 'a.txt', server.kim)
    await server.deps.db.updateTable('webhook').set({ failures: 1 }).execute()
    server.advance(1000)
    await server.listen({ url: other.url })
    await server.put(server.plans, 'b.txt', server.kim)
    const telling = startWebhookDelivery(server.deps)
    await expect.poll(() => other.told()).toMatchObject([{ data: { name: 'b.txt' } }])
    await telling.stop()
  })

  it('is given up when it should have ended, whatever it waits for', async () => {
    await using server = await openWebhookOffice()
    const { lookup } = dns
    let asked = 0
    dns.lookup = (() => new Promise(() => asked++)) as unknown as typeof lookup
    syncBuiltinESMExports()
    try {
      const { id } = await server.listen({ url: server.receiver.url.replace('127.0.0.1', 'hooks.example') })
      await server.put(server.plans, 'new.txt', server.kim)
      const telling = startWebhookDelivery(server.deps)
      await expect.poll(() => asked).toBe(1)
      await telling.stop()
      expect(await server.deliveries(id)).toMatchObject([{ state: 'waiting', tries: 0 }])
    } finally {
      dns.lookup = lookup
      syncBuiltinESMExports()
    }
  })

  it('is made once by two nodes, and not lost by one that died before or while it was made', async () => {
    await using server = await openWebhookOffice()
    await server.listen()
    for (const name of ['a.txt', 'b.txt', 'c.txt', 'd.txt']) await server.put(server.plans, name, server.kim)
    const another = { ...server.deps }
    await Promise.all([server.tell(), deliverDueWebhooks(another), server.tell(), deliverDueWebhooks(another)])
    expect(
      server.receiver
        .told()
        .map(({ data }) => data.name)
        .toSorted(),
    ).toEqual(['a.txt', 'b.txt', 'c.txt', 'd.txt'])
    await server.put(server.plans, 'e.txt', server.kim)
    // As one leaves it that was killed with the letter in its hand.
    const until = new Date(server.deps.now().getTime() + 30_000).toISOString()
    await server.deps.db
      .updateTable('webhook_delivery')
      .set({ claim: 'dead', next_at: until })
      .where('state', '=', 'waiting')
      .execute()
    await deliverDueWebhooks(another)
    expect(server.receiver.received).toHaveLength(4)
    server.advance(30_000)
    await deliverDueWebhooks(another)
    expect(server.receiver.told().at(-1)).toMatchObject({ data: { name: 'e.txt' } })
  })

  it('that fails a hundred times in a row over three days pauses its webhook, which says so', async () => {
    await using server = await openWebhookOffice()
    const { id } = await server.listen({ events: ['upload'] })
    server.receiver.answers = answer(500)
    await server.put(server.plans, 'new.txt', server.kim)
    await server.tell()
    await server.deps.db.updateTable('webhook').set({ failures: 110 }).execute()
    server.advance(3 * day - 1000)
    await server.tell()
    expect(await server.read(id)).toMatchObject({ failures: 111, paused: false })
    server.advance(5 * minute)
    await server.tell()
    const problem = 'It failed 112 times in a row, over more than three days.'
    expect(await server.read(id)).toMatchObject({ paused: true, problem })
    expect((await server.trail()).at(-1)).toMatchObject({ action: 'webhook.paused', who: 'system', note: problem })
    await server.call('PATCH', `/v1/webhook/${id}`, server.kim, { paused: false })
    expect(await server.read(id)).toMatchObject({ paused: false, problem: null, failures: 0, failing_since: null })
  })

  it('is forgotten after thirty days, and page by page the newest is first', async () => {
    await using server = await openWebhookOffice()
    const { id } = await server.listen()
    for (const name of ['a.txt', 'b.txt']) {
      await server.put(server.plans, name, server.kim)
      await server.tell()
      server.advance(day)
    }
    const page = (await server.call('GET', `/v1/webhook/${id}/delivery?limit=1`, server.kim)).json()
    expect(page.data).toMatchObject([{ created_at: '2026-12-02T09:00:00.000Z' }])
    const rest = await server.deliveries(id, `?limit=1&cursor=${page.next}`)
    expect(rest).toMatchObject([{ created_at: '2026-12-01T09:00:00.000Z' }])
    server.advance(28.5 * day)
    await sweepWebhooks(server.deps)
    expect(await server.deliveries(id)).toMatchObject([{ created_at: '2026-12-02T09:00:00.000Z' }])
  })
})
