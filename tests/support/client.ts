import { createHash, randomBytes } from 'node:crypto'
import { Agent, type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'

export interface Reply {
  status: number
  headers: IncomingHttpHeaders
  text: string
}

type Headers = Record<string, string>
type Body = Buffer | object

const tus = { 'tus-resumable': '1.0.0' }
const piece = { ...tus, 'content-type': 'application/offset+octet-stream' }
const form = { 'content-type': 'multipart/form-data; boundary=x' }
const head = Buffer.from('--x\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\n')
const tail = Buffer.from('\r\n--x--\r\n')
const word = (text: string) => Buffer.from(text).toString('base64')

const newName = () => randomBytes(4).toString('hex')

export const digest = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

/** Somebody with one connection of their own, which one process serves for as long as it lasts; or with a new one for each request. */
export function openClient(url: string, staff: Headers = {}, { keepAlive = true } = {}) {
  const agent = new Agent({ keepAlive, maxSockets: 1 })

  /** Undefined when no whole answer came. */
  const ask = (method: string, path: string, body?: Body, more: Headers = {}) =>
    new Promise<Reply | undefined>((resolve) => {
      const bytes = body === undefined || Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body))
      const type: Headers = bytes === body ? {} : { 'content-type': 'application/json' }
      const length: Headers = bytes ? { 'content-length': String(bytes.length) } : {}
      const call = request(url + path, { method, agent, headers: { ...staff, ...type, ...length, ...more } })
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
      call.end(bytes)
    })

  const data = async <Data = Record<string, string>>(method: string, path: string, body?: Body): Promise<Data> => {
    const reply = await ask(method, path, body)
    if (reply?.status !== 200) throw new Error(`${method} ${path} was answered ${reply?.status}: ${reply?.text}`)
    return JSON.parse(reply.text).data
  }

  const put = (directory: string, name: string, bytes: Buffer) =>
    ask('PUT', `/v1/file/${directory}/${name}`, Buffer.concat([head, bytes, tail]), form)

  /** The same, held up after its first byte until `finish`. */
  function hangPut(directory: string, name: string) {
    const headers = { ...staff, ...form, 'content-length': String(head.length + 2 + tail.length), expect: '100-continue' }
    const call = request(`${url}/v1/file/${directory}/${name}`, { method: 'PUT', agent, headers })
    const begun = new Promise<void>((resolve) => call.once('continue', resolve))
    const ended = new Promise<number | undefined>((resolve) => {
      call.once('response', (reply) => resolve(reply.resume().statusCode))
      call.on('error', () => resolve(undefined))
    })
    call.write(Buffer.concat([head, Buffer.from('x')]))
    return { begun, ended, finish: () => call.end(Buffer.concat([Buffer.from('y'), tail])), destroy: () => call.destroy() }
  }

  const begin = (directory: string, name: string, size: number) => {
    const metadata = `filename ${word(name)},directory ${word(directory)}`
    return ask('POST', '/v1/upload', undefined, { ...tus, 'upload-length': String(size), 'upload-metadata': metadata })
  }
  const stand = (path: string) => ask('HEAD', path, undefined, tus)
  const patch = (path: string, offset: number, bytes: Buffer) =>
    ask('PATCH', path, bytes, { ...piece, 'upload-offset': String(offset) })

  /** The next piece, of which only a part leaves; then silence. What became of it, if anything. */
  function hang(path: string, offset: number, bytes: Buffer, sent: number, more: Headers = {}) {
    const headers = { ...staff, ...piece, ...more, 'upload-offset': String(offset), 'content-length': String(bytes.length) }
    const call = request(url + path, { method: 'PATCH', agent, headers })
    const ended = new Promise<number | undefined>((resolve) => {
      call.once('response', (reply) => resolve(reply.resume().statusCode))
      call.on('error', () => resolve(undefined))
    })
    call.write(bytes.subarray(0, sent))
    return { ended, destroy: () => call.destroy() }
  }

  /** A file of which the first bytes are read, and the rest when asked for: their sum. */
  async function slowGet(id: string): Promise<() => Promise<string>> {
    const reply = await new Promise<IncomingMessage>((resolve, reject) => {
      request(`${url}/v1/file/${id}`, { agent, headers: staff }, resolve).on('error', reject).end()
    })
    return async () => {
      const hash = createHash('sha256')
      for await (const chunk of reply) hash.update(chunk)
      return hash.digest('hex')
    }
  }

  return { ask, data, put, slowGet, hangPut, begin, stand, patch, hang, [Symbol.dispose]: () => agent.destroy() }
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

interface Unfinished {
  name: string
  path: string
  bytes: Buffer
}

/**
 * What many do at once, for as long as one likes: they upload, by one request or in pieces, delete, and change the code of their link.
 * Whoever is not answered goes on at the next of the addresses.
 */
