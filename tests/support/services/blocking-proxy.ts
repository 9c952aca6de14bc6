import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { Transform } from 'node:stream'

/** Starts a TCP proxy to a server that can block a connection at a given text, so that a test can act at exactly that moment. */
export async function startBlockingProxy(targetUrl: string) {
  const url = new URL(targetUrl)
  const { hostname, port } = url
  let blockAt: { text: string; remaining: number; resolve: () => void } | undefined
  const sockets = new Set<Socket>()

  function makeFilter() {
    let rest = ''
    let isBlocked = false
    return new Transform({
      transform(chunk: Buffer, _, done) {
        if (isBlocked) return done() // keeps reading, otherwise a closed connection would go unnoticed
        if (!blockAt) return done(null, chunk)
        const { text, resolve } = blockAt
        const received = rest + chunk.toString('latin1')
        blockAt.remaining -= received.split(text).length - 1
        rest = received.slice(1 - text.length)
        if (blockAt.remaining > 0) return done(null, chunk)
        blockAt = undefined
        isBlocked = true
        resolve()
        done()
      },
    })
  }

  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname)
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(socket)
      socket.on('error', () => undefined)
      socket.once('close', () => {
        sockets.delete(socket)
        other.destroy()
      })
    }
    client.pipe(makeFilter()).pipe(upstream)
    upstream.pipe(client)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  url.hostname = '127.0.0.1'
  url.port = String(typeof address === 'object' ? address?.port : '')

  return {
    url: url.href,
    /** Resolves at the n-th occurrence of this text. The text and all later bytes on that connection are dropped. */
    waitForText: (text: string, times = 1) =>
      new Promise<void>((resolve) => {
        blockAt = { text, remaining: times, resolve }
      }),
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
