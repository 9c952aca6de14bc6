import { randomBytes } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { expect, it } from 'vitest'
import { startSignedIn } from '../support/start-signed-in.ts'

it('F26: returns 503 on open connections and rejects new ones without free descriptors, and recovers when they are freed', async () => {
  await using neptune = await startSignedIn({}, ['prlimit', '--nofile=256:256'])
  const bytes = randomBytes(200_000)
  expect((await neptune.put('first.bin', bytes)).status).toBe(200)
  const [file] = await neptune.list()
  const countDescriptors = () => readdirSync(`/proc/${neptune.process.pid}/fd`).length
  const { hostname, port } = new URL(neptune.url)

  // A connection that was open before and stays open.
  using openConnection = keepOpen(neptune.url, neptune.headers)
  expect(await openConnection.get(`/v1/file/${file?.id}`)).toMatchObject({ status: 200, body: bytes })
  const before = countDescriptors()

  const crowd = Array.from({ length: 400 }, () => connect(Number(port), hostname).on('error', () => undefined))
  const isClosed = (socket: Socket) => socket.destroyed || socket.readableEnded
  for (const socket of crowd) socket.resume().write('GET /healthz HTTP/1.1\r\nhost: x\r\n')
  await expect.poll(() => crowd.filter(isClosed).length).toBeGreaterThan(100)
  expect(countDescriptors()).toBeGreaterThan(250)

  expect((await openConnection.get('/v1/stats')).status).toBe(200)
  for (const reply of [
    await openConnection.get(`/v1/file/${file?.id}`),
    await openConnection.put(`/v1/file/${neptune.directory}/second.bin`, bytes),
  ]) {
    expect(reply.status).toBe(503)
    expect(reply.headers['retry-after']).toBe('5')
    expect(JSON.parse(reply.body.toString())).toMatchObject({ code: 'server.unavailable' })
  }

  for (const socket of crowd) socket.destroy()
  await expect.poll(countDescriptors).toBeLessThanOrEqual(before + 2)
  expect((await neptune.put('third.bin', bytes)).status).toBe(200)
  expect(await neptune.names()).toEqual(['first.bin', 'third.bin'])
  expect(Buffer.from(await (await neptune.get(`/v1/file/${file?.id}`)).arrayBuffer())).toEqual(bytes)
  expect((await fetch(`${neptune.url}/readyz`)).status).toBe(200)
})

interface Reply {
  status: number | undefined
  headers: Record<string, string | string[] | undefined>
  body: Buffer
}

/** Sends requests over one connection that stays open. */
function keepOpen(url: string, headers: Record<string, string>) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const send = (method: string, path: string, more: Record<string, string> = {}, body?: Buffer) =>
    new Promise<Reply>((resolve, reject) => {
      const call = request(url + path, { method, agent, headers: { ...headers, ...more } }, (reply) => {
        const parts: Buffer[] = []
        reply.on('data', (part: Buffer) => parts.push(part))
        reply.once('end', () => resolve({ status: reply.statusCode, headers: reply.headers, body: Buffer.concat(parts) }))
      })
      call.once('error', reject).end(body)
    })
  return {
    get: (path: string) => send('GET', path),
    put(path: string, bytes: Buffer) {
      const head = Buffer.from('--x\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\n')
      const body = Buffer.concat([head, bytes, Buffer.from('\r\n--x--\r\n')])
      return send('PUT', path, { 'content-type': 'multipart/form-data; boundary=x', 'content-length': String(body.length) }, body)
    },
    [Symbol.dispose]: () => agent.destroy(),
  }
}
