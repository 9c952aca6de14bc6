import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { authenticate, type Client, createDirectoryLink, digest, moveUpload, openClient } from '../support/client.ts'
import { runCommand } from '../support/run-command.ts'
import { startPostgres } from '../support/services/start-postgres.ts'
import { startS3 } from '../support/services/start-s3.ts'
import { startSmtp } from '../support/services/start-smtp.ts'
import { admin, startNeptune, tryToStart } from '../support/start-neptune.ts'

const pollOptions = { timeout: 30_000 }
const scratch = mkdtempSync(join(tmpdir(), 'neptune-nodes-'))
let postgres: Awaited<ReturnType<typeof startPostgres>>
let s3: Awaited<ReturnType<typeof startS3>>
let smtp: Awaited<ReturnType<typeof startSmtp>>
let nodes: Awaited<ReturnType<typeof startNeptune>>[] = []
let common: Record<string, string>
let settings: Record<string, string>
let node1: Client
let node2: Client
let place: { company: string; directory: string }

beforeAll(async () => {
  ;[postgres, s3, smtp] = await Promise.all([startPostgres(), startS3(), startSmtp()])
  common = {
    ADMIN_EMAIL: admin.email,
    ADMIN_PASSWORD: admin.password,
    SECRET_KEY: 'tq0VnM2bX8sLr4yKcP7wZdE1uHfJ6gA9',
    DATABASE_URL: postgres.url,
    SMTP_URL: smtp.url,
    LOG_LEVEL: 'warn',
  }
  settings = { ...common, ...s3.settings, S3_BUCKET: 'nodes' }
  nodes = await Promise.all([startNeptune(settings), startNeptune(settings)])
  const [first, second] = nodes
  const { headers, company } = await authenticate(first?.url ?? '', admin)
  node1 = openClient(first?.url ?? '', headers)
  node2 = openClient(second?.url ?? '', headers) // a session is valid on both nodes
  const { id: directory = '' } = await node2.requestData('POST', '/v1/directory', { directory: 'Plans', client: company })
  place = { company, directory }
}, 120_000)
afterAll(async () => {
  await Promise.all(nodes.map((node) => node[Symbol.asyncDispose]()))
  await Promise.all([postgres.stop(), s3.stop(), smtp[Symbol.asyncDispose]()])
  rmSync(scratch, { recursive: true, force: true })
}, 60_000)

it('counts wrong codes across all nodes', async () => {
  const { key } = await createDirectoryLink(node1, place.company, place.directory)
  const guess = { accessKey: key, accessCode: '0000-0000-0000' }
  const clients = Array.from({ length: 8 }, (_, i) => openClient(nodes[i % 2]?.url ?? ''))
  const replies = await Promise.all(Array.from({ length: 80 }, (_, i) => clients[i % 8]?.send('POST', '/v1/link/verify', guess)))
  const count = (status: number) => replies.filter((reply) => reply?.status === status).length
  expect([count(200), count(429)]).toEqual([10, 70])
})

it('resumes a stalled upload on another node, with identical bytes', async () => {
  const bytes = randomBytes(20_000_000)
  const { headers } = await moveUpload(node1, node2, place.directory, bytes)
  for (const client of [node1, node2]) {
    const file = await client.send('HEAD', `/v1/file/${headers['neptune-file']}`)
    expect(file?.headers.etag).toBe(`"${digest(bytes)}"`)
  }
  const { code, out } = await runCommand(['fsck', '--scrub'], { ...settings, DATA_DIR: join(nodes[0]?.folder ?? '', 'data') })
  expect(code, out).toBe(0)
})

it('sends each of fifty emails once', async () => {
  const send = async (client: Client, from: number, count: number) => {
    for (let i = from; i < from + count; i++) await client.requestData('POST', '/v1/admin/mail/test', { to: `${i}@acme.example` })
  }
  const addAdmin = async (name: string, url: string) => {
    const credentials = { email: `${name}@acme.example`, password: `${admin.password} of ${name}` }
    await node1.requestData('POST', '/v1/admin/user', { name, company: place.company, role: 'NEPTUNE_ADMIN', ...credentials })
    return openClient(url, (await authenticate(url, credentials)).headers)
  }
  const [ada, ben] = [await addAdmin('ada', nodes[0]?.url ?? ''), await addAdmin('ben', nodes[1]?.url ?? '')]
  await Promise.all([send(node2, 0, 16), send(ada, 16, 17), send(ben, 33, 17)])
  const countUnsent = async () => {
    const emails = await node1.requestData<{ state: string }[]>('GET', '/v1/admin/mail?limit=200')
    return emails.filter(({ state }) => state !== 'sent').length
  }
  await expect.poll(countUnsent, pollOptions).toBe(0)
  expect(smtp.messages.map(({ to }) => to[0]).toSorted()).toEqual(
    Array.from({ length: 50 }, (_, i) => `${i}@acme.example`).toSorted(),
  )
})

it('rejects a node with different file storage', async () => {
  for (const [other, location] of [
    [{ ...settings, S3_BUCKET: 'another' }, 'the S3 bucket another'],
    [common, join(scratch, 'data')],
  ] as const) {
    const { code, lines } = await tryToStart({ ...other, DATA_DIR: join(scratch, 'data') })
    expect(code).toBe(1)
    expect(lines).toEqual([
      expect.stringContaining(`The files of this database are in the S3 bucket nodes, not in ${location}. Every node must use`),
    ])
  }
})
