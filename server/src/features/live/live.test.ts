import { api, type ChangeTopic } from '@neptune/contract'
import { describe, expect, it } from 'vitest'
import { openTree } from '../directory/testing.ts'

const url = api.live.read.path

/** Starts a server whose live connections stay open, and listens. */
async function openLiveOffice() {
  const tree = await openTree()
  tree.app.liveTiming = { pollIntervalMs: 20, maxConnectionMs: 60_000 }
  const address = await tree.listen()
  /** Opens a live connection, and waits until changes are reported. */
  const connect = async (headers: Record<string, string>) => {
    const reply = await fetch(address + url, { headers })
    const events = readEvents(reply)
    if (reply.status === 200) expect((await events.next()).value).toEqual(['open', []])
    return { status: reply.status, retryAfter: reply.headers.get('retry-after'), events }
  }
  /** Connects, and returns a function that waits for the next change. */
  const listenAs = async (headers: Record<string, string>) => {
    const { events } = await connect(headers)
    return async (): Promise<ChangeTopic[] | 'ended'> => {
      const { done, value } = await events.next()
      return done ? 'ended' : value[1]
    }
  }
  return { ...tree, address, connect, listenAs }
}

async function* readEvents(reply: Response): AsyncGenerator<[event: string, data: ChangeTopic[]]> {
  let text = ''
  for await (const chunk of (reply.body ?? new ReadableStream()).pipeThrough(new TextDecoderStream())) {
    text += chunk
    for (let end = text.indexOf('\n\n'); end !== -1; end = text.indexOf('\n\n')) {
      const [, event = '', data = ''] = /^event: (\w+)\ndata: (.*)$/.exec(text.slice(0, end)) ?? []
      text = text.slice(end + 2)
      if (event) yield [event, JSON.parse(data)]
    }
  }
}

describe('a live connection of staff', () => {
  it('reports changes in companies that they may see, and no others', async () => {
    await using office = await openLiveOffice()
    const [ofKim, ofAdmin] = [await office.listenAs(office.kim), await office.listenAs(office.admin)]
    await office.upload(office.foreign, 'secret.txt', '', office.eve)
    expect(await ofAdmin()).toEqual(['file'])
    await office.addDirectory(office.kim, 'Offers')
    expect(await ofKim()).toEqual(['directory'])
    expect(await ofAdmin()).toEqual(['directory'])
  })

  it('reports visits and uploads of recipients', async () => {
    await using office = await openLiveOffice()
    const link = await office.share('LINK_EDITABLE_DIRECTORY')
    const next = await office.listenAs(office.kim)
    const visitor = await office.enter(link)
    expect(await next()).toContain('link')
    await office.upload(office.plans, 'reply.txt', '', visitor)
    for (let topics = await next(); !topics.includes('file'); topics = await next());
  })

  it('does not report a changed note to the people of the company', async () => {
    await using office = await openLiveOffice()
    const { company } = await office.readDirectory(office.plans)
    const [ofKim, ofAdmin] = [await office.listenAs(office.kim), await office.listenAs(office.admin)]
    await office.send('PATCH', `/v1/admin/company/${company}`, office.admin, { note: 'Pays late.' })
    expect(await ofAdmin()).toEqual(['company'])
    await office.addDirectory(office.kim, 'Offers')
    expect(await ofKim()).toEqual(['directory'])
  })

  it('follows a change of access', async () => {
    await using office = await openLiveOffice()
    const next = await office.listenAs(office.kim)
    const setAccess = (access: string) => office.send('PATCH', `/v1/admin/user/${office.kimId}/access`, office.admin, { access })
    await setAccess('all')
    expect(await next()).toEqual(['user'])
    await office.upload(office.foreign, 'one.txt', '', office.eve)
    expect(await next()).toEqual(['file'])
    await setAccess('own')
    expect(await next()).toEqual(['user'])
    await office.upload(office.foreign, 'two.txt', '', office.eve)
    await office.addDirectory(office.kim, 'Offers')
    expect(await next()).toEqual(['directory'])
  })

  it.each(['are suspended', 'sign out'])('ends when they %s', async (how) => {
    await using office = await openLiveOffice()
    const next = await office.listenAs(office.kim)
    if (how === 'are suspended') await office.send('POST', `/v1/admin/user/${office.kimId}/suspend`, office.admin)
    else await office.send('DELETE', '/v1/identity', office.kim)
    expect(await next()).toBe('ended')
  })

  it('ends when the session is idle for too long', async () => {
    await using office = await openLiveOffice()
    const next = await office.listenAs(office.kim)
    office.advance(6_000_001 * 60_000)
    expect(await next()).toBe('ended')
  })
})

