import { request } from 'node:http'
import { connect } from 'node:net'
import { expect, it } from 'vitest'
import { admin, startNeptune } from '../support/start-neptune.ts'

const settings = { ADMIN_EMAIL: admin.email, ADMIN_PASSWORD: admin.password }

/** A sign-in whose body is held back, so that it is in flight for as long as we like. */
async function openSignIn(url: string) {
  const body = JSON.stringify(admin)
  const call = request(`${url}/v1/identity/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body), expect: '100-continue' },
  })
  const answer = new Promise<number | undefined>((resolve, reject) => {
    call.once('response', (reply) => reply.resume().once('end', () => resolve(reply.statusCode)))
    call.once('error', reject)
  })
  call.flushHeaders()
  await new Promise((resolve) => call.once('continue', resolve)) // the server has it
  return { finish: () => call.end(body), answer }
}

it.each(['SIGTERM', 'SIGINT'] as const)('%s under load finishes what is in flight and exits 0', async (signal) => {
  await using neptune = await startNeptune(settings)
  const calls = await Promise.all(Array.from({ length: 8 }, () => openSignIn(neptune.url)))
  neptune.process.kill(signal)
  neptune.process.kill(signal) // as npm and the terminal both pass Ctrl-C on
  await expect.poll(neptune.output).toContain('Neptune is stopping')
  await expect(fetch(`${neptune.url}/healthz`)).rejects.toThrow()
  for (const call of calls) call.finish()
  expect(await Promise.all(calls.map((call) => call.answer))).toEqual(Array.from({ length: 8 }, () => 200))
  expect(await neptune.ended).toBe(0)
})

it('a request that comes on an open connection while it stops is told so in our own words', async () => {
  await using neptune = await startNeptune(settings)
  const { hostname, port } = new URL(neptune.url)
  const held = await openSignIn(neptune.url) // keeps the server from being gone before we ask
  const socket = connect(Number(port), hostname)
  let answer = ''
  socket.setEncoding('utf8').on('data', (chunk) => {
    answer += chunk
  })
  const closed = new Promise((resolve) => socket.once('close', resolve))
  socket.write('GET /healthz HTTP/1.1\r\nhost: x\r\n') // half a request, so that the connection is not idle
  await expect.poll(() => socket.bytesWritten).toBeGreaterThan(0)
  await fetch(`${neptune.url}/healthz`) // by now the server has read that half
  neptune.process.kill('SIGTERM')
  await expect.poll(neptune.output).toContain('Neptune is stopping')
  socket.write('\r\n')
  await closed
  expect(answer).toContain('503 Service Unavailable')
  expect(answer).toContain('"code":"server.stopping"')
  expect(answer).toContain('retry-after: 5')
  expect(answer).toContain('x-content-type-options: nosniff')
  held.finish()
  expect(await held.answer).toBe(200)
  expect(await neptune.ended).toBe(0)
})

it('stops at once when nothing is in flight, with connections kept alive', async () => {
  await using neptune = await startNeptune(settings)
  await fetch(`${neptune.url}/healthz`)
  neptune.process.kill('SIGTERM')
  expect(await neptune.ended).toBe(0)
})

it('starts again by itself after a kill', async () => {
  await using first = await startNeptune(settings)
  first.process.kill('SIGKILL')
  await first.ended
  await using second = await startNeptune({ ...settings, DATA_DIR: `${first.folder}/data` })
  expect((await fetch(`${second.url}/readyz`)).status).toBe(200)
  const call = await openSignIn(second.url)
  call.finish()
  expect(await call.answer).toBe(200)
})
