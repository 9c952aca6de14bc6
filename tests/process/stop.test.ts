import { request } from 'node:http'
import { connect } from 'node:net'
import { expect, it } from 'vitest'
import { admin, startNeptune } from '../support/start-neptune.ts'

const settings = { ADMIN_EMAIL: admin.email, ADMIN_PASSWORD: admin.password }

/** Starts a sign-in without its body, so that the request stays in flight until `finish`. */
async function openSignIn(url: string) {
  const body = JSON.stringify(admin)
  const call = request(`${url}/v1/identity/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body), expect: '100-continue' },
  })
  const response = new Promise<number | undefined>((resolve, reject) => {
    call.once('response', (reply) => reply.resume().once('end', () => resolve(reply.statusCode)))
    call.once('error', reject)
  })
  call.flushHeaders()
  await new Promise((resolve) => call.once('continue', resolve)) // the server has received the headers
  return { finish: () => call.end(body), response }
}

it('finishes requests in flight on SIGINT under load, and exits with 0', async () => {
  await using neptune = await startNeptune(settings)
  const calls = await Promise.all(Array.from({ length: 8 }, () => openSignIn(neptune.url)))
  neptune.process.kill('SIGINT')
  neptune.process.kill('SIGINT') // npm and the terminal both pass Ctrl-C on
  await expect.poll(neptune.output).toContain('Neptune is stopping')
  await expect(fetch(`${neptune.url}/healthz`)).rejects.toThrow()
  for (const call of calls) call.finish()
  expect(await Promise.all(calls.map((call) => call.response))).toEqual(Array.from({ length: 8 }, () => 200))
  expect(await neptune.ended).toBe(0)
})

it('responds with 503 to requests on open connections during shutdown', async () => {
  await using neptune = await startNeptune(settings)
  const { hostname, port } = new URL(neptune.url)
  const pending = await openSignIn(neptune.url) // keeps the server from exiting
  const socket = connect(Number(port), hostname)
  let response = ''
  socket.setEncoding('utf8').on('data', (chunk) => {
    response += chunk
  })
  const closed = new Promise((resolve) => socket.once('close', resolve))
  socket.write('GET /healthz HTTP/1.1\r\nhost: x\r\n') // half a request, so that the connection is not idle
  await expect.poll(() => socket.bytesWritten).toBeGreaterThan(0)
  await fetch(`${neptune.url}/healthz`) // by now the server has read that half
  neptune.process.kill('SIGTERM')
  await expect.poll(neptune.output).toContain('Neptune is stopping')
  socket.write('\r\n')
  await closed
  expect(response).toContain('503 Service Unavailable')
  expect(response).toContain('"code":"server.stopping"')
  expect(response).toContain('retry-after: 5')
  expect(response).toContain('x-content-type-options: nosniff')
  pending.finish()
  expect(await pending.response).toBe(200)
  expect(await neptune.ended).toBe(0)
})

it('stops at once when no request is in flight, despite keep-alive connections', async () => {
  await using neptune = await startNeptune(settings)
  await fetch(`${neptune.url}/healthz`)
  neptune.process.kill('SIGTERM')
  expect(await neptune.ended).toBe(0)
})
