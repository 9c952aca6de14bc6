import { get, request } from 'node:http'
import { expect, it, vi } from 'vitest'
import { digest } from '../support/client.ts'
import { toOutcome, UploadHistory } from './history.ts'
import { makeRandom } from './random.ts'
import { openFaultServer, type TestServer } from './test-server.ts'

const size = 24 * 2 ** 20 // more than fits into a connection's buffers

/** Starts a download without reading its body yet. `finish` reads it and returns whether it was complete and correct. */
async function startDownload(server: TestServer, id: string, bytes: Buffer) {
  const reply = await new Promise<import('node:http').IncomingMessage>((resolve, reject) => {
    get(`${server.url}/v1/file/${id}`, { headers: server.staff, agent: false }, resolve).on('error', reject)
  })
  let offset = 0
  let isCorrect = reply.headers['content-length'] === String(bytes.length)
  const ended = new Promise<'complete' | 'broken' | 'short'>((resolve) => {
    reply.on('error', () => undefined)
    // Node sets `complete` only if the full content length arrived.
    reply.once('close', () => resolve(!reply.complete ? 'broken' : isCorrect && offset === bytes.length ? 'complete' : 'short'))
  })
  const finish = () => {
    reply.on('data', (chunk: Buffer) => {
      isCorrect &&= chunk.equals(bytes.subarray(offset, offset + chunk.length))
      offset += chunk.length
    })
    return ended
  }
  return { finish, ended }
}

/** Starts an upload that pauses halfway. */
function startUpload(server: TestServer, history: UploadHistory, name: string, bytes: Buffer) {
  const head = '--x\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\n'
  const body = Buffer.concat([Buffer.from(head), bytes, Buffer.from('\r\n--x--\r\n')])
  const entry = history.invoke(name, digest(bytes), bytes.length)
  const call = request(`${server.url}/v1/file/${server.directory}/${name}`, {
    method: 'PUT',
    agent: false,
    headers: { ...server.staff, 'content-type': 'multipart/form-data; boundary=x', 'content-length': String(body.length) },
  })
  const ended = new Promise<number | undefined>((resolve) => {
    call.once('response', (reply) => reply.resume().once('close', () => resolve(reply.complete ? reply.statusCode : undefined)))
    call.on('error', () => resolve(undefined))
  }).then((status) => {
    entry.outcome = toOutcome(status)
    return status
  })
  call.write(body.subarray(0, body.length / 2))
  const finish = () => {
    call.end(body.subarray(body.length / 2))
    return ended
  }
  return { finish, ended }
}

it('F09: finishes active transfers on shutdown, aborts stalled ones, and keeps everything it acknowledged', async () => {
  const random = makeRandom('F09')
  const history = new UploadHistory()
  await using server = await openFaultServer()
  const bytes = random.bytes(size)
  const { id = '' } = await server.upload(history, 'large.bin', bytes)
  const downloads = await Promise.all(Array.from({ length: 50 }, () => startDownload(server, id, bytes)))
  const uploads = Array.from({ length: 50 }, (_, i) => startUpload(server, history, `${i}.bin`, random.bytes(200_000)))
  await vi.waitFor(() => expect(server.countTemporaryFiles()).toBe(50), { timeout: 30_000 })

  server.process.kill('SIGTERM')
  await vi.waitFor(() => expect(server.output()).toContain('Neptune is stopping'), { timeout: 10_000 })
  await expect(fetch(`${server.url}/healthz`)).rejects.toThrow()
  // Forty of each continue. The others stall, and the server does not wait for them forever.
  const ended = await Promise.all(downloads.slice(0, 40).map((download) => download.finish()))
  expect(ended.filter((result) => result !== 'complete')).toEqual([])
  const statuses = await Promise.all(uploads.slice(0, 40).map((upload) => upload.finish()))
  expect(statuses.filter((status) => status !== 200)).toEqual([])
  expect(await server.ended(), 'it exits by itself').toBe(0)
  for (const { finish } of downloads.slice(40)) expect(await finish(), 'a broken transfer, not a short success').toBe('broken')
  for (const { ended } of uploads.slice(40)) expect(await ended).toBeOneOf([undefined, 408, 503])

  await server.start()
  expect(history.count('ok')).toBe(41)
  await server.expectConsistent(history)
})
