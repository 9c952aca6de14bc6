import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { FastifyRequest } from 'fastify'
import { expect, it } from 'vitest'
import { readMultipartFile } from './multipart.ts'

const head = '--x\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\n'
const request = (chunks: Iterable<Buffer>) =>
  ({ raw: Readable.from(chunks), headers: { 'content-type': 'multipart/form-data; boundary=x' } }) as unknown as FastifyRequest

it('comes to its end when the end of the form is in the very piece that fills what may wait', async () => {
  const { source, whole } = await readMultipartFile(request([Buffer.from(`${head}${'a'.repeat(1_000_000)}\r\n--x--`)]))
  expect((await buffer(source)).length).toBe(1_000_000)
  await whole
})

it('asks for no more than may wait while nobody takes it', async () => {
  let asked = 0
  function* chunks() {
    yield Buffer.from(head)
    for (; asked < 1000; asked++) yield Buffer.alloc(1 << 16)
    yield Buffer.from('\r\n--x--')
  }
  const { source, whole } = await readMultipartFile(request(chunks()))
  for (let turn = 0; turn < 100; turn++) await new Promise(setImmediate)
  expect(asked).toBeLessThan(25) // 256 KiB here, and a few that the stream before has read ahead
  expect((await buffer(source)).length).toBe(1000 * 2 ** 16)
  await whole
})

it('does not wait for somebody who has gone before we could listen', async () => {
  const gone = request([])
  gone.raw.destroy()
  await expect(readMultipartFile(gone)).rejects.toMatchObject({ code: 'file.multipart' })
})
