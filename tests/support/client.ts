import { createHash, randomBytes } from 'node:crypto'
import { Agent, type ClientRequest, type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'

export interface Reply {
  status: number
  headers: IncomingHttpHeaders
  text: string
}

export type Headers = Record<string, string>
type Body = Buffer | object

const tus = { 'tus-resumable': '1.0.0' }
const piece = { ...tus, 'content-type': 'application/offset+octet-stream' }
const form = { 'content-type': 'multipart/form-data; boundary=x' }
const head = Buffer.from('--x\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\n')
const tail = Buffer.from('\r\n--x--\r\n')
const word = (text: string) => Buffer.from(text).toString('base64')

export const newName = () => randomBytes(4).toString('hex')

export const digest = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

/** Somebody with one connection of their own, which one process serves for as long as it lasts; or with a new one for each request. */
export function openClient(url: string, staff: Headers = {}, { keepAlive = true } = {}) {
  const agent = new Agent({ keepAlive, maxSockets: 1 })
  const send = (method: string, path: string, headers: Headers) =>
    request(url + path, { method, agent, headers: { ...staff, ...headers } })

  /** Undefined when no whole answer came. */
  const ask = (method: string, path: string, body?: Body, more: Headers = {}) => {
    const bytes = body === undefined || Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body))
    const type: Headers = bytes === body ? {} : { 'content-type': 'application/json' }
    const length: Headers = bytes ? { 'content-length': String(bytes.length) } : {}
    const call = send(method, path, { ...type, ...length, ...more })
    const answer = answerTo(call)
    call.end(bytes)
    return answer
  }

  return {
    ask,
    /** What it says, which has to be all right. */
    async data<Data = Record<string, string>>(method: string, path: string, body?: Body): Promise<Data> {
      const reply = await ask(method, path, body)
      if (reply?.status !== 200) throw new Error(`${method} ${path} was answered ${reply?.status}: ${reply?.text}`)
      return JSON.parse(reply.text).data
    },
    put: (directory: string, name: string, bytes: Buffer) =>
      ask('PUT', `/v1/file/${directory}/${name}`, Buffer.concat([head, bytes, tail]), form),

    /** The same, held up after its first byte until `finish`. */
    hangPut(directory: string, name: string) {
      const length = { 'content-length': String(head.length + 2 + tail.length), expect: '100-continue' }
      const call = send('PUT', `/v1/file/${directory}/${name}`, { ...form, ...length })
      const begun = new Promise<void>((resolve) => call.once('continue', resolve))
      const ended = statusOf(call)
      call.write(Buffer.concat([head, Buffer.from('x')]))
      return { begun, ended, finish: () => call.end(Buffer.concat([Buffer.from('y'), tail])), destroy: () => call.destroy() }
    },

    begin(directory: string, name: string, size: number) {
      const metadata = `filename ${word(name)},directory ${word(directory)}`
      return ask('POST', '/v1/upload', undefined, { ...tus, 'upload-length': String(size), 'upload-metadata': metadata })
    },
    stand: (path: string) => ask('HEAD', path, undefined, tus),
    patch: (path: string, offset: number, bytes: Buffer) =>
      ask('PATCH', path, bytes, { ...piece, 'upload-offset': String(offset) }),

    /** The next piece, of which only a part leaves; then silence. What became of it, if anything. */
    hang(path: string, offset: number, bytes: Buffer, sent: number, more: Headers = {}) {
      const about = { 'upload-offset': String(offset), 'content-length': String(bytes.length) }
      const call = send('PATCH', path, { ...piece, ...more, ...about })
      const ended = statusOf(call)
      call.write(bytes.subarray(0, sent))
      return { ended, destroy: () => call.destroy() }
    },

    slowGet: (id: string) => readSlowly(send('GET', `/v1/file/${id}`, {})),
    [Symbol.dispose]: () => agent.destroy(),
  }
}

const answerTo = (call: ClientRequest) =>
  new Promise<Reply | undefined>((resolve) => {
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

const statusOf = (call: ClientRequest) =>
  new Promise<number | undefined>((resolve) => {
    call.once('response', (reply) => resolve(reply.resume().statusCode))
    call.on('error', () => resolve(undefined))
  })

/** A file of which the first bytes are read, and the rest when asked for: their sum. */
async function readSlowly(call: ClientRequest): Promise<() => Promise<string>> {
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

/** The header of somebody who signs in, and their company. */
export async function enter(url: string, who: { email: string; password: string }) {
  using client = openClient(url)
  const reply = await client.ask('POST', '/v1/identity/login', who)
  if (reply?.status !== 200) throw new Error(`The sign-in was answered ${reply?.status}`)
  const { token, info } = JSON.parse(reply.text)
  return { headers: { authorization: `Bearer ${token}` }, company: info.company as string }
}

/** A link by which others may add to a directory, or only see it. */
export async function share(client: Client, company: string, directory: string, linkType = 'LINK_DIRECTORY') {
  const { key = '', accessCode = '' } = await client.data('POST', '/v1/link/initialise', { company, directory })
  const expiry = new Date(Date.now() + 24 * 60 * 60_000).toISOString()
  await client.data('POST', '/v1/link', { linkType, directory, key, accessCode, expiry })
  return { key, code: accessCode }
}

/** Uploads by the first client, which falls silent half-way, and goes on by the second. Returns the last answer to that. */
export async function moveUpload(one: Client, two: Client, directory: string, bytes: Buffer): Promise<Reply> {
  const path = (await one.begin(directory, `${newName()}.bin`, bytes.length))?.headers.location ?? ''
  const old = one.hang(path, 0, bytes, bytes.length / 2)
  const stands = async () => Number((await two.stand(path))?.headers['upload-offset'])
  while ((await stands()) === 0) await wait(50)
  for (;;) {
    const offset = await stands()
    const reply = await two.patch(path, offset, bytes.subarray(offset))
    if (reply?.status === 409) continue // the first one still wrote what it had
    if (reply?.status !== 204) throw new Error(`The second one was answered ${reply?.status}: ${reply?.text}`)
    if ((await old.ended) === 204) throw new Error('The first one was told that all is well')
    old.destroy()
    return reply
  }
}
