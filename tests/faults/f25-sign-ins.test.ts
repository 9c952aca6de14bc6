import { randomBytes } from 'node:crypto'
import { connect } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { startSignedIn } from '../support/signed-in.ts'
import { admin } from '../support/start-neptune.ts'

const size = 64 * 2 ** 20
const measured = 2500
const rounds = 3

it('F25: a hundred people who sign in at once leave a running download more than half of its speed', async () => {
  await using neptune = await startSignedIn({ TRUST_PROXY: '127.0.0.1' })
  expect((await neptune.put('large.bin', randomBytes(size))).status).toBe(200)
  const [file] = await neptune.list()
  await using download = keepDownloading(neptune.url, `/v1/file/${file?.id}`, neptune.headers.authorization)
  await download.speed(1000) // until it runs evenly

  let isOver = true
  let signedIn = 0
  let turnedAway = 0
  const statuses = new Set<number>()
  /** Each from an address of their own, again and again; who is turned away comes back when they were told to. */
  const person = async (number: number, over: Promise<void>) => {
    while (!isOver) {
      const reply = await fetch(`${neptune.url}/v1/identity/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-forwarded-for': `198.51.100.${number}` },
        body: JSON.stringify(admin),
      })
      await reply.arrayBuffer()
      statuses.add(reply.status)
      if (reply.status === 200) signedIn++
      else turnedAway++
      if (reply.status !== 200) await Promise.race([wait(1000 * Number(reply.headers.get('retry-after'))), over])
    }
  }
  // In turns, so that whatever else the machine does weighs on both.
  let alone = 0
  let meanwhile = 0
  for (let round = 0; round < rounds; round++) {
    alone += (await download.speed(measured)) / rounds
    isOver = false
    const end = Promise.withResolvers<void>()
    const people = Array.from({ length: 100 }, (_, number) => person(number, end.promise))
    meanwhile += (await download.speed(measured)) / rounds
    isOver = true
    end.resolve()
    await Promise.all(people)
  }

  const ratio = meanwhile / alone
  const shown = (speed: number) => `${Math.round(speed / 2 ** 20)} MiB/s`
  process.stdout.write(
    `F25: ${shown(alone)} alone, ${shown(meanwhile)} with ${signedIn} sign-ins (${turnedAway} turned away): ${ratio.toFixed(2)}\n`,
  )
  expect([...statuses].filter((status) => ![200, 429].includes(status))).toEqual([])
  expect(signedIn).toBeGreaterThan(20)
  expect(ratio).toBeGreaterThan(0.5)
})

/** The same file over and over on one connection, so that it never ends; and how fast it comes. */
function keepDownloading(url: string, path: string, authorization: string) {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname).on('error', () => undefined)
  const request = `GET ${path} HTTP/1.1\r\nhost: x\r\nauthorization: ${authorization}\r\n\r\n`
  let received = 0
  let asked = 0
  socket.on('data', (chunk) => {
    received += chunk.length
    // The next is asked for while this one still comes.
    if (received > (asked - 1) * size) {
      asked++
      socket.write(request)
    }
  })
  asked++
  socket.write(request)
  return {
    async speed(milliseconds: number) {
      const [before, begun] = [received, performance.now()]
      await wait(milliseconds)
      return ((received - before) / (performance.now() - begun)) * 1000
    },
    [Symbol.asyncDispose]: async () => void socket.destroy(),
  }
}
