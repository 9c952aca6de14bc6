import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Client, digest, enter, moveUpload, openClient, share } from '../support/client.ts'
import { runCommand } from '../support/run-command.ts'
import { admin, failToStart, startNeptune } from '../support/start-neptune.ts'
import { startPostgres } from '../support/start-postgres.ts'
import { startS3 } from '../support/start-s3.ts'
import { startSmtp } from '../support/start-smtp.ts'

const patience = { timeout: 30_000 }
const scratch = mkdtempSync(join(tmpdir(), 'neptune-nodes-'))
let postgres: Awaited<ReturnType<typeof startPostgres>>
let s3: Awaited<ReturnType<typeof startS3>>
let smtp: Awaited<ReturnType<typeof startSmtp>>
let nodes: Awaited<ReturnType<typeof startNeptune>>[] = []
let common: Record<string, string>
let settings: Record<string, string>
let one: Client
let two: Client
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
  const { headers, company } = await enter(first?.url ?? '', admin)
  one = openClient(first?.url ?? '', headers)
  two = openClient(second?.url ?? '', headers) // who signed in at one is signed in at the other
  const { id: directory = '' } = await two.data('POST', '/v1/directory', { directory: 'Plans', client: company })
  place = { company, directory }
}, 120_000)
afterAll(async () => {
  await Promise.all(nodes.map((node) => node[Symbol.asyncDispose]()))
  await Promise.all([postgres.stop(), s3.stop(), smtp[Symbol.asyncDispose]()])
  rmSync(scratch, { recursive: true, force: true })
}, 60_000)

it('wrong codes are counted together, whichever node they come to', async () => {
  const { key } = await share(one, place.company, place.directory)
  const guess = { accessKey: key, accessCode: '0000-0000-0000' }
  const ways = Array.from({ length: 8 }, (_, i) => openClient(nodes[i % 2]?.url ?? ''))
  const replies = await Promise.all(Array.from({ length: 80 }, (_, i) => ways[i % 8]?.ask('POST', '/v1/link/verify', guess)))
  const count = (status: number) => replies.filter((reply) => reply?.status === status).length
  expect([count(200), count(429)]).toEqual([10, 70])
})

it('an upload that hangs at one node goes on at another, and its bytes are right everywhere', async () => {
  const bytes = randomBytes(20_000_000)
  const { headers } = await moveUpload(one, two, place.directory, bytes)
  for (const client of [one, two]) {
    const file = await client.ask('HEAD', `/v1/file/${headers['neptune-file']}`)
    expect(file?.headers.etag).toBe(`"${digest(bytes)}"`)
  }
  const { code, out } = await runCommand(['fsck', '--scrub'], { ...settings, DATA_DIR: join(nodes[0]?.folder ?? '', 'data') })
  expect(code, out).toBe(0)
})

it('fifty mails leave once each', async () => {
  const send = async (client: Client, from: number, count: number) => {
    for (let i = from; i < from + count; i++) await client.data('POST', '/v1/admin/mail/test', { to: `${i}@acme.example` })
  }
  const hire = async (name: string, url: string) => {
    const who = { email: `${name}@acme.example`, password: `${admin.password} of ${name}` }
    await one.data('POST', '/v1/admin/user', { name, company: place.company, role: 'NEPTUNE_ADMIN', ...who })
    return openClient(url, (await enter(url, who)).headers)
  }
  const [ada, ben] = [await hire('ada', nodes[0]?.url ?? ''), await hire('ben', nodes[1]?.url ?? '')]
  await Promise.all([send(two, 0, 16), send(ada, 16, 17), send(ben, 33, 17)])
  const waiting = async () => {
    const mails = await one.data<{ state: string }[]>('GET', '/v1/admin/mail?limit=200')
    return mails.filter(({ state }) => state !== 'sent').length
  }
  await expect.poll(waiting, patience).toBe(0)
  expect(smtp.mails.map(({ to }) => to[0]).toSorted()).toEqual(
    Array.from({ length: 50 }, (_, i) => `${i}@acme.example`).toSorted(),
  )
})

it('a node that keeps files elsewhere is refused: it would not find those of the others', async () => {
  for (const [other, here] of [
    [{ ...settings, S3_BUCKET: 'another' }, 'the S3 bucket another'],
    [common, join(scratch, 'data')],
  ] as const) {
    const { code, lines } = await failToStart({ ...other, DATA_DIR: join(scratch, 'data') })
    expect(code).toBe(1)
    expect(lines).toEqual([
      expect.stringContaining(`The files of this database are in the S3 bucket nodes, not in ${here}. Every node must use`),
    ])
  }
})