describe('a live connection of a recipient', () => {
  it('reports changes in the shared directory and below, and nowhere else', async () => {
    await using office = await openLiveOffice()
    const folder = await office.addFolder(office.plans, '2026')
    const next = await office.listenAs(await office.enter(await office.share('LINK_DIRECTORY')))
    await office.upload(office.other, 'other.txt')
    await office.send('PATCH', `/v1/file/${office.hidden}`, office.kim, { file_name: 'renamed.txt' })
    await office.call('GET', `/v1/file/${office.first}`, office.kim) // downloads by staff are not reported to recipients
    await office.upload(folder, 'new.txt')
    expect(await next()).toEqual(['file', 'directory'])
    await office.addFolder(folder, 'Offers')
    expect(await next()).toEqual(['directory'])
  })

  it('reports changes of the file that a link shares, and none of its directory', async () => {
    await using office = await openLiveOffice()
    const next = await office.listenAs(await office.enter(await office.share('LINK_FILE')))
    await office.upload(office.plans, 'new.txt')
    await office.addFolder(office.plans, '2026')
    await office.send('PATCH', `/v1/file/${office.first}`, office.kim, { file_name: 'renamed.txt' })
    expect(await next()).toEqual(['file'])
  })

  it('does not report new versions if the link is pinned to one', async () => {
    await using office = await openLiveOffice()
    const [pinned, other] = [await office.share('LINK_FILE', { version: office.first }), await office.share('LINK_FILE')]
    const [ofPinned, ofOther] = [
      await office.listenAs(await office.enter(pinned)),
      await office.listenAs(await office.enter(other)),
    ]
    await office.upload(office.plans, 'first.txt', '?conflict=replace')
    expect(await ofOther()).toEqual(['file'])
    await office.send('POST', `/v1/link/${pinned.key}/extend`, office.kim, {})
    expect(await ofPinned()).toEqual(['access'])
  })

  it('reports that a version was deleted only if the link is pinned to a version', async () => {
    await using office = await openLiveOffice()
    const [pinned, other] = [await office.share('LINK_FILE', { version: office.first }), await office.share('LINK_FILE')]
    await office.upload(office.plans, 'first.txt', '?conflict=replace')
    const recipient = await office.enter(pinned)
    const [ofPinned, ofOther] = [await office.listenAs(recipient), await office.listenAs(await office.enter(other))]
    await office.send('DELETE', `/v1/file/${office.first}/version/${office.first}`, office.kim)
    expect(await ofPinned()).toEqual(['file'])
    expect((await office.call('GET', `/v1/file/${office.first}`, recipient)).statusCode).toBe(404)
    await office.send('POST', `/v1/link/${other.key}/extend`, office.kim, {})
    expect(await ofOther()).toEqual(['access'])
  })

  it('reports that the link was extended, and ends when the link is deleted', async () => {
    await using office = await openLiveOffice()
    const [link, other] = [await office.share('LINK_DIRECTORY'), await office.share('LINK_DIRECTORY')]
    const next = await office.listenAs(await office.enter(link))
    await office.send('POST', `/v1/link/${other.key}/extend`, office.kim, {})
    await office.send('POST', `/v1/link/${link.key}/extend`, office.kim, {})
    expect(await next()).toEqual(['access'])
    await office.send('DELETE', `/v1/link/${link.key}`, office.kim)
    expect(await next()).toBe('ended')
  })
})

describe('a live connection', () => {
  it('is refused while the same person has twenty others', async () => {
    await using office = await openLiveOffice()
    for (let i = 0; i < 20; i++) expect((await office.connect(office.kim)).status).toBe(200)
    const { status, retryAfter } = await office.connect(office.kim)
    expect([status, retryAfter]).toEqual([429, '60'])
    expect((await office.connect(office.admin)).status).toBe(200)
  })

  it('ends after a while, so that clients move to other nodes', async () => {
    await using office = await openLiveOffice()
    office.app.liveTiming = { pollIntervalMs: 20, maxConnectionMs: 0 }
    expect(await (await office.listenAs(office.kim))()).toBe('ended')
  })

  it('ends when the server stops, and new ones end at once', async () => {
    await using office = await openLiveOffice()
    const next = await office.listenAs(office.kim)
    office.app.endLiveConnections()
    expect(await next()).toBe('ended')
    const reply = await fetch(office.address + url, { headers: office.kim })
    expect(reply.headers.get('connection')).toBe('close')
    expect(await reply.text()).toBe('')
  })

  it('frees its slot if the client disconnects before the reply begins', async () => {
    await using office = await openLiveOffice()
    const countConnections = () => new Promise((resolve) => office.app.server.getConnections((_, count) => resolve(count)))
    const aborted = new AbortController()
    await office.deps.db.transaction().execute(async () => {
      for (let i = 0; i < 20; i++)
        void fetch(office.address + url, { headers: office.kim, signal: aborted.signal }).catch(() => undefined)
      await expect.poll(countConnections).toBe(20)
      aborted.abort()
      await expect.poll(countConnections).toBe(0)
    })
    await expect.poll(async () => (await fetch(office.address + url, { headers: office.kim })).status).toBe(200)
  })

  it('sends only headers for a HEAD request', async () => {
    await using office = await openLiveOffice()
    const reply = await office.app.inject({ method: 'HEAD', url, headers: office.kim })
    expect([reply.statusCode, reply.headers['content-type']]).toEqual([200, 'text/event-stream'])
  })
})
