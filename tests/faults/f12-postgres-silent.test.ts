import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { expect, it } from 'vitest'
import { startSignedIn } from '../support/signed-in.ts'
import { startPostgres } from '../support/start-postgres.ts'

it('F12: a PostgreSQL that says nothing any more keeps nobody for half a minute, and is asked again as soon as it speaks', async () => {
  const server = await startPostgres()
  await using line = await openLine(server.url)
  try {
    await using neptune = await startSignedIn({ DATABASE_URL: line.url })
    line.isSilent = true
    const begun = performance.now()
    const replies = await Promise.all(Array.from({ length: 30 }, (_, i) => neptune.get(`/v1/file?limit=${i + 1}`)))
    expect(replies.map((reply) => `${reply.status} ${reply.headers.get('retry-after')}`)).toEqual(replies.map(() => '503 5'))
    expect(performance.now() - begun).toBeLessThan(30_000)
    line.isSilent = false
    await expect.poll(async () => (await neptune.put('a.bin')).status, { timeout: 10_000 }).toBe(200)
  } finally {
    await server.stop()
  }
})

/** A line to a server on which, when told so, nothing is heard any more, though it is not cut. */
async function openLine(url: string) {
  const { port } = new URL(url)
  const sockets = new Set<Socket>()
  let isSilent = false
  const listen = (socket: Socket) => (isSilent ? socket.pause() : socket.resume())
  const entrance = createServer((near) => {
    const far = connect(Number(port), '127.0.0.1')
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from)
      from.on('data', (chunk) => to.write(chunk))
      from.on('error', () => undefined)
      from.on('close', () => to.destroy())
      listen(from)
    }
  }).listen(0, '127.0.0.1')
  await once(entrance, 'listening')
  const address = entrance.address() as AddressInfo
  return {
    url: url.replace(`:${port}/`, `:${address.port}/`),
    set isSilent(value: boolean) {
      isSilent = value
      sockets.forEach(listen)
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      entrance.close()
    },
  }
}