export function makeCrowd(
  urls: string[],
  staff: Headers,
  { company, directory }: { company: string; directory: string },
  { keepAlive = true } = {},
) {
  const members = Array.from({ length: 20 }, (_, i) => ({
    name: `${newName()}-${i}`,
    at: i,
    client: openClient(urls[i % urls.length] ?? '', staff, { keepAlive }),
    files: [] as { name: string; sha256: string; id: string }[],
    unfinished: [] as Unfinished[],
    link: undefined as { key: string; code: string | undefined } | undefined,
    count: 0,
    broken: 0,
    refused: [] as string[],
  }))
  type Member = (typeof members)[number]

  const note = (member: Member, what: string, reply: Reply | undefined) => {
    if (!reply) {
      member.broken++
      member.client[Symbol.dispose]()
      member.client = openClient(urls[++member.at % urls.length] ?? '', staff, { keepAlive })
    } else if (reply.status >= 300) member.refused.push(`${what}: ${reply.status} ${reply.text}`)
    return reply && reply.status < 300 ? reply : undefined
  }

  async function upload(member: Member, inPieces: boolean) {
    const name = `${member.name}-${member.count++}.bin`
    const bytes = randomBytes(1 + Math.floor(Math.random() * 20_000))
    if (!inPieces) {
      const reply = note(member, 'PUT', await member.client.put(directory, name, bytes))
      if (reply) member.files.push({ name, sha256: digest(bytes), id: JSON.parse(reply.text).data.id })
      return
    }
    const path = note(member, 'POST', await member.client.begin(directory, name, bytes.length))?.headers.location
    if (path === undefined) return
    member.unfinished.push({ name, path, bytes })
    const half = Math.floor(bytes.length / 2)
    if (note(member, 'PATCH', await member.client.patch(path, 0, bytes.subarray(0, half)))) await resume(member)
  }

  /** The last one that is not whole yet, from where it stands. */
  async function resume(member: Member) {
    const upload = member.unfinished.at(-1)
    if (!upload) return
    const { name, path, bytes } = upload
    const stands = note(member, 'HEAD', await member.client.stand(path))
    if (!stands) return
    const offset = Number(stands.headers['upload-offset'])
    const last = stands.headers['neptune-file']
      ? stands
      : note(member, 'PATCH', await member.client.patch(path, offset, bytes.subarray(offset)))
    if (!last) return
    member.unfinished.pop()
    member.files.push({ name, sha256: digest(bytes), id: String(last.headers['neptune-file']) })
  }

  async function remove(member: Member) {
    const file = member.files.pop() // unless it is told, nobody knows whether it is still there
    if (file) note(member, 'DELETE', await member.client.ask('DELETE', `/v1/file/${file.id}`))
  }

  async function reset(member: Member) {
    member.link ??= await share(member.client, company, directory).catch(() => undefined)
    if (!member.link?.code) return
    const { key } = member.link
    const reserved = note(
      member,
      'POST',
      await member.client.ask('POST', '/v1/link/initialise', { type: 'RESET', accessKey: key }),
    )
    if (!reserved) return
    const { accessCode } = JSON.parse(reserved.text).data
    member.link.code = undefined
    if (note(member, 'PATCH', await member.client.ask('PATCH', '/v1/link/reset', { accessKey: key, accessCode })))
      member.link.code = accessCode
  }

  async function act(member: Member) {
    const deed = Math.random()
    if (deed < 0.5) await upload(member, false)
    else if (deed < 0.75) await (member.unfinished.length > 0 ? resume(member) : upload(member, true))
    else if (deed < 0.85) await remove(member)
    else await reset(member)
  }

  return {
    members,
    /** Until somebody says that it is enough. */
    work: (isOver: () => boolean) =>
      Promise.all(
        members.map(async (member) => {
          do await act(member)
          while (!isOver())
        }),
      ),
    /** When all is quiet: uploads that were cut go on. Who still has a connection to a process that is gone needs another try. */
    resume: () =>
      Promise.all(
        members.map(async (member) => {
          for (let n = 0; n < 3 && member.unfinished.length > 0; n++) await resume(member)
        }),
      ),
    /** Whatever was acknowledged and is not so. */
    async violations(): Promise<string[]> {
      using client = openClient(urls[0] ?? '', staff)
      const found = new Map<string, string>()
      for (let cursor = ''; ; ) {
        const reply = await client.ask('GET', `/v1/file?limit=200${cursor && `&cursor=${encodeURIComponent(cursor)}`}`)
        const page = JSON.parse(reply?.text ?? '')
        for (const { id, sha256 } of page.data) found.set(id, sha256)
        if (!page.next) break
        cursor = page.next
      }
      const wrong: string[] = []
      for (const { name, id, sha256 } of members.flatMap(({ files }) => files))
        if (found.get(id) !== sha256) wrong.push(`${name} was acknowledged and is ${found.get(id) ?? 'lost'}`)
      for (const { link } of members) {
        if (!link?.code) continue
        const wanted = { accessKey: link.key, accessCode: link.code }
        const { validation } = await client.data<{ validation: boolean }>('POST', '/v1/link/verify', wanted)
        if (!validation) wrong.push(`the code of ${link.key} was acknowledged and does not hold`)
      }
      return wrong
    },
    [Symbol.dispose]() {
      for (const { client } of members) client[Symbol.dispose]()
    },
  }
}
