import { readdirSync } from 'node:fs'
import { connect } from 'node:net'
import { expect, it, vi } from 'vitest'
import { digest } from '../support/client.ts'
import { readMemoryMiB } from '../support/read-memory.ts'
import { UploadHistory } from './history.ts'
import { makeRandom, type Random } from './random.ts'
import { openFaultServer, type TestServer } from './test-server.ts'

const uploadSeconds = 12

/** Uploads at 1 KiB per second. Resolves to the status, or to undefined if it was aborted after `abortAfterSeconds`. */
function uploadSlowly(server: TestServer, name: string, bytes: Buffer, abortAfterSeconds: number): Promise<number | undefined> {
  const { hostname, port } = new URL(server.url)
  const head = '--x\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\n'
  const tail = '\r\n--x--\r\n'
  const socket = connect(Number(port), hostname)
  return new Promise((resolve) => {
    let second = 0
    socket.write(
      `PUT /v1/file/${server.directory}/${name} HTTP/1.1\r\nhost: x\r\nauthorization: ${server.staff.authorization}\r\n` +
        `content-type: multipart/form-data; boundary=x\r\ncontent-length: ${head.length + bytes.length + tail.length}\r\n\r\n${head}`,
    )
    const timer = setInterval(() => {
      if (second === abortAfterSeconds) return socket.destroy()
      socket.write(bytes.subarray(second * 1024, (second + 1) * 1024))
      second++
      if (second * 1024 < bytes.length) return
      clearInterval(timer)
      socket.write(tail)
    }, 1000)
    socket.setEncoding('utf8').on('error', () => undefined)
    socket.on('data', (text: string) => {
      resolve(Number(/^HTTP\/1.1 (\d+)/.exec(text)?.[1]))
      socket.destroy()
    })
    socket.once('close', () => {
      clearInterval(timer)
      resolve(undefined)
    })
  })
}

/** Starts 200 slow uploads, every other of which is aborted. Returns their statuses. */
async function uploadAll(server: TestServer, history: UploadHistory, random: Random, round: string) {
  const all = Array.from({ length: 200 }, (_, i) => ({
    name: `${round}-${i}.bin`,
    bytes: random.bytes(uploadSeconds * 1024),
    isCompleted: i % 2 === 0,
  }))
  return Promise.all(
    all.map(async ({ name, bytes, isCompleted }) => {
      const entry = history.invoke(name, digest(bytes), bytes.length)
      const status = await uploadSlowly(
        server,
        name,
        bytes,
        isCompleted ? uploadSeconds + 1 : random.between(1, uploadSeconds - 1),
      )
      // An aborted upload must not become a file.
      entry.outcome = status === 200 ? 'ok' : 'fail'
      return { status, isCompleted }
    }),
  )
}

it('F07: leaks no memory, descriptors or files after 200 uploads at 1 KiB per second, half of them aborted', async () => {
  const random = makeRandom('F07')
  const history = new UploadHistory()
  await using server = await openFaultServer()
  const countDescriptors = () => readdirSync(`/proc/${server.process.pid}/fd`).length
  // Warms up, so that one-time allocations don't count.
  const warmUp = Array.from({ length: 200 }, (_, i) =>
    server.upload(history, `warm-${i}.bin`, random.bytes(uploadSeconds * 1024)),
  )
  await Promise.all(warmUp)
  await vi.waitFor(() => expect(server.countTemporaryFiles()).toBe(0), { timeout: 30_000 })
  const baseline = { memory: readMemoryMiB(server.process.pid), descriptors: countDescriptors() }

  const running = uploadAll(server, history, random, 'slow')
  await vi.waitFor(() => expect(server.countTemporaryFiles(), 'running concurrently').toBeGreaterThan(150), {
    timeout: 30_000,
    interval: 100,
  })
  for (const { status, isCompleted } of await running) expect(status).toBe(isCompleted ? 200 : undefined)

  const pollOptions = { timeout: 60_000, interval: 250 }
  await vi.waitFor(() => expect(server.countTemporaryFiles()).toBe(0), pollOptions)
  await vi.waitFor(() => expect(countDescriptors()).toBeLessThanOrEqual(baseline.descriptors + 5), pollOptions)
  await vi.waitFor(() => expect(readMemoryMiB(server.process.pid) - baseline.memory).toBeLessThan(40), pollOptions)
  await server.expectConsistent(history)
})
