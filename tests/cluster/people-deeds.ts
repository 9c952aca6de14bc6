import type { Sent, SetHistory } from '../faults/history.ts'
import type { Person } from '../faults/house.ts'
import type { shareLinks } from '../faults/links.ts'
import type { Random } from '../faults/random.ts'
import type { Answer } from '../support/call.ts'
import { type Client, digest, type Reply } from '../support/client.ts'

/** A file of somebody's own: nobody else touches it. */
export interface Own {
  entry: Sent
  id: string | undefined
  /** Of one in pieces: where to go on, and with what. */
  path: string
  bytes: Buffer | undefined
}

const busy = 409
/** When something breaks in the very moment of a commit, nobody knows whether it was made. */
const isUnknown = (status: number | undefined) => status === undefined || status >= 500

/** Where people work, and where it is written down what they did and were told. */
export interface Desk {
  url: string
  directory: string
  history: SetHistory
  /** What was wrong at once, without looking at the whole. */
  wrong: string[]
  /** Counts an answer. */
  tell: (status: number | undefined) => number | undefined
  call: (method: string, path: string, body?: object, headers?: Record<string, string>) => Promise<Answer | undefined>
  links: ReturnType<typeof shareLinks>
}

export interface Worker {
  name: string
  person: Person
  chance: Random
  client: Client
  files: Own[]
}

export async function act(desk: Desk, worker: Worker, count: number) {
  const { call, links } = desk
  const { chance, client, files, person } = worker
  const name = `${worker.name}-${count}.bin`
  const deed = chance.between(1, 100)
  if (deed <= 25) files.push(await put(desk, client, name, body(chance)))
  else if (deed <= 45) {
    const file = await tus(desk, client, name, body(chance))
    if (file) files.push(file)
  } else if (deed <= 60) await links.act(chance, person)
  else if (deed <= 65) await call('GET', '/v1/stats', undefined, person.headers)
  else if (deed <= 70) await call('GET', '/v1/file?limit=50', undefined, person.headers)
  else if (files.length > 0) await use(desk, worker, chance.pick(files))
}

async function use(desk: Desk, worker: Worker, file: Own) {
  const { chance, client, person } = worker
  const { entry, id } = file
  if (entry.outcome === 'info') return goOn(desk, file, client, 5_000_000)
  if (id === undefined || entry.outcome !== 'ok' || entry.place === 'either') return
  if (entry.place === 'trash')
    return move(desk, entry, 'listed', () => desk.call('POST', '/v1/file/restore', { ids: [id] }, person.headers))
  if (chance.chance(0.3))
    return move(desk, entry, 'trash', () => desk.call('DELETE', `/v1/file/${id}`, undefined, person.headers))
  await compare(desk, file, person.headers)
}

/** Mostly small; some are more than one part at the store. */
const body = (chance: Random) =>
  chance.bytes(chance.chance(0.04) ? chance.between(8_000_000, 20_000_000) : chance.between(0, 60_000))

export async function put(desk: Desk, client: Client, name: string, bytes: Buffer): Promise<Own> {
  const entry = desk.history.invoke(name, digest(bytes), bytes.length)
  const reply = await client.put(desk.directory, name, bytes)
  settle(desk, entry, reply)
  return { entry, id: entry.outcome === 'ok' ? JSON.parse(reply?.text ?? '').data.id : undefined, path: '', bytes: undefined }
}

function settle({ tell, wrong }: Desk, entry: Sent, reply: Reply | undefined) {
  const status = tell(reply?.status)
  if (isUnknown(status)) return
  entry.outcome = status === 200 || status === 204 ? 'ok' : 'fail'
  if (entry.outcome === 'fail') wrong.push(`${entry.name} was refused: ${status} ${reply?.text}`)
}

/** In pieces, of which any may come to another node. */
async function tus(desk: Desk, client: Client, name: string, bytes: Buffer): Promise<Own | undefined> {
  const { directory, history, tell, wrong } = desk
  const begun = await client.createUpload(directory, name, bytes.length)
  if (!isUnknown(tell(begun?.status)) && begun?.status !== 201)
    wrong.push(`${name} was not begun: ${begun?.status} ${begun?.text}`)
  const path = begun?.status === 201 ? begun.headers.location : undefined
  if (path === undefined) return undefined
  const file: Own = { entry: history.invoke(name, digest(bytes), bytes.length), id: undefined, path, bytes }
  await goOn(desk, file, client, Math.ceil(bytes.length / 3))
  return file
}

export async function goOn({ tell, wrong }: Desk, file: Own, client: Client, piece: number) {
  const { entry, path, bytes } = file
  if (!bytes || entry.outcome !== 'info') return
  let reply = await client.headUpload(path)
  if (!isUnknown(tell(reply?.status)) && reply?.status !== 200 && reply?.status !== busy)
    wrong.push(`${entry.name} was begun, and cannot be gone on with: ${reply?.status}`)
  while (reply && (reply.status === 200 || reply.status === 204) && !reply.headers['neptune-file']) {
    const offset = Number(reply.headers['upload-offset'])
    reply = await client.patch(path, offset, bytes.subarray(offset, offset + piece))
    // 409: the piece that was cut is still being written. It is asked for again later.
    if (!isUnknown(tell(reply?.status)) && reply?.status !== 204 && reply?.status !== busy)
      wrong.push(`a piece of ${entry.name} was refused: ${reply?.status} ${reply?.text}`)
  }
  if (!reply || reply.status >= 300) return
  entry.outcome = 'ok'
  file.id = String(reply.headers['neptune-file'])
  file.bytes = undefined
}

/** A download is right, or it is seen to be none. */
export async function compare({ url, tell, wrong }: Desk, { entry, id }: Own, headers: Record<string, string>) {
  try {
    const reply = await fetch(`${url}/v1/file/${id}`, { headers })
    const sum = digest(new Uint8Array(await reply.arrayBuffer()))
    tell(reply.status)
    if (reply.ok && sum !== entry.sha256) wrong.push(`${entry.name} came down with ${reply.status} and other bytes`)
    if (reply.status >= 400 && reply.status < 500) wrong.push(`${entry.name} was not given: ${reply.status}`)
    return reply.ok
  } catch {
    tell(undefined)
    return false
  }
}

async function move({ wrong }: Desk, entry: Sent, to: 'listed' | 'trash', attempt: () => Promise<Answer | undefined>) {
  entry.place = 'either'
  const status = (await attempt())?.status
  if (status !== undefined && status < 300) entry.place = to
  // A node may die after it has deleted. nginx asks the other one then, which has nothing left to delete.
  else if (!isUnknown(status) && !(to === 'trash' && status === 404))
    wrong.push(`${entry.name} could not be moved (${to}): ${status}`)
}
