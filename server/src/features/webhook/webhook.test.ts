import { describe, expect, it } from 'vitest'
import { withoutRequestId } from '../../testing.ts'
import { dayMs } from '../link/testing.ts'
import { isGenuine, openWebhookOffice } from './testing.ts'

describe('a webhook', () => {
  it('receives signed events for uploads, downloads and opened links, without secrets', async () => {
    await using server = await openWebhookOffice()
    const { id, secret } = await server.subscribe()
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    const file = (await server.put(server.plans, 'new.txt', server.kim)).json().data
    await server.call('GET', `/v1/file/${file.id}`, server.admin)
    const link = await server.share('LINK_EDITABLE_DIRECTORY')
    const visitor = await server.enter(link)
    await server.call('GET', `/v1/directory/${server.plans}/zip`, visitor)
    await server.put(server.plans, 'theirs.txt', visitor)
    await server.deliver()
    const about = { company: server.acme, directory: server.plans, link: null }
    const byLink = { ...about, link: link.key, by: { kind: 'recipient', name: null } }
    const timestamp = '2026-12-01T09:00:00.000Z'
    const events = server.receiver.events()
    expect(events).toHaveLength(5)
    for (const [type, data] of [
      [
        'upload',
        { ...about, file: file.id, name: 'new.txt', size: 7, sha256: file.sha256, by: { kind: 'staff', name: 'Kim Doe' } },
      ],
      [
        'download',
        {
          ...about,
          file: file.id,
          name: 'new.txt',
          size: 7,
          sha256: file.sha256,
          by: { kind: 'staff', name: 'An administrator' },
        },
      ],
      ['link.opened', { ...byLink, file: null, name: 'Plans' }],
      ['download', { ...byLink, file: null, name: 'Plans', size: expect.any(Number) }],
      ['upload', { ...byLink, file: expect.any(String), name: 'theirs.txt', size: 10, sha256: expect.any(String) }],
    ] as const)
      expect(events).toContainEqual({ type, timestamp, data })
    for (const request of server.receiver.received) {
      expect(isGenuine(request, secret)).toBe(true)
      expect(isGenuine({ ...request, body: `${request.body} ` }, secret)).toBe(false)
      expect(request.headers).toMatchObject({ 'content-type': 'application/json', 'webhook-timestamp': '1796115600' })
      expect(request.body).not.toContain(link.code)
    }
    const ids = server.receiver.received.map(({ headers }) => headers['webhook-id'])
    expect((await server.listDeliveries(id)).map((row: { id: string }) => row.id).toSorted()).toEqual(ids.toSorted())
    expect(await server.listDeliveries(id)).toMatchObject(
      ids.map(() => ({ state: 'sent', tries: 1, status: 204, next_at: null })),
    )
  })

  it('receives only the events it subscribes to, of its own company, and none for a failed request', async () => {
    await using server = await openWebhookOffice()
    await server.subscribe({ events: ['upload'] })
    await server.put(server.foreign, 'theirs.txt', server.eve)
    await server.put(server.plans, 'bad/name', server.kim)
    await server.call('GET', `/v1/file/${server.first}`, server.kim)
    await server.app.inject({ url: `/v1/file/${server.first}`, headers: { ...server.kim, range: 'bytes=0-3' } })
    await server.put(server.plans, 'new.txt', server.kim)
    await server.deliver()
    expect(server.receiver.events()).toMatchObject([{ type: 'upload', data: { name: 'new.txt' } }])
  })

  it('receives one event a day for each file that a recipient downloads, in any number of parts', async () => {
    await using server = await openWebhookOffice()
    await server.subscribe({ events: ['download'] })
    const link = await server.share()
    const empty = (await server.put(server.plans, 'empty.txt', server.kim, '')).json().data.id
    // A download is recorded when it ends, which can be a moment after its last byte.
    const listReceivedNames = async () => {
      await server.deliver()
      return server.receiver.events().map(({ data }) => data.name)
    }
    const download = (who: Record<string, string>, id: string, range?: string) =>
      server.call('GET', `/v1/file/${id}`, { ...who, ...(range && { range }) })
    const visitor = await server.enter(link)
    await download(visitor, server.first, 'bytes=1-') // all but one byte
    await expect.poll(listReceivedNames).toEqual(['first.txt'])
    for (const range of ['bytes=-1', 'bytes=0-3', undefined]) await download(visitor, server.first, range)
    for (let i = 0; i < 3; i++) await download(visitor, empty)
    await expect.poll(listReceivedNames).toEqual(['first.txt', 'empty.txt'])
    // Waits until all of them are recorded: first.txt twice in four parts, empty.txt three times.
    await expect.poll(async () => (await server.data('GET', '/v1/link', server.kim))[0].downloaded.times).toBe(5)
    server.advance(dayMs)
    const another = await server.enter(link)
    const { url } = await server.data('POST', `/v1/file/${server.first}/preview`, another)
    for (let i = 0; i < 2; i++) await server.call('GET', url) // a preview sends bytes as well
    await download(another, server.first)
    await expect.poll(listReceivedNames).toEqual(['first.txt', 'empty.txt', 'first.txt'])
    await download(another, server.second)
    await expect.poll(listReceivedNames).toEqual(['first.txt', 'empty.txt', 'first.txt', 'second.txt'])
  })

  it('receives an event for every complete download by staff, but none for previews or ranges', async () => {
    await using server = await openWebhookOffice()
    await server.subscribe({ events: ['download'] })
    for (const range of ['bytes=0-3', 'bytes=-1']) await server.call('GET', `/v1/file/${server.first}`, { ...server.kim, range })
    const { url } = await server.data('POST', `/v1/file/${server.first}/preview`, server.kim)
    expect((await server.call('GET', url)).body).toBe('first.txt')
    await server.deliver()
    expect(server.receiver.events()).toEqual([])
    for (let i = 0; i < 2; i++) await server.call('GET', `/v1/file/${server.first}`, server.kim)
    const countEvents = async () => {
      await server.deliver()
      return server.receiver.events().length
    }
    await expect.poll(countEvents).toBe(2)
  })

  it('receives one event per day and client address when a link is opened', async () => {
    await using server = await openWebhookOffice()
    await server.subscribe({ events: ['link.opened'] })
    const { key, code } = await server.share()
    const countEvents = async () => {
      await server.deliver()
      return server.receiver.events().length
    }
    for (let i = 0; i < 3; i++) await server.verify(key, code)
    expect(await countEvents()).toBe(1)
    await server.verify(key, code, '198.51.100.8')
    expect(await countEvents()).toBe(2)
    server.advance(dayMs)
    for (let i = 0; i < 3; i++) await server.verify(key, code)
    expect(await countEvents()).toBe(3)
  })

  it('shows its secret once, and stores it encrypted', async () => {
    await using server = await openWebhookOffice()
    const { id, secret } = await server.subscribe()
    expect(JSON.stringify(await server.readWebhook(id))).not.toContain('whsec')
    const rows = JSON.stringify(await server.deps.db.selectFrom('webhook').selectAll().execute())
    expect(rows).not.toContain(secret.slice(6))
    expect(JSON.stringify(await server.readAuditLog())).not.toContain(secret)
  })

  it('can be seen, changed, tested and deleted only by users of its company and by admins', async () => {
    await using server = await openWebhookOffice()
    const { id } = await server.subscribe()
    for (const [method, path, body] of [
      ['PATCH', '', { paused: true }],
      ['DELETE', ''],
      ['POST', '/test'],
      ['GET', '/delivery'],
    ] as const) {
      const reply = await server.call(method, `/v1/webhook/${id}${path}`, server.eve, body)
      expect(reply.statusCode).toBe(404)
      expect(withoutRequestId(reply)).toBe(
        withoutRequestId(await server.call(method, `/v1/webhook/absent${path}`, server.eve, body)),
      )
    }
    expect((await server.create({}, server.eve)).json().code).toBe('company.not_found')
    expect((await server.create({ company: 'absent' }, server.admin)).json().code).toBe('company.not_found')
    const changed = await server.data('PATCH', `/v1/webhook/${id}`, server.admin, { events: ['download'], paused: true })
    expect(changed).toMatchObject({ events: ['download'], paused: true, problem: null, client: 'Acme GmbH' })
    expect((await server.call('POST', `/v1/webhook/${id}/test`, server.kim)).json().code).toBe('webhook.paused')
    expect((await server.call('DELETE', `/v1/webhook/${id}`, server.kim)).statusCode).toBe(204)
    expect(await server.readWebhook(id)).toBeUndefined()
    const actions = (await server.readAuditLog()).filter(({ action }) => action.startsWith('webhook'))
    expect(actions.map(({ action, name, note }) => [action, name, note])).toEqual([
      ['webhook.created', new URL(server.receiver.url).host, 'upload download link.opened'],
      ['webhook.changed', new URL(server.receiver.url).host, 'download, paused'],
      ['webhook.deleted', new URL(server.receiver.url).host, null],
    ])
  })

  it('can be tested with a ping twenty times an hour', async () => {
    await using server = await openWebhookOffice()
    const { id, secret } = await server.subscribe()
    const test = () => server.call('POST', `/v1/webhook/${id}/test`, server.kim)
    expect((await test()).json().data).toMatchObject({ event: 'ping', state: 'waiting', tries: 0 })
    await server.deliver()
    expect(server.receiver.events()).toMatchObject([{ type: 'ping', data: { company: server.acme } }])
    expect(server.receiver.received.every((request) => isGenuine(request, secret))).toBe(true)
    for (let i = 0; i < 19; i++) expect((await test()).statusCode).toBe(200)
    expect((await test()).statusCode).toBe(429)
  })

  it('is limited to twenty per company, even when many are created at once', async () => {
    await using server = await openWebhookOffice()
    const replies = await Promise.all(Array.from({ length: 23 }, () => server.create()))
    expect(replies.filter(({ statusCode }) => statusCode === 200)).toHaveLength(20)
    expect(replies.filter((reply) => reply.json().code === 'webhook.too_many')).toHaveLength(3)
  })

  it('receives nothing while it is paused, and the events from before the pause once it is resumed', async () => {
    await using server = await openWebhookOffice()
    const { id } = await server.subscribe()
    await server.put(server.plans, 'before.txt', server.kim)
    await server.call('PATCH', `/v1/webhook/${id}`, server.kim, { paused: true })
    await server.put(server.plans, 'meanwhile.txt', server.kim)
    await server.deliver()
    expect(server.receiver.received).toHaveLength(0)
    await server.call('PATCH', `/v1/webhook/${id}`, server.kim, { paused: false })
    await server.deliver()
    expect(server.receiver.events()).toMatchObject([{ data: { name: 'before.txt' } }])
  })

  it('pauses when its owner loses access, until a colleague takes it over', async () => {
    await using server = await openWebhookOffice()
    const { id } = await server.subscribe()
    await server.put(server.plans, 'before.txt', server.kim)
    await server.call('POST', `/v1/admin/user/${server.kimId}/suspend`, server.admin)
    await server.put(server.plans, 'after.txt', server.admin)
    await server.deliver()
    expect(server.receiver.received).toHaveLength(0)
    expect(await server.readWebhook(id)).toMatchObject({
      paused: true,
      problem: expect.stringContaining('has no access to this company'),
    })
    expect(await server.data('PATCH', `/v1/webhook/${id}`, server.admin, { paused: false })).toMatchObject({ paused: false })
    await server.deliver()
    expect(server.receiver.events()).toMatchObject([{ data: { name: 'before.txt' } }])
  })
})

