import { randomBytes } from 'node:crypto'
import { type Client, createDirectoryLink, digest, type Headers, type HttpReply, makeUniqueName, openClient } from '../client.ts'

interface UnfinishedUpload {
  name: string
  path: string
  bytes: Buffer
}

/** One simulated user: their connection, and what the server acknowledged to them. */
interface Member {
  name: string
  /** The position of their current URL in the list of URLs. */
  urlIndex: number
  client: Client
  files: { name: string; sha256: string; id: string }[]
  unfinished: UnfinishedUpload[]
  link: { key: string; code: string | undefined } | undefined
  uploadCount: number
  /** How many requests got no response. */
  unanswered: number
  rejected: string[]
}

interface Target {
  company: string
  directory: string
}

/**
 * Simulates 20 users who upload (in one request or in chunks), delete, and reset their link's code, all at once. A user who gets no
 * response continues at the next URL.
 */
export function makeCrowd(urls: string[], staff: Headers, target: Target, { keepAlive = true } = {}) {
  const connect = (urlIndex: number) => openClient(urls[urlIndex % urls.length] ?? '', staff, { keepAlive })
  const members = Array.from(
    { length: 20 },
    (_, i): Member => ({
      name: `${makeUniqueName()}-${i}`,
      urlIndex: i,
      client: connect(i),
      files: [],
      unfinished: [],
      link: undefined,
      uploadCount: 0,
      unanswered: 0,
      rejected: [],
    }),
  )
  const record: Recorder = (member, operation, reply) => {
    if (!reply) {
      member.unanswered++
      member.client[Symbol.dispose]()
      member.client = connect(++member.urlIndex)
    } else if (reply.status >= 300) member.rejected.push(`${operation}: ${reply.status} ${reply.text}`)
    return reply && reply.status < 300 ? reply : undefined
  }

  return {
    members,
    /** Lets every member act until `isOver` returns true, and at least once. */
    work: (isOver: () => boolean) =>
      Promise.all(
        members.map(async (member) => {
          do await act(member, target, record)
          while (!isOver())
        }),
      ),
    /** Resumes interrupted uploads once the faults are over. A member whose connection is to a killed process needs a second attempt. */
    resume: () =>
      Promise.all(
        members.map(async (member) => {
          for (let n = 0; n < 3 && member.unfinished.length > 0; n++) await resume(member, record)
        }),
      ),
    /** Returns a description of every acknowledged change that is missing. */
    async findViolations(): Promise<string[]> {
      using client = openClient(urls[0] ?? '', staff)
      return await findViolations(members, client)
    },
    [Symbol.dispose]() {
      for (const { client } of members) client[Symbol.dispose]()
    },
  }
}

/** Records the response a member got. Returns it if it was a success. */
type Recorder = (member: Member, operation: string, reply: HttpReply | undefined) => HttpReply | undefined

async function act(member: Member, target: Target, record: Recorder) {
  const chance = Math.random()
  if (chance < 0.5) await upload(member, target, false, record)
  else if (chance < 0.75) await (member.unfinished.length > 0 ? resume(member, record) : upload(member, target, true, record))
  else if (chance < 0.85) await remove(member, record)
  else await resetCode(member, target, record)
}

async function upload(member: Member, { directory }: Target, inChunks: boolean, record: Recorder) {
  const name = `${member.name}-${member.uploadCount++}.bin`
  const bytes = randomBytes(1 + Math.floor(Math.random() * 20_000))
  if (!inChunks) {
    const reply = record(member, 'PUT', await member.client.put(directory, name, bytes))
    if (reply) member.files.push({ name, sha256: digest(bytes), id: JSON.parse(reply.text).data.id })
    return
  }
  const path = record(member, 'POST', await member.client.createUpload(directory, name, bytes.length))?.headers.location
  if (path === undefined) return
  member.unfinished.push({ name, path, bytes })
  const half = Math.floor(bytes.length / 2)
  if (record(member, 'PATCH', await member.client.patch(path, 0, bytes.subarray(0, half)))) await resume(member, record)
}

/** Resumes the last unfinished upload from its current offset. */
async function resume(member: Member, record: Recorder) {
  const upload = member.unfinished.at(-1)
  if (!upload) return
  const { name, path, bytes } = upload
  const state = record(member, 'HEAD', await member.client.headUpload(path))
  if (!state) return
  const offset = Number(state.headers['upload-offset'])
  const last = state.headers['neptune-file']
    ? state
    : record(member, 'PATCH', await member.client.patch(path, offset, bytes.subarray(offset)))
  if (!last) return
  member.unfinished.pop()
  member.files.push({ name, sha256: digest(bytes), id: String(last.headers['neptune-file']) })
}

async function remove(member: Member, record: Recorder) {
  const file = member.files.pop() // without a response, it is unknown whether the file still exists
  if (file) record(member, 'DELETE', await member.client.send('DELETE', `/v1/file/${file.id}`))
}

async function resetCode(member: Member, { company, directory }: Target, record: Recorder) {
  member.link ??= await createDirectoryLink(member.client, company, directory).catch(() => undefined)
  if (!member.link?.code) return
  const { key } = member.link
  const reserved = record(
    member,
    'POST',
    await member.client.send('POST', '/v1/link/initialise', { type: 'RESET', accessKey: key }),
  )
  if (!reserved) return
  const { accessCode } = JSON.parse(reserved.text).data
  member.link.code = undefined
  if (record(member, 'PATCH', await member.client.send('PATCH', '/v1/link/reset', { accessKey: key, accessCode })))
    member.link.code = accessCode
}

async function findViolations(members: Member[], client: Client): Promise<string[]> {
  const hashes = new Map<string, string>()
  for (let cursor = ''; ; ) {
    const reply = await client.send('GET', `/v1/file?limit=200${cursor && `&cursor=${encodeURIComponent(cursor)}`}`)
    const page = JSON.parse(reply?.text ?? '')
    for (const { id, sha256 } of page.data) hashes.set(id, sha256)
    if (!page.next) break
    cursor = page.next
  }
  const violations: string[] = []
  for (const { name, id, sha256 } of members.flatMap(({ files }) => files))
    if (hashes.get(id) !== sha256) violations.push(`${name} was acknowledged but is ${hashes.get(id) ?? 'lost'}`)
  for (const { link } of members) {
    if (!link?.code) continue
    const credentials = { accessKey: link.key, accessCode: link.code }
    const { validation } = await client.requestData<{ validation: boolean }>('POST', '/v1/link/verify', credentials)
    if (!validation) violations.push(`the code of ${link.key} was acknowledged but does not work`)
  }
  return violations
}
