import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { writeNotes } from '../audit/audit.service.ts'
import { openOffice } from '../link/testing.ts'
import { deliverDueWebhooks } from './delivery.service.ts'

interface Received {
  headers: IncomingHttpHeaders
  body: string
}

export type Answer = (response: ServerResponse) => void

export const answer =
  (status: number, headers: Record<string, string> = {}): Answer =>
  (response) =>
    void response.writeHead(status, headers).end('thank you')

/** Says that from now on it speaks something else than HTTP. */
export const switchProtocols: Answer = (response) =>
  void response.socket?.end('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: other\r\n\r\n')

/** A program of others that is told things: what it got, and how it answers from now on. */
export async function startReceiver() {
  const received: Received[] = []
  const receiver = { received, answers: answer(204), url: '' }
  const server = createServer(async (request, response) => {
    received.push({ headers: request.headers, body: await text(request) })
    receiver.answers(response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  receiver.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`
  return Object.assign(receiver, {
    /** What it was told, in order. */
    told: () => received.map(({ body }) => JSON.parse(body)),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  })
}

/** As docs/webhooks.md has it. */
export function isGenuine({ headers, body }: Received, secret: string): boolean {
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
  return headers['webhook-signature'] === `v1,${createHmac('sha256', key).update(signed).digest('base64')}`
}

/** An office, and a program that wants to be told. */
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
  const listen = async (body: object = {}): Promise<{ id: string; secret: string }> => (await create(body)).json().data
  const read = async (id: string) =>
    (await office.call('GET', '/v1/webhook', office.admin)).json().data.find((row: { id: string }) => row.id === id)
  const deliveries = async (id: string, query = '') =>
    (await office.call('GET', `/v1/webhook/${id}/delivery${query}`, office.kim)).json().data
  const trail = async () => {
    await writeNotes(office.deps)
    return office.deps.db.selectFrom('audit').selectAll().orderBy('seq').execute()
  }
  return {
    ...office,
    receiver,
    acme,
    create,
    listen,
    read,
    deliveries,
    trail,
    tell: () => deliverDueWebhooks(office.deps),
    async [Symbol.asyncDispose]() {
      await receiver[Symbol.asyncDispose]()
      await office[Symbol.asyncDispose]()
    },
  }
}
