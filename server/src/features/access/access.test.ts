import { randomBytes } from 'node:crypto'
import { Agent, get, type IncomingMessage, type Server } from 'node:http'
import { describe, expect, it } from 'vitest'
import { openOffice } from '../link/testing.ts'

const minute = 60_000

const countConnections = (server: Server) =>
  new Promise<number>((resolve, reject) => server.getConnections((err, count) => (err ? reject(err) : resolve(count))))

describe('a visit', () => {
  it('ends an hour after the last request, and twelve hours after the first', async () => {
    await using office = await openOffice()
    const visitor = await office.enter(await office.share())
    const getStatus = async () => (await office.call('GET', '/v1/access', visitor)).statusCode
    for (let i = 0; i < 14; i++) {
      office.advance(50 * minute)
      expect(await getStatus()).toBe(200)
    }
    office.advance(21 * minute) // 12 hours and a minute
    expect(await getStatus()).toBe(401)
    const idle = await office.enter(await office.share())
    office.advance(61 * minute)
    expect((await office.call('GET', '/v1/access', idle)).statusCode).toBe(401)
  })

  it('P22: sees only the files of the shared directory', async () => {
    await using office = await openOffice()
    const visitor = await office.enter(await office.share())
    const listNames = async (query = '') => {
      const reply = await office.call('GET', `/v1/file${query}`, visitor)
      return reply.statusCode === 200
        ? reply.json().data.map(({ file_name }: { file_name: string }) => file_name)
        : reply.statusCode
    }
    expect(await listNames('?sort=name')).toEqual(['first.txt', 'second.txt'])
    expect(await listNames('?search=second')).toEqual(['second.txt'])
    expect(await listNames(`?directory=${office.plans}&sort=name`)).toEqual(['first.txt', 'second.txt'])
    expect(await listNames(`?directory=${office.other}`)).toEqual([])
    expect(await listNames(`?directory=${office.foreign}`)).toEqual([])
    expect(await listNames('?search=hidden')).toEqual([])
    expect(await listNames('?search=foreign.txt')).toEqual([])
    expect(await listNames('?trash=true')).toBe(403)
    expect((await office.call('GET', `/v1/file/${office.second}`, visitor)).body).toBe('second.txt')
    for (const id of [office.hidden, office.foreignFile, 'absent'])
      expect((await office.call('GET', `/v1/file/${id}`, visitor)).statusCode).toBe(404)
    expect((await office.call('GET', `/v1/directory/${office.other}/zip`, visitor)).statusCode).toBe(404)
    expect((await office.call('GET', `/v1/directory/${office.plans}/zip`, visitor)).statusCode).toBe(200)
    expect((await office.put(office.plans, 'new.txt', visitor)).statusCode).toBe(403)
  })

  it('gets download tickets that are invalid once the link is deleted', async () => {
    await using office = await openOffice()
    const link = await office.share()
    const visitor = await office.enter(link)
    const file = await office.data('POST', `/v1/file/${office.first}/ticket`, visitor)
    const zip = await office.data('POST', `/v1/directory/${office.plans}/ticket`, visitor)
    expect((await office.call('POST', `/v1/file/${office.hidden}/ticket`, visitor)).statusCode).toBe(404)
    expect((await office.call('GET', file.url)).body).toBe('first.txt')
    expect((await office.call('GET', zip.url)).statusCode).toBe(200)
    await office.call('DELETE', `/v1/link/${link.key}`, office.kim)
    for (const { url } of [file, zip]) expect((await office.call('GET', url)).statusCode).toBe(404)
  })

  it('P21: sees only the shared file', async () => {
    await using office = await openOffice()
    const visitor = await office.enter(await office.share('LINK_FILE'))
    expect((await office.call('GET', `/v1/file/${office.first}`, visitor)).body).toBe('first.txt')
    for (const url of ['/v1/file', `/v1/directory/${office.plans}/zip`, '/v1/link', '/v1/stats', '/v1/directory'])
      expect((await office.call('GET', url, visitor)).statusCode, url).toBe(403)
    expect((await office.call('GET', `/v1/file/${office.second}`, visitor)).statusCode).toBe(404)
    expect((await office.put(office.plans, 'new.txt', visitor)).statusCode).toBe(403)
    await office.call('DELETE', `/v1/file/${office.first}`, office.kim)
    expect((await office.call('GET', '/v1/access', visitor)).statusCode).toBe(404)
    expect((await office.call('GET', `/v1/file/${office.first}`, visitor)).statusCode).toBe(404)
  })
})

describe('a download that its client does not read', () => {
  it('is announced to the owner, and aborted when the link is deleted', async () => {
    await using office = await openOffice()
    const origin = await office.listen()
    office.app.recheckIntervalMs = 50
    const link = await office.share('LINK_DIRECTORY', { tellDownload: true })
    const visitor = await office.enter(link)
    const body = randomBytes(24 * 1024 * 1024)
    const form = new FormData()
    form.append('file', new Blob([body]), 'big.bin')
    const headers = { ...office.kim, connection: 'close' } // leaves the download's connection as the only one
    const stored = await fetch(`${origin}/v1/file/${office.plans}/big.bin`, { method: 'PUT', headers, body: form })
    const { data } = (await stored.json()) as { data: { id: string } }
    const agent = new Agent()
    const reply = await new Promise<IncomingMessage>((resolve, reject) => {
      get(`${origin}/v1/file/${data.id}`, { headers: visitor, agent }, resolve).on('error', reject)
    })
    // The client does not read, so most of the file is still on the server.
    const countNotices = async () => {
      await office.deliver()
      return office.sentEmails.length
    }
    await expect.poll(countNotices).toBe(1)
    const [row] = await office.data('GET', '/v1/link', office.kim)
    expect(row.downloaded.times).toBe(1)
    await office.call('DELETE', `/v1/link/${link.key}`, office.kim)
    await expect.poll(() => countConnections(office.app.server)).toBe(0)
    let receivedBytes = 0
    reply.on('data', (bytes: Buffer) => {
      receivedBytes += bytes.length
    })
    await new Promise<void>((resolve) => reply.on('close', resolve).on('error', () => undefined))
    expect(reply.complete).toBe(false)
    expect(receivedBytes).toBeLessThan(body.length)
  })
})
