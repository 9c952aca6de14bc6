import { randomBytes } from 'node:crypto'
import { connect } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { admin } from '../support/start-neptune.ts'
import { startSignedIn } from '../support/start-signed-in.ts'

const size = 64 * 2 ** 20
const measuredMs = 2500
const rounds = 3

it('F25: keeps a download at more than half its speed while a hundred people sign in at once', async () => {
  await using neptune = await startSignedIn({ TRUST_PROXY: '127.0.0.1' })
  expect((await neptune.put('large.bin', randomBytes(size))).status).toBe(200)
  const [file] = await neptune.list()
  await using download = keepDownloading(neptune.url, `/v1/file/${file?.id}`, neptune.headers.authorization)
  await download.measureSpeed(1000) // until the speed is steady

  let isOver = true
  let signedIn = 0
  let rejected = 0
  const statuses = new Set<number>()
  /** Signs in repeatedly from a separate address, and obeys Retry-After when rejected. */
  const signInRepeatedly = async (number: number, end: Promise<void>) => {
    while (!isOver) {
      const reply = await fetch(`${neptune.url}/v1/identity/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-forwarded-for': `198.51.100.${number}` },
        body: JSON.stringify(admin),
      })
      await reply.arrayBuffer()
      statuses.add(reply.status)
      if (reply.status === 200) signedIn++
      else rejected++
      if (reply.status !== 200) await Promise.race([wait(1000 * Number(reply.headers.get('retry-after'))), end])
    }
  }
  // Alternates, so that other load on the machine affects both measurements.
  let baseline = 0
  let underLoad = 0
  for (let round = 0; round < rounds; round++) {
    baseline += (await download.measureSpeed(measuredMs)) / rounds
    isOver = false
    const end = Promise.withResolvers<void>()
    const people = Array.from({ length: 100 }, (_, number) => signInRepeatedly(number, end.promise))
    underLoad += (await download.measureSpeed(measuredMs)) / rounds
    isOver = true
    end.resolve()
    await Promise.all(people)
  }

  const ratio = underLoad / baseline
  const formatSpeed = (speed: number) => `${Math.round(speed / 2 ** 20)} MiB/s`
  process.stdout.write(
    `F25: ${formatSpeed(baseline)} alone, ${formatSpeed(underLoad)} with ${signedIn} sign-ins (${rejected} rejected): ${ratio.toFixed(2)}\n`,
  )
  expect([...statuses].filter((status) => ![200, 429].includes(status))).toEqual([])
  expect(signedIn).toBeGreaterThan(20)
  expect(ratio).toBeGreaterThan(0.5)
})

/** Downloads the same file over and over on one connection, and measures its speed. */
function keepDownloading(url: string, path: string, authorization: string) {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname).on('error', () => undefined)
  const request = `GET ${path} HTTP/1.1\r\nhost: x\r\nauthorization: ${authorization}\r\n\r\n`
  let received = 0
  let requested = 0
  socket.on('data', (chunk) => {
    received += chunk.length
    // Requests the next one while this one is still arriving.
    if (received > (requested - 1) * size) {
      requested++
      socket.write(request)
    }
  })
  requested++
  socket.write(request)
  return {
    async measureSpeed(milliseconds: number) {
      const [before, startedAt] = [received, performance.now()]
      await wait(milliseconds)
      return ((received - before) / (performance.now() - startedAt)) * 1000
    },
    [Symbol.asyncDispose]: async () => void socket.destroy(),
  }
}
