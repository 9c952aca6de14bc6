import { get, request } from 'node:http'
import { expect, it, vi } from 'vitest'
import { digest } from '../support/client.ts'
import { outcomeOf, SetHistory } from './history.ts'
import { type House, openHouse } from './house.ts'
import { randomOf } from './random.ts'

const size = 24 * 2 ** 20 // more than lies in the buffers of a connection

/** A download that waits after its first bytes. `finish` reads the rest: true when it was whole, and right. */
async function beginDownload(house: House, id: string, bytes: Buffer) {
  const reply = await new Promise<import('node:http').IncomingMessage>((resolve, reject) => {
    get(`${house.url}/v1/file/${id}`, { headers: house.staff, agent: false }, resolve).on('error', reject)
  })
  let offset = 0
  let isRight = reply.headers['content-length'] === String(bytes.length)
  const over = new Promise<'whole' | 'broken' | 'short'>((resolve) => {
    reply.on('error', () => undefined)
    // Node says that it is complete only if as much came as was announced.
    reply.once('close', () => resolve(!reply.complete ? 'broken' : isRight && offset === bytes.length ? 'whole' : 'short'))
  })
  const finish = () => {
    reply.on('data', (chunk: Buffer) => {
      isRight &&= chunk.equals(bytes.subarray(offset, offset + chunk.length))
      offset += chunk.length
    })
    return over
  }
  return { finish, over }
}

/** An upload that waits half-way. */
function beginUpload(house: House, history: SetHistory, name: string, bytes: Buffer) {
  const head = '--x\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\n'
  const body = Buffer.concat([Buffer.from(head), bytes, Buffer.from('\r\n--x--\r\n')])
  const entry = history.invoke(name, digest(bytes), bytes.length)
  const call = request(`${house.url}/v1/file/${house.directory}/${name}`, {
    method: 'PUT',
    agent: false,
    headers: { ...house.staff, 'content-type': 'multipart/form-data; boundary=x', 'content-length': String(body.length) },
  })
  const over = new Promise<number | undefined>((resolve) => {
    call.once('response', (reply) => reply.resume().once('close', () => resolve(reply.complete ? reply.statusCode : undefined)))
    call.on('error', () => resolve(undefined))
  }).then((status) => {
    entry.outcome = outcomeOf(status)
    return status
  })
  call.write(body.subarray(0, body.length / 2))
  const finish = () => {
    call.end(body.subarray(body.length / 2))
    return over
  }
  return { finish, over }
}

it('F09: told to stop with a hundred transfers running, it ends those that go on, cuts the rest, and keeps what it acknowledged', async () => {
  const random = randomOf('F09')
  const history = new SetHistory()
  await using house = await openHouse()
  const bytes = random.bytes(size)
  const { id = '' } = await house.upload(history, 'large.bin', bytes)
  const downloads = await Promise.all(Array.from({ length: 50 }, () => beginDownload(house, id, bytes)))
  const uploads = Array.from({ length: 50 }, (_, i) => beginUpload(house, history, `${i}.bin`, random.bytes(200_000)))
  await vi.waitFor(() => expect(house.temporary()).toBe(50), { timeout: 30_000 })

  house.process.kill('SIGTERM')
  await vi.waitFor(() => expect(house.output()).toContain('Neptune is stopping'), { timeout: 10_000 })
  await expect(fetch(`${house.url}/healthz`)).rejects.toThrow()
  // Forty of each go on. The others are silent: nobody waits for them for ever.
  const ended = await Promise.all(downloads.slice(0, 40).map((download) => download.finish()))
  expect(ended.filter((how) => how !== 'whole')).toEqual([])
  const statuses = await Promise.all(uploads.slice(0, 40).map((upload) => upload.finish()))
  expect(statuses.filter((status) => status !== 200)).toEqual([])
  expect(await house.ended(), 'it exits by itself').toBe(0)
  for (const { finish } of downloads.slice(40)) expect(await finish(), 'a broken transfer, not a short success').toBe('broken')
  for (const { over } of uploads.slice(40)) expect(await over).toBeOneOf([undefined, 408, 503])

  await house.start()
  expect(history.count('ok')).toBe(41)
  await house.expectWhole(history)
})
