import { createHash, randomBytes } from 'node:crypto'
import { Agent, type ClientRequest, type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'

export interface HttpReply {
  status: number
  headers: IncomingHttpHeaders
  text: string
}

export type Headers = Record<string, string>
type Body = Buffer | object

const tus = { 'tus-resumable': '1.0.0' }
const chunkHeaders = { ...tus, 'content-type': 'application/offset+octet-stream' }
const formHeaders = { 'content-type': 'multipart/form-data; boundary=x' }
const formStart = Buffer.from('--x\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\n')
const formEnd = Buffer.from('\r\n--x--\r\n')
const base64 = (text: string) => Buffer.from(text).toString('base64')

export const makeUniqueName = () => randomBytes(4).toString('hex')

export const digest = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

/**
 * Opens a client with its own keep-alive connection, so that one process serves all its requests. Without `keepAlive`, each request
 * uses a new connection.
 */
export function openClient(url: string, commonHeaders: Headers = {}, { keepAlive = true } = {}) {
  const agent = new Agent({ keepAlive, maxSockets: 1 })
  const startRequest = (method: string, path: string, headers: Headers) =>
    request(url + path, { method, agent, headers: { ...commonHeaders, ...headers } })

  /** Sends a request. Resolves to undefined unless a complete response arrives. */
  const send = (method: string, path: string, body?: Body, extraHeaders: Headers = {}) => {
    const bytes = body === undefined || Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body))
    const type: Headers = bytes === body ? {} : { 'content-type': 'application/json' }
    const length: Headers = bytes ? { 'content-length': String(bytes.length) } : {}
    const call = startRequest(method, path, { ...type, ...length, ...extraHeaders })
    const reply = waitForReply(call)
    call.end(bytes)
    return reply
  }

  return {
    send,
    /** Sends a request that must succeed, and returns `data` of its response. */
    async requestData<Data = Record<string, string>>(method: string, path: string, body?: Body): Promise<Data> {
      const reply = await send(method, path, body)
      if (reply?.status !== 200) throw new Error(`${method} ${path} returned ${reply?.status}: ${reply?.text}`)
      return JSON.parse(reply.text).data
    },
    put: (directory: string, name: string, bytes: Buffer) =>
      send('PUT', `/v1/file/${directory}/${name}`, Buffer.concat([formStart, bytes, formEnd]), formHeaders),

    /** Starts a PUT that pauses after its first byte until `finish` is called. */
    stallPut(directory: string, name: string) {
      const length = { 'content-length': String(formStart.length + 2 + formEnd.length), expect: '100-continue' }
      const call = startRequest('PUT', `/v1/file/${directory}/${name}`, { ...formHeaders, ...length })
      const started = new Promise<void>((resolve) => call.once('continue', resolve))
      const ended = waitForStatus(call)
      call.write(Buffer.concat([formStart, Buffer.from('x')]))
      return { started, ended, finish: () => call.end(Buffer.concat([Buffer.from('y'), formEnd])), destroy: () => call.destroy() }
    },

    createUpload(directory: string, name: string, size: number) {
      const metadata = `filename ${base64(name)},directory ${base64(directory)}`
      return send('POST', '/v1/upload', undefined, { ...tus, 'upload-length': String(size), 'upload-metadata': metadata })
    },
    headUpload: (path: string) => send('HEAD', path, undefined, tus),
    /** Returns how many bytes of the directory's only upload have arrived. Unlike `headUpload`, doesn't stop it. */
    async readReceived(directory: string): Promise<number> {
      const reply = await send('GET', `/v1/upload?directory=${directory}`)
      return JSON.parse(reply?.text ?? '{}').data?.[0]?.received ?? 0
    },
    patch: (path: string, offset: number, bytes: Buffer) =>
      send('PATCH', path, bytes, { ...chunkHeaders, 'upload-offset': String(offset) }),

    /** Starts a PATCH that sends only the first `sent` bytes of the chunk and then stalls. `ended` resolves to its status, if any. */
    stallPatch(path: string, offset: number, bytes: Buffer, sent: number, extraHeaders: Headers = {}) {
      const lengths = { 'upload-offset': String(offset), 'content-length': String(bytes.length) }
      const call = startRequest('PATCH', path, { ...chunkHeaders, ...extraHeaders, ...lengths })
      const ended = waitForStatus(call)
      call.write(bytes.subarray(0, sent))
      return { ended, destroy: () => call.destroy() }
    },

    /** Starts a download without reading its body yet. Returns a function that reads it and returns its SHA-256. */
    startSlowDownload: (id: string) => readInTwoSteps(startRequest('GET', `/v1/file/${id}`, {})),
    [Symbol.dispose]: () => agent.destroy(),
  }
}

const waitForReply = (call: ClientRequest) =>
  new Promise<HttpReply | undefined>((resolve) => {
    call.on('error', () => resolve(undefined))
    call.once('response', (reply) => {
      let text = ''
      reply.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk
      })
      reply.on('error', () => undefined)
      reply.once('close', () =>
        resolve(reply.complete ? { status: reply.statusCode ?? 0, headers: reply.headers, text } : undefined),
      )
    })
  })

const waitForStatus = (call: ClientRequest) =>
  new Promise<number | undefined>((resolve) => {
    call.once('response', (reply) => resolve(reply.resume().statusCode))
    call.on('error', () => resolve(undefined))
  })

async function readInTwoSteps(call: ClientRequest): Promise<() => Promise<string>> {
  const reply = await new Promise<IncomingMessage>((resolve, reject) => {
    call.once('response', resolve).on('error', reject).end()
  })
  return async () => {
    const hash = createHash('sha256')
    for await (const chunk of reply) hash.update(chunk)
    return hash.digest('hex')
  }
}

export type Client = ReturnType<typeof openClient>

/** Signs in. Returns the authorization header and the user's company. */
export async function authenticate(url: string, credentials: { email: string; password: string }) {
  using client = openClient(url)
  const reply = await client.send('POST', '/v1/identity/login', credentials)
  if (reply?.status !== 200) throw new Error(`Sign-in returned ${reply?.status}`)
  const { token, info } = JSON.parse(reply.text)
  return { headers: { authorization: `Bearer ${token}` }, company: info.company as string }
}

/** Creates a link to a directory. */
export async function createDirectoryLink(client: Client, company: string, directory: string, linkType = 'LINK_DIRECTORY') {
  const { key = '', accessCode = '' } = await client.requestData('POST', '/v1/link/initialise', { company, directory })
  const expiry = new Date(Date.now() + 24 * 60 * 60_000).toISOString()
  await client.requestData('POST', '/v1/link', { linkType, directory, key, accessCode, expiry })
  return { key, code: accessCode }
}

/** Starts an upload with the first client, stalls it halfway, and resumes it with the second. Returns the second client's final response. */
export async function moveUpload(one: Client, two: Client, directory: string, bytes: Buffer): Promise<HttpReply> {
  const path = (await one.createUpload(directory, `${makeUniqueName()}.bin`, bytes.length))?.headers.location ?? ''
  const stalled = one.stallPatch(path, 0, bytes, bytes.length / 2)
  while ((await two.readReceived(directory)) === 0) await wait(50)
  const offset = Number((await two.headUpload(path))?.headers['upload-offset'])
  const reply = await two.patch(path, offset, bytes.subarray(offset))
  if (reply?.status !== 204) throw new Error(`The second client got ${reply?.status}: ${reply?.text}`)
  if ((await stalled.ended) === 204) throw new Error('The first client got a success response')
  stalled.destroy()
  return reply
}
