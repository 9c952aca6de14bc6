import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { deliverDue } from '../../lib/concurrency/delivery.ts'
import { writeQueuedEntries } from '../audit/audit.service.ts'
import { openOffice } from '../link/testing.ts'
import { createWebhookQueue } from './webhook-queue.service.ts'

interface Received {
  headers: IncomingHttpHeaders
  body: string
}

export type Responder = (response: ServerResponse) => void

export const respondWith =
  (status: number, headers: Record<string, string> = {}): Responder =>
  (response) =>
    void response.writeHead(status, headers).end('thank you')

/** Responds with 101 (Switching Protocols). */
export const switchProtocols: Responder = (response) =>
  void response.socket?.end('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: other\r\n\r\n')

/** Starts a webhook receiver that stores what it receives. Set `respond` to change its responses. */
export async function startReceiver() {
  const received: Received[] = []
  const receiver = { received, respond: respondWith(204), url: '' }
  const server = createServer(async (request, response) => {
    received.push({ headers: request.headers, body: await text(request) })
    receiver.respond(response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  receiver.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`
  return Object.assign(receiver, {
    /** Returns the events in the order in which they were received. */
    events: () => received.map(({ body }) => JSON.parse(body)),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  })
}

/** Verifies a signature as docs/webhooks.md describes. */
export function isGenuine({ headers, body }: Received, secret: string): boolean {
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
  return headers['webhook-signature'] === `v1,${createHmac('sha256', key).update(signed).digest('base64')}`
}

/** Starts a server with an office (see link/testing.ts) and a webhook receiver. */
export async function openWebhookOffice(environment: Record<string, string> = { WEBHOOK_PRIVATE: 'on' }) {
  const office = await openOffice(environment)
  const receiver = await startReceiver()
  const acme = await office.companyOf(office.kim)
  const create = (body: object = {}, who = office.kim) =>
    office.call('POST', '/v1/webhook', who, {
      company: acme,
      url: receiver.url,
      events: ['upload', 'download', 'link.opened'],
      ...body,
    })
  const subscribe = async (body: object = {}): Promise<{ id: string; secret: string }> => (await create(body)).json().data
  const readWebhook = async (id: string) =>
    (await office.call('GET', '/v1/webhook', office.admin)).json().data.find((row: { id: string }) => row.id === id)
  const listDeliveries = async (id: string, query = '') =>
    (await office.call('GET', `/v1/webhook/${id}/delivery${query}`, office.kim)).json().data
  const readAuditLog = async () => {
    await writeQueuedEntries(office.deps)
    return office.deps.db.selectFrom('audit').selectAll().orderBy('seq').execute()
  }
  return {
    ...office,
    receiver,
    acme,
    create,
    subscribe,
    readWebhook,
    listDeliveries,
    readAuditLog,
    deliver: () => deliverDue(createWebhookQueue(office.deps)),
    async [Symbol.asyncDispose]() {
      await receiver[Symbol.asyncDispose]()
      await office[Symbol.asyncDispose]()
    },
  }
}
