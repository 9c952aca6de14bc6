import { request } from 'node:http'
import type { Answer } from '../support/call.ts'
import { digest } from '../support/client.ts'
import { outcomeOf, type SetHistory } from './history.ts'

type Headers = Record<string, string>

/** What an upload came to: the status, if there was an answer, and the file's id, if it is one now. */
export interface Uploaded {
  status: number | undefined
  id: string | undefined
}

/** Where uploads go, unless another place is named, and as whom. */
interface Target {
  /** Of the process that serves now. */
  url: () => string
  call: (method: string, path: string, body?: object, headers?: Headers) => Promise<Answer | undefined>
  directory: string
  staff: Headers
}

const version = { 'tus-resumable': '1.0.0' }

export function uploadsTo(target: Target) {
  const { url, call, directory, staff } = target

  /** By one request. `sent` is told of every piece that leaves. */
  function put(
    name: string,
    bytes: Buffer,
    { into = directory, headers = staff, sent = (_count: number) => {} } = {},
  ): Promise<Uploaded> {
    const head = Buffer.from('--x\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\n')
    const whole = Buffer.concat([head, bytes, Buffer.from('\r\n--x--\r\n')])
    const form = { ...headers, 'content-type': 'multipart/form-data; boundary=x' }
    return send(url(), 'PUT', `/v1/file/${into}/${name}`, form, whole, sent)
  }

  /** As tus does it: in pieces, each behind the last. The address of the upload is told as soon as it is known, to go on from there. */
  async function tus(
    name: string,
    bytes: Buffer,
    { pieces = 2, into = directory, headers = staff, sent = (_count: number) => {}, at = (_path: string) => {} } = {},
  ): Promise<Uploaded> {
    const word = (text: string) => Buffer.from(text).toString('base64')
    const metadata = `filename ${word(name)},directory ${word(into)}`
    const length = { 'upload-length': String(bytes.length), 'upload-metadata': metadata }
    const begun = await call('POST', '/v1/upload', undefined, { ...headers, ...version, ...length })
    if (begun?.status !== 201) return { status: begun?.status, id: undefined }
    const path = begun.headers.get('location') ?? ''
    at(path)
    return goOn(target, path, bytes, Math.max(1, Math.ceil(bytes.length / pieces)), headers, sent)
  }

  return {
    put,
    tus,
    /** Asks where an upload stands, and sends the rest. 404 when it is not there any more. */
    resume: (path: string, bytes: Buffer, headers: Headers = staff) => goOn(target, path, bytes, bytes.length, headers, () => {}),

    /** An upload, written down: by one request, or in pieces. */
    async upload(history: SetHistory, name: string, bytes: Buffer, way: 'put' | 'tus' = 'put', options = {}) {
      const entry = history.invoke(name, digest(bytes), bytes.length)
      const { status, id } = way === 'put' ? await put(name, bytes, options) : await tus(name, bytes, options)
      entry.outcome = outcomeOf(status)
      return { entry, status, id }
    },
  }
}

async function goOn(
  { url, call }: Target,
  path: string,
  bytes: Buffer,
  piece: number,
  headers: Headers,
  sent: (count: number) => void,
): Promise<Uploaded> {
  const stands = await call('HEAD', path, undefined, { ...headers, ...version })
  let reply: Uploaded = { status: stands?.status, id: stands?.headers.get('neptune-file') ?? undefined }
  if (stands?.status !== 200) return reply
  let offset = Number(stands.headers.get('upload-offset'))
  while (offset < bytes.length && (reply.status === 200 || reply.status === 204)) {
    const part = bytes.subarray(offset, offset + piece)
    const about = { 'content-type': 'application/offset+octet-stream', 'upload-offset': String(offset) }
    reply = await send(url(), 'PATCH', path, { ...headers, ...version, ...about }, part, sent)
    offset += part.length
  }
  return reply
}

/** Piece by piece, so that it can be killed between any two of them. */
function send(url: string, method: string, path: string, headers: Headers, body: Buffer, sent: (count: number) => void) {
  return new Promise<Uploaded>((resolve) => {
    const call = request(url + path, { method, headers: { ...headers, 'content-length': String(body.length) } })
    const lost = () => resolve({ status: undefined, id: undefined })
    call.on('error', lost)
    call.once('response', (reply) => {
      let text = ''
      reply.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk
      })
      reply.once('close', () => {
        if (!reply.complete) return lost()
        const named = reply.headers['neptune-file'] ?? /"data":\{"id":"([^"]+)"/.exec(text)?.[1]
        resolve({ status: reply.statusCode, id: named?.toString() })
      })
    })
    const write = (offset: number) => {
      if (offset >= body.length) return call.end()
      const part = body.subarray(offset, offset + 16_384)
      call.write(part, (error) => {
        sent(part.length)
        if (!error) write(offset + part.length)
      })
    }
    write(0)
  })
}
