import { readdirSync } from 'node:fs'
import { connect } from 'node:net'
import { expect, it, vi } from 'vitest'
import { digest } from '../support/client.ts'
import { memoryOf } from '../support/memory.ts'
import { SetHistory } from './history.ts'
import { type House, openHouse } from './house.ts'
import { type Random, randomOf } from './random.ts'

const seconds = 12

/** One upload at 1 KiB a second. Resolves with its status; undefined when it gave up, after so many seconds. */
function crawl(house: House, name: string, bytes: Buffer, givesUpAfter: number): Promise<number | undefined> {
  const { hostname, port } = new URL(house.url)
  const head = '--x\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\n'
  const tail = '\r\n--x--\r\n'
  const socket = connect(Number(port), hostname)
  return new Promise((resolve) => {
    let second = 0
    socket.write(
      `PUT /v1/file/${house.directory}/${name} HTTP/1.1\r\nhost: x\r\nauthorization: ${house.staff.authorization}\r\n` +
        `content-type: multipart/form-data; boundary=x\r\ncontent-length: ${head.length + bytes.length + tail.length}\r\n\r\n${head}`,
    )
    const timer = setInterval(() => {
      if (second === givesUpAfter) return socket.destroy()
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

async function uploadAll(house: House, history: SetHistory, random: Random, round: string) {
  const all = Array.from({ length: 200 }, (_, i) => ({
    name: `${round}-${i}.bin`,
    bytes: random.bytes(seconds * 1024),
    isPatient: i % 2 === 0,
  }))
  return Promise.all(
    all.map(async ({ name, bytes, isPatient }) => {
      const entry = history.invoke(name, digest(bytes), bytes.length)
      const status = await crawl(house, name, bytes, isPatient ? seconds + 1 : random.between(1, seconds - 1))
      // Whoever gave up sent less than all of it: there is no such file.
      entry.outcome = status === 200 ? 'ok' : 'fail'
      return { status, isPatient }
    }),
  )
}

it('F07: two hundred uploads at 1 KiB a second, half of them given up, leave neither memory nor descriptors nor bytes behind', async () => {
  const random = randomOf('F07')
  const history = new SetHistory()
  await using house = await openHouse()
  const descriptors = () => readdirSync(`/proc/${house.process.pid}/fd`).length
  // Whatever is opened once, and whatever memory is taken once, is taken now.
  const warm = Array.from({ length: 200 }, (_, i) => house.upload(history, `warm-${i}.bin`, random.bytes(seconds * 1024)))
  await Promise.all(warm)
  await vi.waitFor(() => expect(house.temporary()).toBe(0), { timeout: 30_000 })
  const base = { memory: memoryOf(house.process.pid), descriptors: descriptors() }

  const running = uploadAll(house, history, random, 'slow')
  await vi.waitFor(() => expect(house.temporary(), 'all at once').toBeGreaterThan(150), { timeout: 30_000, interval: 100 })
  for (const { status, isPatient } of await running) expect(status).toBe(isPatient ? 200 : undefined)

  const back = { timeout: 60_000, interval: 250 }
  await vi.waitFor(() => expect(house.temporary()).toBe(0), back)
  await vi.waitFor(() => expect(descriptors()).toBeLessThanOrEqual(base.descriptors + 5), back)
  await vi.waitFor(() => expect(memoryOf(house.process.pid) - base.memory).toBeLessThan(40), back)
  await house.expectWhole(history)
})
