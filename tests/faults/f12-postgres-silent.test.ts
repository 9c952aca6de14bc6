import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { expect, it } from 'vitest'
import { startPostgres } from '../support/services/start-postgres.ts'
import { startSignedIn } from '../support/start-signed-in.ts'

it('F12: rejects requests within half a minute when PostgreSQL stops responding, and recovers as soon as it responds', async () => {
  const server = await startPostgres()
  await using proxy = await startProxy(server.url)
  try {
    await using neptune = await startSignedIn({ DATABASE_URL: proxy.url })
    proxy.isSilent = true
    const startedAt = performance.now()
    const replies = await Promise.all(Array.from({ length: 30 }, (_, i) => neptune.get(`/v1/file?limit=${i + 1}`)))
    expect(replies.map((reply) => `${reply.status} ${reply.headers.get('retry-after')}`)).toEqual(replies.map(() => '503 5'))
    expect(performance.now() - startedAt).toBeLessThan(30_000)
    proxy.isSilent = false
    await expect.poll(async () => (await neptune.put('a.bin')).status, { timeout: 10_000 }).toBe(200)
  } finally {
    await server.stop()
  }
})

/** Starts a proxy to a server that can stop forwarding data without closing its connections. */
async function startProxy(url: string) {
  const { port } = new URL(url)
  const sockets = new Set<Socket>()
  let isSilent = false
  const updateFlow = (socket: Socket) => (isSilent ? socket.pause() : socket.resume())
  const listener = createServer((client) => {
    const upstream = connect(Number(port), '127.0.0.1')
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from)
      from.on('data', (chunk) => to.write(chunk))
      from.on('error', () => undefined)
      from.on('close', () => to.destroy())
      updateFlow(from)
    }
  }).listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const address = listener.address() as AddressInfo
  return {
    url: url.replace(`:${port}/`, `:${address.port}/`),
    set isSilent(value: boolean) {
      isSilent = value
      sockets.forEach(updateFlow)
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      listener.close()
    },
  }
}
