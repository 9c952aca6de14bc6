import { once } from 'node:events'
import { request } from 'node:http'
import { connect } from 'node:net'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { openFileOffice } from '../file/testing.ts'

type Office = Awaited<ReturnType<typeof openFileOffice>>

afterEach(() => void vi.useRealTimers())

const head = '--x\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\n'

function send(server: Office, path: string, headers: Record<string, string>, method = 'PUT') {
  const sent = request(server.origin + path, { method, headers: { ...server.kim, ...headers } })
  const status = new Promise<number | undefined>((resolve) => {
    sent.once('response', (reply) => resolve(reply.resume().statusCode))
    sent.once('error', () => resolve(undefined))
  })
  return { sent, status }
}
const sendForm = (server: Office, name: string) =>
  send(server, `/v1/file/${server.directory}/${name}`, { 'content-type': 'multipart/form-data; boundary=x' })

describe('a sender', () => {
  it('is disconnected if it sends one byte at a time, and no file is created', async () => {
    await using server = await openFileOffice()
    const begun = send(
      server,
      '/v1/upload',
      {
        'tus-resumable': '1.0.0',
        'upload-length': '100000',
        'upload-metadata': `filename ${btoa('a.bin')},directory ${btoa(server.directory)}`,
      },
      'POST',
    )
    const location = new Promise<string>((resolve) =>
      begun.sent.once('response', (reply) => resolve(reply.headers.location ?? '')),
    )
    begun.sent.end()
    const headers = { 'tus-resumable': '1.0.0', 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' }
    const senders = [sendForm(server, 'tiny-chunks.bin'), send(server, await location, headers, 'PATCH')]
    senders[0]?.sent.write(head)
    for (const { sent } of senders) for (let n = 0; n < 20_000; n++) sent.write('x')
    expect(await Promise.all(senders.map(({ status }) => status))).toEqual([undefined, undefined])
    await expect.poll(() => server.countStored().blobs).toBe(0)
  })

  it('gets the error response even if it keeps sending its body after the rejection', async () => {
    const linger = { timeoutMs: 600_000, maxBytes: 1e9 }
    await using server = await openFileOffice({ MAX_UPLOAD_BYTES: '100000' }, { linger })
    const socket = connect(Number(new URL(server.origin).port), '127.0.0.1')
    let response = ''
    socket.on('data', (chunk) => (response += chunk))
    const lines = [
      `PUT /v1/file/${server.directory}/large.bin HTTP/1.1`,
      'host: neptune',
      `authorization: ${server.kim.authorization}`,
      'content-type: multipart/form-data; boundary=x',
      'transfer-encoding: chunked',
    ]
    const encodeChunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`
    socket.write(`${lines.join('\r\n')}\r\n\r\n${encodeChunk(head)}`)
    for (let n = 0; n < 200; n++) if (!socket.write(encodeChunk('x'.repeat(100_000)))) await once(socket, 'drain')
    await expect.poll(() => response).toMatch(/^HTTP\/1.1 413 /)
    socket.destroy()
    expect(server.countStored()).toEqual({ tmp: 0, blobs: 0 })
  })

  it('gets 401 when the session ends before the request does', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    await using server = await openFileOffice()
    const { sent, status } = sendForm(server, 'slow.bin')
    sent.write(`${head}hello\r\n--x--\r\n`)
    await expect.poll(() => server.countStored().tmp).toBe(1)
    await server.call(server.kim, 'DELETE', '/v1/identity')
    vi.advanceTimersByTime(5_000) // the interval of the access check
    await expect.poll(() => server.countStored()).toEqual({ tmp: 0, blobs: 0 })
    expect(await status).toBe(401)
    sent.destroy()
  })
})
