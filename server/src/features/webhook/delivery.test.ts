import dns from 'node:dns/promises'
import { syncBuiltinESMExports } from 'node:module'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { deliverDue, startDelivery } from '../../lib/concurrency/delivery.ts'
import { dayMs } from '../link/testing.ts'
import { isGenuine, openWebhookOffice, type Responder, respondWith, startReceiver, switchProtocols } from './testing.ts'
import { sweepWebhooks } from './webhook.service.ts'
import { createWebhookQueue } from './webhook-queue.service.ts'

const minute = 60_000
const hour = 60 * minute

// Disables the deadline of deliveries: on a busy machine it could pass while a test lets a receiver hang.
beforeEach(() => void vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => new AbortController().signal))
afterEach(() => void vi.restoreAllMocks())

describe('a delivery', () => {
  const failures: Record<string, [Responder, number | null, unknown]> = {
    'an error': [respondWith(500), 500, 'The receiver responded with 500.'],
    'a redirect': [
      respondWith(302, { location: 'http://127.0.0.1:1/' }),
      302,
      'The receiver responded with 302. Redirects are not followed.',
    ],
    'a closed connection': [(response) => void response.destroy(), null, 'The connection was closed before a response arrived.'],
    'another protocol': [switchProtocols, 101, 'The receiver responded with 101.'],
    'an invalid response': [
      (response) => void response.socket?.end('hello\r\n\r\n'),
      null,
      expect.stringContaining('The request failed'),
    ],
  }

  it.each(Object.entries(failures))('is retried unchanged after %s', async (_, [respond, status, problem]) => {
    await using server = await openWebhookOffice()
    const { id, secret } = await server.subscribe()
    await server.put(server.plans, 'new.txt', server.kim)
    server.receiver.respond = respond
    await server.deliver()
    expect(await server.listDeliveries(id)).toMatchObject([{ state: 'waiting', tries: 1, status, problem }])
    expect(await server.readWebhook(id)).toMatchObject({ failures: 1, failing_since: '2026-12-01T09:00:00.000Z' })
    server.receiver.respond = respondWith(200)
    await server.deliver() // not due yet
    server.advance(5_000)
    await server.deliver()
    const [first, second, ...more] = server.receiver.received
    expect(more).toEqual([])
    expect(second?.body).toBe(first?.body)
    expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id'])
    expect(second?.headers['webhook-timestamp']).not.toBe(first?.headers['webhook-timestamp'])
    expect(second && isGenuine(second, secret)).toBe(true)
    expect(await server.listDeliveries(id)).toMatchObject([{ state: 'sent', tries: 2, status: 200, problem: null }])
    expect(await server.readWebhook(id)).toMatchObject({ failures: 0, failing_since: null })
  })

  it('is retried at growing intervals, and fails after eight attempts within about a day', async () => {
    await using server = await openWebhookOffice()
    const { id } = await server.subscribe()
    await server.put(server.plans, 'new.txt', server.kim)
    server.receiver.respond = respondWith(503)
    const waits: number[] = []
    for (;;) {
      await server.deliver()
      const [{ state, next_at, tries }] = await server.listDeliveries(id)
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
    expect(await server.listDeliveries(id, '?state=waiting')).toEqual([])
  })

  it('does not delay other webhooks when its receiver hangs, and is aborted when the server stops', async () => {
    await using server = await openWebhookOffice()
    await using other = await startReceiver()
    server.receiver.respond = () => undefined
    const { id } = await server.subscribe()
    await server.subscribe({ url: other.url })
    for (const name of ['a.txt', 'b.txt', 'c.txt']) await server.put(server.plans, name, server.kim)
    const delivery = startDelivery(createWebhookQueue(server.deps))
    await expect.poll(() => other.events().map(({ data }) => data.name)).toHaveLength(3)
    expect(server.receiver.received).toHaveLength(1)
    await delivery.stop()
    expect(await server.listDeliveries(id)).toMatchObject(Array.from({ length: 3 }, () => ({ state: 'waiting', tries: 0 })))
    server.receiver.respond = respondWith(204)
    await server.deliver()
    expect(server.receiver.received).toHaveLength(4)
  })

  it('does not delay other companies, however many receivers of one company hang', async () => {
    await using server = await openWebhookOffice()
    await using other = await startReceiver()
    server.receiver.respond = () => undefined
    for (let i = 0; i < 20; i++) await server.subscribe()
    await server.create({ company: await server.companyOf(server.eve), url: other.url }, server.eve)
    await server.put(server.plans, 'new.txt', server.kim)
    server.advance(1000)
    await server.put(server.foreign, 'theirs.txt', server.eve)
    const delivery = startDelivery(createWebhookQueue(server.deps))
    await expect.poll(() => other.events()).toMatchObject([{ data: { name: 'theirs.txt' } }])
    await expect.poll(() => server.receiver.received.length).toBe(4)
    await server.put(server.foreign, 'more.txt', server.eve)
    await expect.poll(() => other.received.length).toBe(2) // so due deliveries were read again
    expect(server.receiver.received).toHaveLength(4)
    await delivery.stop()
  })

  it('waits until healthy webhooks got theirs if its own webhook failed last time', async () => {
    await using server = await openWebhookOffice()
    await using other = await startReceiver()
    server.receiver.respond = () => undefined
    for (let i = 0; i < 6; i++) await server.subscribe()
    await server.put(server.plans, 'a.txt', server.kim)
    await server.deps.db.updateTable('webhook').set({ failures: 1 }).execute()
    server.advance(1000)
    await server.subscribe({ url: other.url })
    await server.put(server.plans, 'b.txt', server.kim)
    const delivery = startDelivery(createWebhookQueue(server.deps))
    await expect.poll(() => other.events()).toMatchObject([{ data: { name: 'b.txt' } }])
    await delivery.stop()
  })

  it('is aborted on shutdown even while the name lookup hangs', async () => {
    await using server = await openWebhookOffice()
    const { lookup } = dns
    let lookups = 0
    dns.lookup = (() => new Promise(() => lookups++)) as unknown as typeof lookup
    syncBuiltinESMExports()
    try {
      const { id } = await server.subscribe({ url: server.receiver.url.replace('127.0.0.1', 'hooks.example') })
      await server.put(server.plans, 'new.txt', server.kim)
      const delivery = startDelivery(createWebhookQueue(server.deps))
      await expect.poll(() => lookups).toBe(1)
      await delivery.stop()
      expect(await server.listDeliveries(id)).toMatchObject([{ state: 'waiting', tries: 0 }])
    } finally {
      dns.lookup = lookup
      syncBuiltinESMExports()
    }
  })

  it('is sent by only one of two nodes, and not lost when that node dies', async () => {
    await using server = await openWebhookOffice()
    await server.subscribe()
    for (const name of ['a.txt', 'b.txt', 'c.txt', 'd.txt']) await server.put(server.plans, name, server.kim)
    const another = createWebhookQueue(server.deps)
    await Promise.all([server.deliver(), deliverDue(another), server.deliver(), deliverDue(another)])
    expect(
      server.receiver
        .events()
        .map(({ data }) => data.name)
        .toSorted(),
    ).toEqual(['a.txt', 'b.txt', 'c.txt', 'd.txt'])
    await server.put(server.plans, 'e.txt', server.kim)
    // The state that a node leaves if it is killed while sending.
    const until = new Date(server.deps.now().getTime() + 30_000).toISOString()
    await server.deps.db
      .updateTable('webhook_delivery')
      .set({ claim: 'dead', next_at: until })
      .where('state', '=', 'waiting')
      .execute()
    await deliverDue(another)
    expect(server.receiver.received).toHaveLength(4)
    server.advance(30_000)
    await deliverDue(another)
    expect(server.receiver.events().at(-1)).toMatchObject({ data: { name: 'e.txt' } })
  })

  it('pauses its webhook, with the reason, after a hundred failures in a row over three days', async () => {
    await using server = await openWebhookOffice()
    const { id } = await server.subscribe({ events: ['upload'] })
    server.receiver.respond = respondWith(500)
    await server.put(server.plans, 'new.txt', server.kim)
    await server.deliver()
    await server.deps.db.updateTable('webhook').set({ failures: 110 }).execute()
    server.advance(3 * dayMs - 1000)
    await server.deliver()
    expect(await server.readWebhook(id)).toMatchObject({ failures: 111, paused: false })
    server.advance(5 * minute)
    await server.deliver()
    const problem = 'It failed 112 times in a row, over more than three days.'
    expect(await server.readWebhook(id)).toMatchObject({ paused: true, problem })
    expect((await server.readAuditLog()).at(-1)).toMatchObject({ action: 'webhook.paused', who: 'system', note: problem })
    await server.call('PATCH', `/v1/webhook/${id}`, server.kim, { paused: false })
    expect(await server.readWebhook(id)).toMatchObject({ paused: false, problem: null, failures: 0, failing_since: null })
  })

  it('is deleted after thirty days, and is listed in pages, newest first', async () => {
    await using server = await openWebhookOffice()
    const { id } = await server.subscribe()
    for (const name of ['a.txt', 'b.txt']) {
      await server.put(server.plans, name, server.kim)
      await server.deliver()
      server.advance(dayMs)
    }
    const page = (await server.call('GET', `/v1/webhook/${id}/delivery?limit=1`, server.kim)).json()
    expect(page.data).toMatchObject([{ created_at: '2026-12-02T09:00:00.000Z' }])
    const rest = await server.listDeliveries(id, `?limit=1&cursor=${page.next}`)
    expect(rest).toMatchObject([{ created_at: '2026-12-01T09:00:00.000Z' }])
    server.advance(28.5 * dayMs)
    await sweepWebhooks(server.deps)
    expect(await server.listDeliveries(id)).toMatchObject([{ created_at: '2026-12-02T09:00:00.000Z' }])
  })
})
