import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { Transform } from 'node:stream'

/** A wire to a server, with somebody on it who listens, and holds back what they wait for: so that one can act just then. */
export async function layWire(to: string) {
  const url = new URL(to)
  const { hostname, port } = url
  let awaited: { words: string; left: number; resolve: () => void } | undefined
  const sockets = new Set<Socket>()

  function ear() {
    let rest = ''
    let isMute = false
    return new Transform({
      transform(chunk: Buffer, _, pass) {
        if (isMute) return pass() // still read: or nobody would notice that the other end is gone
        if (!awaited) return pass(null, chunk)
        const { words, resolve } = awaited
        const said = rest + chunk.toString('latin1')
        awaited.left -= said.split(words).length - 1
        rest = said.slice(1 - words.length)
        if (awaited.left > 0) return pass(null, chunk)
        awaited = undefined
        isMute = true
        resolve()
        pass()
      },
    })
  }

  const server = createServer((near) => {
    const far = connect(Number(port), hostname)
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(socket)
      socket.on('error', () => undefined)
      socket.once('close', () => {
        sockets.delete(socket)
        other.destroy()
      })
    }
    near.pipe(ear()).pipe(far)
    far.pipe(near)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  url.hostname = '127.0.0.1'
  url.port = String(typeof address === 'object' ? address?.port : '')

  return {
    url: url.href,
    /** Resolves when these words are said for the how manieth time. They, and what follows on that connection, never arrive. */
    heard: (words: string, times = 1) =>
      new Promise<void>((resolve) => {
        awaited = { words, left: times, resolve }
      }),
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
