import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { openClient } from '../support/client.ts'
import { makeServerClock } from '../support/server-clock.ts'
import { admin, startNeptune } from '../support/start-neptune.ts'

const settings = { ADMIN_EMAIL: admin.email, ADMIN_PASSWORD: admin.password, WEBHOOK_PRIVATE: 'on' }
const page = readFileSync(join(import.meta.dirname, '../../docs/webhooks.md'), 'utf8')
const readExample = (language: string) => new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'ms').exec(page)?.[1] ?? ''

type Delivery = { headers: IncomingHttpHeaders; body: string }
type IsGenuine = (secret: string, headers: IncomingHttpHeaders, body: string) => boolean

/** Starts a server that records webhook deliveries. */
async function startReceiver() {
  const received: Delivery[] = []
  const server = createServer(async (request, response) => {
    received.push({ headers: request.headers, body: await text(request) })
    response.end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const close = async () => {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  }
  return { received, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, [Symbol.asyncDispose]: close }
}

/** Signs in as the admin. */
async function signIn(url: string) {
  const login = await openClient(url).send('POST', '/v1/identity/login', admin)
  const { token, info } = JSON.parse(login?.text ?? '')
  return { client: openClient(url, { authorization: `Bearer ${token}` }), company: info.company as string }
}

/** Runs the shell example of docs/webhooks.md on a delivery and returns its output. */
async function verifyInShell(cwd: string, secret: string, { headers, body }: Delivery): Promise<string> {
  writeFileSync(join(cwd, 'body'), body)
  const env = {
    PATH: process.env['PATH'],
    SECRET: secret,
    ID: String(headers['webhook-id']),
    TIMESTAMP: String(headers['webhook-timestamp']),
    SIGNATURE: String(headers['webhook-signature']),
  }
  const { stdout } = await promisify(execFile)('bash', ['-c', `${readExample('sh')}\ntrue`], { cwd, env })
  return stdout.trim()
}

it('delivers webhooks that were pending when the server was killed, with signatures that the examples in docs/webhooks.md accept', async () => {
  await using receiver = await startReceiver()
  await using neptune = await startNeptune(settings)
  const { client, company } = await signIn(neptune.url)
  const { secret = '' } = await client.requestData('POST', '/v1/webhook', { company, url: receiver.url, events: ['upload'] })
  const { id = '' } = await client.requestData('POST', '/v1/directory', { directory: 'Plans', client: company })
  expect((await client.put(id, 'new.txt', Buffer.from('hello')))?.status).toBe(200)
  neptune.process.kill('SIGKILL')
  await neptune.ended
  // If the server was killed during a delivery, its claim on that delivery expires after 30 seconds.
  using clock = makeServerClock()
  clock.setAhead(60_000)
  await using restarted = await startNeptune({ ...settings, ...clock.settings, DATA_DIR: join(neptune.folder, 'data') })
  await expect.poll(() => receiver.received.length).toBeGreaterThan(0)

  const [delivery = { headers: {}, body: '' }] = receiver.received
  expect(JSON.parse(delivery.body)).toMatchObject({ type: 'upload', data: { company, directory: id, name: 'new.txt', size: 5 } })
  const module = `data:text/javascript,${encodeURIComponent(readExample('js'))}`
  const { isGenuine } = (await import(/* @vite-ignore */ module)) as { isGenuine: IsGenuine }
  const changed = { ...delivery, body: delivery.body.replace('"size":5', '"size":6') }
  expect(changed.body).not.toBe(delivery.body)
  const outdated = { ...delivery, headers: { ...delivery.headers, 'webhook-timestamp': '1700000000' } }
  expect([delivery, changed, outdated].map(({ headers, body }) => isGenuine(secret, headers, body))).toEqual([true, false, false])
  expect(await verifyInShell(restarted.folder, secret, delivery)).toBe('genuine')
  expect(await verifyInShell(restarted.folder, secret, changed)).toBe('')
})
