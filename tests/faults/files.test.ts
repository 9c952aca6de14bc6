import { readdirSync } from 'node:fs'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { memoryOf } from '../support/memory.ts'
import { SetHistory } from './history.ts'
import { type House, openHouse } from './house.ts'
import { fault } from './injure.ts'
import { randomOf } from './random.ts'

/** The quick part of F01, F02, F04, F07 and P37: what every change is tried with. `npm run faults` has the whole. */
const random = randomOf('files')
let model: House
beforeAll(async () => {
  model = await openHouse()
  await model.stop()
})
afterAll(() => model[Symbol.asyncDispose]())

describe.concurrent('a kill', () => {
  it.each(['sync 1', 'rename 1', 'row 3', 'answer 1'])(
    'before %s leaves a whole file or none, and the next start needs no hand',
    async (moment) => {
      const history = new SetHistory()
      await using house = await openHouse(fault(`kill ${moment}`), { from: model.folder })
      expect((await house.upload(history, 'plan.bin', random.bytes(300_000))).status).toBe(undefined)
      await house.ended()
      await house.start({})
      expect((await house.upload(history, 'next.bin', random.bytes(1000))).entry.outcome).toBe('ok')
      await house.expectWhole(history)
    },
  )
})

it.concurrent.each(['sync 1', 'sync 2', 'sync 4'])(
  'a disk that fails at %s gets the upload refused, and the next one goes through',
  async (moment) => {
    const history = new SetHistory()
    await using house = await openHouse(fault(`EIO ${moment}`), { from: model.folder })
    expect((await house.upload(history, 'plan.bin', random.bytes(300_000))).status).toBe(500)
    expect((await house.upload(history, 'next.bin', random.bytes(1000))).entry.outcome).toBe('ok')
    await house.expectWhole(history)
  },
)

describe('clients', () => {
  it('that break off leave no temporary file and no open descriptor', async () => {
    const history = new SetHistory()
    await using house = await openHouse({}, { from: model.folder })
    const descriptors = () => readdirSync(`/proc/${house.process.pid}/fd`).length
    await house.upload(history, 'first.bin', random.bytes(1000)) // whatever is opened once is open now
    const before = descriptors()
    const { hostname, port } = new URL(house.url)
    const begin = () => {
      const socket = connect(Number(port), hostname).on('error', () => undefined)
      const head = `--x\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\n`
      socket.write(
        `PUT /v1/file/${house.directory}/slow.bin HTTP/1.1\r\nhost: x\r\nauthorization: ${house.staff.authorization}\r\n` +
          `content-type: multipart/form-data; boundary=x\r\ncontent-length: 1000000\r\n\r\n${head}`,
      )
      socket.write(random.bytes(random.between(0, 100_000)))
      return socket
    }
    const sockets = Array.from({ length: 60 }, begin)
    await vi.waitFor(() => expect(house.temporary()).toBe(60), { timeout: 30_000 })
    for (const socket of sockets) socket.destroy()
    await vi.waitFor(() => expect(house.temporary()).toBe(0), { timeout: 30_000 })
    await vi.waitFor(() => expect(descriptors()).toBeLessThanOrEqual(before + 2), { timeout: 30_000 })
    await house.expectWhole(history)
  })

  it('P37: that read slowly, two hundred of them, cost little memory and keep nobody waiting', async () => {
    await using house = await openHouse({}, { from: model.folder })
    const { id } = await house.upload(new SetHistory(), 'large.bin', random.bytes(50 * 2 ** 20))
    const before = memoryOf(house.process.pid)
    const { hostname, port } = new URL(house.url)
    const readers = Array.from({ length: 200 }, () => {
      const socket = connect(Number(port), hostname).on('error', () => undefined)
      socket.write(`GET /v1/file/${id} HTTP/1.1\r\nhost: x\r\nauthorization: ${house.staff.authorization}\r\n\r\n`)
      return socket
    })
    // Each takes its first bytes and then no more.
    await Promise.all(readers.map((socket) => new Promise((resolve) => socket.once('data', () => resolve(socket.pause())))))
    for (let i = 0; i < 20; i++) expect((await house.call('GET', '/v1/stats'))?.status).toBe(200)
    expect(memoryOf(house.process.pid) - before).toBeLessThan(100)
    for (const socket of readers) socket.destroy()
  })
})
