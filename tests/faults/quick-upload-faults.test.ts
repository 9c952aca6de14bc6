// Short versions of F01, F02, F04, F07 and P37, for a quick check with `npm run faults -- quick`.
import { readdirSync } from 'node:fs'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { readMemoryMiB } from '../support/read-memory.ts'
import { makeFaultSettings } from './fault-injection.ts'
import { UploadHistory } from './history.ts'
import { makeRandom } from './random.ts'
import { openFaultServer, type TestServer } from './test-server.ts'

const random = makeRandom('quick upload faults')
let templateServer: TestServer
beforeAll(async () => {
  templateServer = await openFaultServer()
  await templateServer.stop()
})
afterAll(() => templateServer[Symbol.asyncDispose]())

describe.concurrent('a kill during an upload', () => {
  it.each(['sync 1', 'rename 1', 'row 3', 'response 1'])(
    'before %s leaves a complete file or none, and the next start succeeds without repair',
    async (moment) => {
      const history = new UploadHistory()
      await using server = await openFaultServer(makeFaultSettings(`kill ${moment}`), { from: templateServer.folder })
      expect((await server.upload(history, 'plan.bin', random.bytes(300_000))).status).toBe(undefined)
      await server.ended()
      await server.start({})
      expect((await server.upload(history, 'next.bin', random.bytes(1000))).entry.outcome).toBe('ok')
      await server.expectConsistent(history)
    },
  )
})

it.concurrent.each(['sync 1', 'sync 2', 'sync 4'])(
  'rejects an upload if the disk fails at %s, and accepts the next one',
  async (moment) => {
    const history = new UploadHistory()
    await using server = await openFaultServer(makeFaultSettings(`EIO ${moment}`), { from: templateServer.folder })
    expect((await server.upload(history, 'plan.bin', random.bytes(300_000))).status).toBe(500)
    expect((await server.upload(history, 'next.bin', random.bytes(1000))).entry.outcome).toBe('ok')
    await server.expectConsistent(history)
  },
)

it('leaves no temporary file and no open descriptor after clients disconnect', async () => {
  const history = new UploadHistory()
  await using server = await openFaultServer({}, { from: templateServer.folder })
  const countDescriptors = () => readdirSync(`/proc/${server.process.pid}/fd`).length
  await server.upload(history, 'first.bin', random.bytes(1000)) // opens the descriptors that stay open
  const before = countDescriptors()
  const { hostname, port } = new URL(server.url)
  const startUpload = () => {
    const socket = connect(Number(port), hostname).on('error', () => undefined)
    const head = `--x\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\n`
    socket.write(
      `PUT /v1/file/${server.directory}/slow.bin HTTP/1.1\r\nhost: x\r\nauthorization: ${server.staff.authorization}\r\n` +
        `content-type: multipart/form-data; boundary=x\r\ncontent-length: 1000000\r\n\r\n${head}`,
    )
    socket.write(random.bytes(random.between(0, 100_000)))
    return socket
  }
  const sockets = Array.from({ length: 60 }, startUpload)
  await vi.waitFor(() => expect(server.countTemporaryFiles()).toBe(60), { timeout: 30_000 })
  for (const socket of sockets) socket.destroy()
  await vi.waitFor(() => expect(server.countTemporaryFiles()).toBe(0), { timeout: 30_000 })
  await vi.waitFor(() => expect(countDescriptors()).toBeLessThanOrEqual(before + 2), { timeout: 30_000 })
  await server.expectConsistent(history)
})

it('P37: keeps serving others, with little memory, while two hundred readers have stopped reading', async () => {
  await using server = await openFaultServer({}, { from: templateServer.folder })
  const { id } = await server.upload(new UploadHistory(), 'large.bin', random.bytes(50 * 2 ** 20))
  const before = readMemoryMiB(server.process.pid)
  const { hostname, port } = new URL(server.url)
  const readers = Array.from({ length: 200 }, () => {
    const socket = connect(Number(port), hostname).on('error', () => undefined)
    socket.write(`GET /v1/file/${id} HTTP/1.1\r\nhost: x\r\nauthorization: ${server.staff.authorization}\r\n\r\n`)
    return socket
  })
  // Each reads its first bytes and then stops.
  await Promise.all(readers.map((socket) => new Promise((resolve) => socket.once('data', () => resolve(socket.pause())))))
  for (let i = 0; i < 20; i++) expect((await server.call('GET', '/v1/stats'))?.status).toBe(200)
  expect(readMemoryMiB(server.process.pid) - before).toBeLessThan(100)
  for (const socket of readers) socket.destroy()
})
