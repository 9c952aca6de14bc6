import { once } from 'node:events'
import { connect, type NetConnectOpts, type Socket } from 'node:net'
import { describe, expect, it } from 'vitest'
import { startTestServer } from '../../testing.ts'

async function startListening(...args: Parameters<typeof startTestServer>) {
  const server = await startTestServer(...args)
  const { port } = new URL(await server.listen())
  const open = async (options: Partial<NetConnectOpts> = {}) => {
    const socket = connect({ port: Number(port), host: '127.0.0.1', ...options })
    const received = { text: '' }
    socket.on('error', () => undefined) // the server resets connections it rejects
    socket.on('data', (chunk) => (received.text += chunk))
    await once(socket, 'connect')
    return { socket, received }
  }
  return { ...server, open }
}

/** Resolves after a reset, too, for which `once` would throw. */
const waitForClose = (socket: Socket) => new Promise((resolve) => (socket.closed ? resolve(true) : socket.once('close', resolve)))

/** Sends one byte after the other until the connection is closed. */
async function writeSlowly(socket: Socket) {
  const timer = setInterval(() => socket.write('x'), 5)
  await waitForClose(socket)
  clearInterval(timer)
}

const formatHead = (request: string, headers: string[]) => [request, 'host: neptune', ...headers, '', ''].join('\r\n')
const form = 'content-type: multipart/form-data; boundary=x'
const json = 'content-type: application/json'

describe('a connection whose request was answered before its body arrived', () => {
  it.each([
    ['PUT /v1/file/x/a.txt HTTP/1.1', [form, 'content-length: 1000000'], 401],
    ['PUT /v1/file/x/a.txt HTTP/1.1', [form, 'transfer-encoding: chunked'], 401],
    ['PATCH /v1/upload/x HTTP/1.1', ['content-type: application/offset+octet-stream', 'content-length: 1000000'], 401],
    ['POST /v1/directory HTTP/1.1', [json, 'content-length: 1000'], 401],
    ['POST /v1/identity/login HTTP/1.1', [json, 'content-length: 1000000000'], 413],
    ['POST /v1/identity/login HTTP/1.1', ['content-type: text/plain', 'content-length: 1000'], 415],
    ['PUT /nowhere HTTP/1.1', [form, 'content-length: 1000000'], 404],
    ['PUT /v1/identity/login HTTP/1.1', [json, 'content-length: 1000000'], 413],
    ['PUT /v1/file/x/a.txt HTTP/1.1', [form, 'content-length: 1000000', 'connection: close'], 401],
    ['PUT /v1/file/x/a.txt HTTP/1.0', [form, 'content-length: 1000000'], 401],
    ['POST /%zz HTTP/1.1', [json, 'content-length: 1000000'], 404],
    ['GET /healthz HTTP/1.1', ['content-type: application/offset+octet-stream', 'content-length: 1000000'], 200],
  ])('is read for a moment and then closed: %s %j → %i', async (request, headers, status) => {
    await using server = await startListening({}, { linger: { timeoutMs: 100, maxBytes: 1e6 } })
    const { socket, received } = await server.open()
    socket.write(formatHead(request, headers))
    if (headers.includes('transfer-encoding: chunked')) socket.write('f4240\r\n')
    await writeSlowly(socket)
    expect(received.text).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
    expect(received.text).toContain('\r\n\r\n{')
  })

  it('is closed sooner when too much of the body arrives', async () => {
    await using server = await startListening({}, { linger: { timeoutMs: 600_000, maxBytes: 100_000 } })
    const { socket, received } = await server.open()
    socket.write(formatHead('PUT /v1/file/x/a.txt HTTP/1.1', [form, 'content-length: 1000000000']))
    await expect.poll(() => received.text).toMatch(/^HTTP\/1.1 401 /)
    for (let n = 0; n < 100; n++) socket.write('x'.repeat(100_000))
    await waitForClose(socket)
  })

  it('stays open when the rest arrives in time', async () => {
    await using server = await startListening({}, { linger: { timeoutMs: 600_000, maxBytes: 1e6 } })
    const { socket, received } = await server.open()
    socket.write(formatHead('PUT /v1/file/x/a.txt HTTP/1.1', [form, 'content-length: 1000']))
    await expect.poll(() => received.text).toMatch(/^HTTP\/1.1 401 /)
    socket.write('x'.repeat(1000) + formatHead('GET /healthz HTTP/1.1', []))
    await expect.poll(() => received.text).toContain('HTTP/1.1 200 ')
    socket.destroy()
  })
})

describe('one address', () => {
  const health = formatHead('GET /healthz HTTP/1.1', [])

  it('holds a limited number of connections, while others are still served', async () => {
    await using server = await startListening({ MAX_CONNECTIONS_PER_ADDRESS: '3' })
    const connections = [await server.open(), await server.open(), await server.open()]
    const rejected = await server.open()
    await waitForClose(rejected.socket)
    expect(rejected.received.text).toBe('')

    const other = await server.open({ localAddress: '127.0.0.2' })
    other.socket.write(health)
    await expect.poll(() => other.received.text).toMatch(/^HTTP\/1.1 200 /)

    connections[0]?.socket.destroy()
    await expect
      .poll(async () => {
        const connection = await server.open()
        connection.socket.write(health)
        await Promise.race([once(connection.socket, 'data'), waitForClose(connection.socket)])
        connection.socket.destroy()
        return connection.received.text
      })
      .toMatch(/^HTTP\/1.1 200 /)
    for (const { socket } of [...connections, other]) socket.destroy()
  })

  it('holds any number of connections as a trusted proxy', async () => {
    await using server = await startListening({ MAX_CONNECTIONS_PER_ADDRESS: '1', TRUST_PROXY: '127.0.0.0/8' })
    const connections = [await server.open(), await server.open(), await server.open()]
    for (const { socket, received } of connections) {
      socket.write(health)
      await expect.poll(() => received.text).toMatch(/^HTTP\/1.1 200 /)
    }
    for (const { socket } of connections) socket.destroy()
  })
})

it('closes connections that have sent nothing when the server stops, long before their timeout', {
  timeout: 30_000,
}, async () => {
  await using server = await startListening()
  const { socket } = await server.open()
  await server.app.close()
  await waitForClose(socket)
})
