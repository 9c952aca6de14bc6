import type { SentFile, UploadHistory } from '../faults/history.ts'
import type { makeLinkWorkload } from '../faults/link-workload.ts'
import type { Random } from '../faults/random.ts'
import type { Person } from '../faults/test-server.ts'
import type { ApiResponse } from '../support/call-api.ts'
import { type Client, digest, type HttpReply } from '../support/client.ts'

/** A file that only one person uses. */
export interface OwnFile {
  entry: SentFile
  id: string | undefined
  /** The path and the bytes of an unfinished tus upload. */
  path: string
  bytes: Buffer | undefined
}

/** The status if an interrupted request has changed the upload since its offset was read. */
const wrongOffsetStatus = 409
/** If something fails during a commit, the outcome is unknown. */
const isUnknown = (status: number | undefined) => status === undefined || status >= 500

/** What all people share: the server, the history and the statistics. */
export interface Context {
  url: string
  directory: string
  history: UploadHistory
  /** Violations found while the load runs. */
  violations: string[]
  /** Counts a response and returns its status. */
  countStatus: (status: number | undefined) => number | undefined
  call: (method: string, path: string, body?: object, headers?: Record<string, string>) => Promise<ApiResponse | undefined>
  links: ReturnType<typeof makeLinkWorkload>
}

/** One simulated person with their own client, random source and files. */
export interface SimulatedPerson {
  name: string
  person: Person
  random: Random
  client: Client
  files: OwnFile[]
}

/** Performs one random action. `count` makes the names of new files unique. */
export async function act(context: Context, simulated: SimulatedPerson, count: number) {
  const { call, links } = context
  const { random, client, files, person } = simulated
  const name = `${simulated.name}-${count}.bin`
  const dice = random.between(1, 100)
  if (dice <= 25) files.push(await uploadWithPut(context, client, name, makeBody(random)))
  else if (dice <= 45) {
    const file = await uploadWithTus(context, client, name, makeBody(random))
    if (file) files.push(file)
  } else if (dice <= 60) await links.act(random, person)
  else if (dice <= 65) await call('GET', '/v1/stats', undefined, person.headers)
  else if (dice <= 70) await call('GET', '/v1/file?limit=50', undefined, person.headers)
  else if (files.length > 0) await useFile(context, simulated, random.pick(files))
}

/** Resumes, restores, deletes or downloads a file, depending on its state. */
async function useFile(context: Context, { random, client, person }: SimulatedPerson, file: OwnFile) {
  const { entry, id } = file
  if (entry.outcome === 'info') return resumeUpload(context, file, client, 5_000_000)
  if (id === undefined || entry.outcome !== 'ok' || entry.place === 'either') return
  if (entry.place === 'trash')
    return move(context, entry, 'listed', () => context.call('POST', '/v1/file/restore', { ids: [id] }, person.headers))
  if (random.chance(0.3))
    return move(context, entry, 'trash', () => context.call('DELETE', `/v1/file/${id}`, undefined, person.headers))
  await compareDownload(context, file, person.headers)
}

/** Returns random bytes: mostly few, sometimes enough for several parts in the store. */
const makeBody = (random: Random) =>
  random.bytes(random.chance(0.04) ? random.between(8_000_000, 20_000_000) : random.between(0, 60_000))

export async function uploadWithPut(context: Context, client: Client, name: string, bytes: Buffer): Promise<OwnFile> {
  const entry = context.history.invoke(name, digest(bytes), bytes.length)
  const reply = await client.put(context.directory, name, bytes)
  recordOutcome(context, entry, reply)
  return { entry, id: entry.outcome === 'ok' ? JSON.parse(reply?.text ?? '').data.id : undefined, path: '', bytes: undefined }
}

function recordOutcome({ countStatus, violations }: Context, entry: SentFile, reply: HttpReply | undefined) {
  const status = countStatus(reply?.status)
  if (isUnknown(status)) return
  entry.outcome = status === 200 || status === 204 ? 'ok' : 'fail'
  if (entry.outcome === 'fail') violations.push(`${entry.name} was rejected: ${status} ${reply?.text}`)
}

/** Uploads with tus in several requests, any of which may go to another node. */
async function uploadWithTus(context: Context, client: Client, name: string, bytes: Buffer): Promise<OwnFile | undefined> {
  const { directory, history, countStatus, violations } = context
  const created = await client.createUpload(directory, name, bytes.length)
  if (!isUnknown(countStatus(created?.status)) && created?.status !== 201)
    violations.push(`${name} was not created: ${created?.status} ${created?.text}`)
  const path = created?.status === 201 ? created.headers.location : undefined
  if (path === undefined) return undefined
  const file: OwnFile = { entry: history.invoke(name, digest(bytes), bytes.length), id: undefined, path, bytes }
  await resumeUpload(context, file, client, Math.ceil(bytes.length / 3))
  return file
}

export async function resumeUpload({ countStatus, violations }: Context, file: OwnFile, client: Client, chunkSize: number) {
  const { entry, path, bytes } = file
  if (!bytes || entry.outcome !== 'info') return
  let reply = await client.headUpload(path)
  if (!isUnknown(countStatus(reply?.status)) && reply?.status !== 200 && reply?.status !== wrongOffsetStatus)
    violations.push(`${entry.name} was created but cannot be resumed: ${reply?.status}`)
  while (reply && (reply.status === 200 || reply.status === 204) && !reply.headers['neptune-file']) {
    const offset = Number(reply.headers['upload-offset'])
    reply = await client.patch(path, offset, bytes.subarray(offset, offset + chunkSize))
    // An upload with another offset is resumed later.
    if (!isUnknown(countStatus(reply?.status)) && reply?.status !== 204 && reply?.status !== wrongOffsetStatus)
      violations.push(`a chunk of ${entry.name} was rejected: ${reply?.status} ${reply?.text}`)
  }
  if (!reply || reply.status >= 300) return
  entry.outcome = 'ok'
  file.id = String(reply.headers['neptune-file'])
  file.bytes = undefined
}

/** Downloads a file and compares its hash. Returns whether the download succeeded. */
export async function compareDownload(
  { url, countStatus, violations }: Context,
  { entry, id }: OwnFile,
  headers: Record<string, string>,
) {
  try {
    const reply = await fetch(`${url}/v1/file/${id}`, { headers })
    const hash = digest(new Uint8Array(await reply.arrayBuffer()))
    countStatus(reply.status)
    if (reply.ok && hash !== entry.sha256)
      violations.push(`${entry.name} was downloaded with status ${reply.status} and other bytes`)
    if (reply.status >= 400 && reply.status < 500) violations.push(`${entry.name} was not returned: ${reply.status}`)
    return reply.ok
  } catch {
    countStatus(undefined)
    return false
  }
}

/** Moves a file to or from the trash. Until there is a response, it may be in either place. */
async function move(
  { violations }: Context,
  entry: SentFile,
  to: 'listed' | 'trash',
  attempt: () => Promise<ApiResponse | undefined>,
) {
  entry.place = 'either'
  const status = (await attempt())?.status
  if (status !== undefined && status < 300) entry.place = to
  // A node may die after the deletion. nginx then retries at the other node, which has nothing left to delete.
  else if (!isUnknown(status) && !(to === 'trash' && status === 404))
    violations.push(`${entry.name} could not be moved (${to}): ${status}`)
}
