import { request } from 'node:http'
import type { ApiResponse } from '../support/call-api.ts'
import { digest } from '../support/client.ts'
import { toOutcome, type UploadHistory } from './history.ts'

type Headers = Record<string, string>

/** The result of an upload: the status if there was a response, and the file's id if it is complete. */
export interface UploadResult {
  status: number | undefined
  id: string | undefined
}

/** Where uploads go by default, and as whom. */
interface Target {
  /** The URL of the current process. */
  url: () => string
  call: (method: string, path: string, body?: object, headers?: Headers) => Promise<ApiResponse | undefined>
  directory: string
  staff: Headers
}

const tusVersion = { 'tus-resumable': '1.0.0' }

/** Returns functions that upload files in several ways. */
export function makeUploaders(target: Target) {
  const { url, call, directory, staff } = target

  /** Uploads with one PUT request. Calls `onSent` with the size of every chunk that was sent. */
  function put(
    name: string,
    bytes: Buffer,
    { into = directory, headers = staff, onSent = (_count: number) => {} } = {},
  ): Promise<UploadResult> {
    const head = Buffer.from('--x\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\n')
    const multipart = Buffer.concat([head, bytes, Buffer.from('\r\n--x--\r\n')])
    const form = { ...headers, 'content-type': 'multipart/form-data; boundary=x' }
    return send(url(), 'PUT', `/v1/file/${into}/${name}`, form, multipart, onSent)
  }

  /** Uploads with tus, in several PATCH requests. Calls `onCreated` with the upload's path, so that it can be resumed. */
  async function uploadByTus(
    name: string,
    bytes: Buffer,
    { requests = 2, into = directory, headers = staff, onSent = (_count: number) => {}, onCreated = (_path: string) => {} } = {},
  ): Promise<UploadResult> {
    const base64 = (text: string) => Buffer.from(text).toString('base64')
    const metadata = `filename ${base64(name)},directory ${base64(into)}`
    const length = { 'upload-length': String(bytes.length), 'upload-metadata': metadata }
    const created = await call('POST', '/v1/upload', undefined, { ...headers, ...tusVersion, ...length })
    if (created?.status !== 201) return { status: created?.status, id: undefined }
    const path = created.headers.get('location') ?? ''
    onCreated(path)
    return sendRest(target, path, bytes, Math.max(1, Math.ceil(bytes.length / requests)), headers, onSent)
  }

  return {
    put,
    uploadByTus,
    /** Asks for an upload's offset and sends the rest. The status is 404 if the upload no longer exists. */
    resume: (path: string, bytes: Buffer, headers: Headers = staff) =>
      sendRest(target, path, bytes, bytes.length, headers, () => {}),

    /** Uploads with PUT or tus, and records it in the history. */
    async upload(history: UploadHistory, name: string, bytes: Buffer, method: 'put' | 'tus' = 'put', options = {}) {
      const entry = history.invoke(name, digest(bytes), bytes.length)
      const { status, id } = method === 'put' ? await put(name, bytes, options) : await uploadByTus(name, bytes, options)
      entry.outcome = toOutcome(status)
      return { entry, status, id }
    },
  }
}

/** Asks for an upload's offset and sends the rest in chunks. */
async function sendRest(
  { url, call }: Target,
  path: string,
  bytes: Buffer,
  chunkSize: number,
  headers: Headers,
  onSent: (count: number) => void,
): Promise<UploadResult> {
  const state = await call('HEAD', path, undefined, { ...headers, ...tusVersion })
  let result: UploadResult = { status: state?.status, id: state?.headers.get('neptune-file') ?? undefined }
  if (state?.status !== 200) return result
  let offset = Number(state.headers.get('upload-offset'))
  while (offset < bytes.length && (result.status === 200 || result.status === 204)) {
    const part = bytes.subarray(offset, offset + chunkSize)
    const chunkHeaders = { 'content-type': 'application/offset+octet-stream', 'upload-offset': String(offset) }
    result = await send(url(), 'PATCH', path, { ...headers, ...tusVersion, ...chunkHeaders }, part, onSent)
    offset += part.length
  }
  return result
}

/** Sends a request with its body in small chunks, so that the server can be killed between any two of them. */
function send(url: string, method: string, path: string, headers: Headers, body: Buffer, onSent: (count: number) => void) {
  return new Promise<UploadResult>((resolve) => {
    const call = request(url + path, { method, headers: { ...headers, 'content-length': String(body.length) } })
    const resolveWithoutResponse = () => resolve({ status: undefined, id: undefined })
    call.on('error', resolveWithoutResponse)
    call.once('response', (reply) => {
      let text = ''
      reply.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk
      })
      reply.once('close', () => {
        if (!reply.complete) return resolveWithoutResponse()
        const fileId = reply.headers['neptune-file'] ?? /"data":\{"id":"([^"]+)"/.exec(text)?.[1]
        resolve({ status: reply.statusCode, id: fileId?.toString() })
      })
    })
    const write = (offset: number) => {
      if (offset >= body.length) return call.end()
      const part = body.subarray(offset, offset + 16_384)
      call.write(part, (error) => {
        onSent(part.length)
        if (!error) write(offset + part.length)
      })
    }
    write(0)
  })
}
