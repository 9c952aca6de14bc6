import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { authenticate, type Client, createDirectoryLink, digest, moveUpload, openClient } from '../support/client.ts'
import { makeCrowd } from '../support/load/crowd.ts'
import { type Cluster, startCluster } from '../support/services/start-cluster.ts'
import { startSmtp } from '../support/services/start-smtp.ts'
import { expectChangeWithinSecond } from '../support/settings-change.ts'
import { admin } from '../support/start-neptune.ts'

const pollOptions = { timeout: 60_000 }
let smtp: Awaited<ReturnType<typeof startSmtp>>
let cluster: Cluster
let staff: Record<string, string>
let place: { company: string; directory: string }
/** Clients with the same session: one for each node, and one that goes through nginx. */
let node1: Client
let node2: Client
let throughNginx: Client

beforeAll(async () => {
  smtp = await startSmtp()
  cluster = await startCluster({ SMTP_URL: smtp.url })
  const { headers, company } = await authenticate(cluster.nodes[0], admin)
  staff = headers
  node1 = openClient(cluster.nodes[0], headers, { keepAlive: false })
  node2 = openClient(cluster.nodes[1], headers, { keepAlive: false })
  throughNginx = openClient(cluster.url, headers, { keepAlive: false })
  const { id: directory = '' } = await node1.requestData('POST', '/v1/directory', { directory: 'Plans', client: company })
  place = { company, directory }
}, 180_000)
afterAll(async () => {
  await cluster?.[Symbol.asyncDispose]()
  await smtp?.[Symbol.asyncDispose]()
}, 60_000)

describe('two nodes', () => {
  it('both end a session when its user signs out at one of them', async () => {
    const { headers } = await authenticate(cluster.nodes[0], admin)
    using otherNode = openClient(cluster.nodes[1], headers)
    expect((await otherNode.send('GET', '/v1/identity'))?.status).toBe(200)
    using thisNode = openClient(cluster.nodes[0], headers)
    await thisNode.send('DELETE', '/v1/identity')
    expect((await otherNode.send('GET', '/v1/identity'))?.status).toBe(401)
  })

  it('both open a new link, and both end its visits when its code is reset at one of them', async () => {
    const { key, code } = await createDirectoryLink(node1, place.company, place.directory)
    using stranger = openClient(cluster.nodes[1])
    const entered = await stranger.requestData('POST', '/v1/link/verify', { accessKey: key, accessCode: code })
    using visitor = openClient(cluster.nodes[0], { authorization: `Bearer ${entered['token']}` })
    expect((await visitor.send('GET', '/v1/file?limit=1'))?.status).toBe(200)
    const reserved = await node2.requestData('POST', '/v1/link/initialise', { type: 'RESET', accessKey: key })
    const next = { accessKey: key, accessCode: reserved['accessCode'] }
    expect((await node2.send('PATCH', '/v1/link/reset', next))?.status).toBe(200)
    expect((await visitor.send('GET', '/v1/file?limit=1'))?.status).toBe(401)
    expect(await stranger.requestData('POST', '/v1/link/verify', next)).toMatchObject({ validation: true })
  })

  it('apply a setting within a second of its change at either node', async () => {
    await expectChangeWithinSecond(node1, [node1, node2])
    await expectChangeWithinSecond(node2, [node1, node2])
  })

  it('count wrong codes together: of 80, they check ten and reject seventy with 429', async () => {
    const { key } = await createDirectoryLink(node1, place.company, place.directory)
    const guess = { accessKey: key, accessCode: '0000-0000-0000' }
    const clients = Array.from({ length: 8 }, (_, i) => openClient(cluster.nodes[i % 2] ?? ''))
    const replies = await Promise.all(
      Array.from({ length: 80 }, (_, i) => clients[i % 8]?.send('POST', '/v1/link/verify', guess)),
    )
    const count = (status: number) => replies.filter((reply) => reply?.status === status).length
    expect([count(200), count(429)]).toEqual([10, 70])
    using stranger = openClient(cluster.url)
    expect((await stranger.send('POST', '/v1/link/verify', guess))?.status).toBe(429)
  })

  it('send each email once, whichever of them queued it', async () => {
    for (let i = 0; i < 10; i++)
      await (i % 2 ? node1 : node2).requestData('POST', '/v1/admin/mail/test', { to: `${i}@acme.example` })
    const countUnsent = async () => {
      const emails = await throughNginx.requestData<{ state: string }[]>('GET', '/v1/admin/mail?limit=200')
      return emails.filter(({ state }) => state !== 'sent').length
    }
    await expect.poll(countUnsent, pollOptions).toBe(0)
    const expected = Array.from({ length: 10 }, (_, i) => `${i}@acme.example`)
    // The earlier tests caused emails to the admin.
    const sent = smtp.messages.map(({ to }) => to[0] ?? '').filter((to) => expected.includes(to))
    expect(sent.toSorted()).toEqual(expected)
  })
})

describe('an upload that is interrupted at one node is finished at the other with identical bytes', () => {
  it('when its connection hangs', async () => {
    const bytes = randomBytes(20_000_000)
    const { headers } = await moveUpload(node1, node2, place.directory, bytes)
    await expectBytes(headers['neptune-file'], bytes)
  })

  it('when its node is killed', async () => {
    const bytes = randomBytes(40_000_000)
    const path = (await node1.createUpload(place.directory, 'killed.bin', bytes.length))?.headers.location ?? ''
    const first = await node1.patch(path, 0, bytes.subarray(0, 1_000_000))
    expect(first?.status).toBe(204)
    const stalled = node1.stallPatch(path, 1_000_000, bytes.subarray(1_000_000), 30_000_000)
    await expect.poll(() => node2.readReceived(place.directory), pollOptions).toBeGreaterThan(12_000_000) // more than one part
    process.kill(cluster.readPid('node1'), 'SIGKILL')
    expect(await stalled.ended).toBeUndefined()

    const offset = Number((await node2.headUpload(path))?.headers['upload-offset'])
    const last = await node2.patch(path, offset, bytes.subarray(offset))
    expect(last?.status, last?.text).toBe(204)
    await cluster.run('start', 'node1')
    await expectBytes(last?.headers['neptune-file'], bytes)
  })

  async function expectBytes(id: string | string[] | undefined, bytes: Buffer) {
    for (const url of [...cluster.nodes, cluster.url]) {
      const reply = await fetch(`${url}/v1/file/${id}`, { headers: staff })
      expect(digest(new Uint8Array(await reply.arrayBuffer()))).toBe(digest(bytes))
    }
  }
})

it('loses nothing and rejects no request while a third node joins and leaves and the others restart under load', async () => {
  using crowd = makeCrowd([cluster.url], staff, place, { keepAlive: false })
  let isOver = false
  const working = crowd.work(() => isOver)
  const before = [cluster.readPid('node1'), cluster.readPid('node2')]
  await cluster.run('start', 'node3')
  await cluster.run('restart', 'node1', 'node2')
  await cluster.run('stop', 'node3')
  isOver = true
  await working
  expect([cluster.readPid('node1'), cluster.readPid('node2')].filter((pid) => before.includes(pid))).toEqual([])
  const uploads = crowd.members.reduce((sum, { files }) => sum + files.length, 0)
  process.stdout.write(`rolling restart: ${uploads} uploads in the meantime\n`)
  expect(uploads).toBeGreaterThan(20)
  expect(crowd.members.flatMap(({ rejected }) => rejected)).toEqual([])
  expect(crowd.members.reduce((sum, { unanswered }) => sum + unanswered, 0)).toBe(0)
  expect(await crowd.findViolations()).toEqual([])
})
