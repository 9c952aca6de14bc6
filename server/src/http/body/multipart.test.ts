import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { FastifyRequest } from 'fastify'
import { expect, it } from 'vitest'
import { readMultipartFile } from './multipart.ts'

const head = '--x\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\n'
const request = (chunks: Iterable<Buffer>) =>
  ({ raw: Readable.from(chunks), headers: { 'content-type': 'multipart/form-data; boundary=x' } }) as unknown as FastifyRequest

it('ends the file when the chunk that fills the buffer also ends the form', async () => {
  const { source, completed } = await readMultipartFile(request([Buffer.from(`${head}${'a'.repeat(1_000_000)}\r\n--x--`)]))
  expect((await buffer(source)).length).toBe(1_000_000)
  await completed
})

it('stops reading while the buffer is full', async () => {
  let chunksRead = 0
  function* chunks() {
    yield Buffer.from(head)
    for (; chunksRead < 1000; chunksRead++) yield Buffer.alloc(1 << 16)
    yield Buffer.from('\r\n--x--')
  }
  const { source, completed } = await readMultipartFile(request(chunks()))
  for (let turn = 0; turn < 100; turn++) await new Promise(setImmediate)
  expect(chunksRead).toBeLessThan(25) // 256 KiB here, and a few chunks that the source stream has read ahead
  expect((await buffer(source)).length).toBe(1000 * 2 ** 16)
  await completed
})

it('rejects if the client has already disconnected', async () => {
  const disconnected = request([])
  disconnected.raw.destroy()
  await expect(readMultipartFile(disconnected)).rejects.toMatchObject({ code: 'file.multipart' })
})