describe('without WEBHOOK_PRIVATE, a webhook', () => {
  const invalid: (readonly [string, string])[] = [
    ['http://hooks.example/', 'This must start with https://.'],
    ['ftp://hooks.example/', 'This must be a URL such as https://example.com/hook.'],
    ['hooks.example', 'This must be a URL such as https://example.com/hook.'],
    ['https://kim:secret@hooks.example/', 'This must not contain a user name or password.'],
    ...[
      'https://127.0.0.1/',
      'https://127.1/',
      'https://2130706433/',
      'https://0177.0.0.1/',
      'https://0x7f.1/',
      'https://127.0.0.1./',
      'https://0.0.0.0/',
      'https://10.1.2.3:8443/',
      'https://169.254.169.254/latest/meta-data',
      'https://[::1]/',
      'https://[::ffff:127.0.0.1]/',
      'https://[::ffff:a9fe:a9fe]/',
      'https://[fd00:ec2::254]/',
      'https://[fe80::1]/',
    ].map((url) => [url, 'This is a private address. Enter a public one.'] as const),
  ]

  it('cannot have an invalid URL or a private address, however it is written', async () => {
    await using server = await openWebhookOffice({})
    for (const [url, message] of invalid) {
      const reply = await server.create({ url })
      expect([url, reply.statusCode, reply.json().errors]).toEqual([url, 400, [{ field: 'url', message }]])
    }
    const { id } = await server.subscribe({ url: 'https://hooks.example/' })
    for (const [url] of invalid)
      expect((await server.call('PATCH', `/v1/webhook/${id}`, server.kim, { url })).statusCode).toBe(400)
  })

  it('is checked again at every attempt', async () => {
    await using server = await openWebhookOffice()
    const { id } = await server.subscribe()
    server.deps.config.allowsPrivateWebhooks = false
    await server.put(server.plans, 'new.txt', server.kim)
    await server.deliver()
    expect(server.receiver.received).toHaveLength(0)
    expect(await server.listDeliveries(id)).toMatchObject([
      { state: 'waiting', tries: 1, problem: 'This must start with https://.' },
    ])
  })
})
