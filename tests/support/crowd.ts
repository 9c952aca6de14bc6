import { randomBytes } from 'node:crypto'
import { type Client, digest, type Headers, newName, openClient, type Reply, share } from './client.ts'

interface Unfinished {
  name: string
  path: string
  bytes: Buffer
}

/** One of the many: what they have, and what was told them. */
interface Member {
  name: string
  at: number
  client: Client
  files: { name: string; sha256: string; id: string }[]
  unfinished: Unfinished[]
  link: { key: string; code: string | undefined } | undefined
  count: number
  broken: number
  refused: string[]
}

interface Place {
  company: string
  directory: string
}

/**
 * What many do at once, for as long as one likes: they upload, by one request or in pieces, delete, and change the code of their link.
 * Whoever is not answered goes on at the next of the addresses.
 */
export function makeCrowd(urls: string[], staff: Headers, place: Place, { keepAlive = true } = {}) {
  const connect = (at: number) => openClient(urls[at % urls.length] ?? '', staff, { keepAlive })
  const members = Array.from(
    { length: 20 },
    (_, i): Member => ({
      name: `${newName()}-${i}`,
      at: i,
      client: connect(i),
      files: [],
      unfinished: [],
      link: undefined,
      count: 0,
      broken: 0,
      refused: [],
    }),
  )
  const note: Note = (member, what, reply) => {
    if (!reply) {
      member.broken++
      member.client[Symbol.dispose]()
      member.client = connect(++member.at)
    } else if (reply.status >= 300) member.refused.push(`${what}: ${reply.status} ${reply.text}`)
    return reply && reply.status < 300 ? reply : undefined
  }

  return {
    members,
    /** Until somebody says that it is enough. */
    work: (isOver: () => boolean) =>
      Promise.all(
        members.map(async (member) => {
          do await act(member, place, note)
          while (!isOver())
        }),
      ),
    /** When all is quiet: uploads that were cut go on. Who still has a connection to a process that is gone needs another try. */
    resume: () =>
      Promise.all(
        members.map(async (member) => {
          for (let n = 0; n < 3 && member.unfinished.length > 0; n++) await resume(member, note)
        }),
      ),
    async violations(): Promise<string[]> {
      using client = openClient(urls[0] ?? '', staff)
      return await violationsOf(members, client)
    },
    [Symbol.dispose]() {
      for (const { client } of members) client[Symbol.dispose]()
    },
  }
}

/** Writes down what somebody was answered. Undefined unless all was well. */
type Note = (member: Member, what: string, reply: Reply | undefined) => Reply | undefined

async function act(member: Member, place: Place, note: Note) {
  const deed = Math.random()
  if (deed < 0.5) await upload(member, place, false, note)
  else if (deed < 0.75) await (member.unfinished.length > 0 ? resume(member, note) : upload(member, place, true, note))
  else if (deed < 0.85) await remove(member, note)
  else await reset(member, place, note)
}

async function upload(member: Member, { directory }: Place, inPieces: boolean, note: Note) {
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
  if (note(member, 'PATCH', await member.client.patch(path, 0, bytes.subarray(0, half)))) await resume(member, note)
}

/** The last one that is not whole yet, from where it stands. */
async function resume(member: Member, note: Note) {
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

async function remove(member: Member, note: Note) {
  const file = member.files.pop() // unless it is told, nobody knows whether it is still there
  if (file) note(member, 'DELETE', await member.client.ask('DELETE', `/v1/file/${file.id}`))
}

async function reset(member: Member, { company, directory }: Place, note: Note) {
  member.link ??= await share(member.client, company, directory).catch(() => undefined)
  if (!member.link?.code) return
  const { key } = member.link
  const reserved = note(member, 'POST', await member.client.ask('POST', '/v1/link/initialise', { type: 'RESET', accessKey: key }))
  if (!reserved) return
  const { accessCode } = JSON.parse(reserved.text).data
  member.link.code = undefined
  if (note(member, 'PATCH', await member.client.ask('PATCH', '/v1/link/reset', { accessKey: key, accessCode })))
    member.link.code = accessCode
}

/** Whatever was acknowledged and is not so. */
async function violationsOf(members: Member[], client: Client): Promise<string[]> {
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
}
