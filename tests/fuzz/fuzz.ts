import { Agent } from 'node:http'
import { join } from 'node:path'
import { type Random, randomFrom } from '../faults/random.ts'
import { runCommand } from '../support/run-command.ts'
import { makeReplyCheck } from './check-reply.ts'
import { type Document, listOperations, type Operation } from './document.ts'
import { type FuzzRequest, generateRequest, prepareRequest } from './generate-request.ts'
import { KnownValues } from './known-values.ts'
import { type FuzzReply, sendRequest } from './send-request.ts'
import { marker, startWorld, type World } from './world.ts'

export interface FuzzOptions {
  seed: number
  /** How many calls of each operation are made in each role that may call it. */
  rounds: number
  /** When to stop, even if the run is not finished. */
  maxMs: number
}

export interface FuzzResult {
  calls: number
  /** How often each status was returned. */
  statuses: Record<string, number>
  /** One line for each kind of mismatch between an operation and the document, with a call that shows it. */
  findings: string[]
  /** Operations that never succeeded for anyone. */
  neverSucceeded: string[]
}

const roles = ['stranger', 'recipient', 'user', 'admin'] as const
type Role = (typeof roles)[number]

const allowed: Record<Operation['access'], readonly Role[]> = {
  public: roles,
  staff: ['user', 'admin'],
  admin: ['admin'],
  link: ['recipient'],
  shared: ['recipient', 'user', 'admin'],
}

/** Operations that end the caller's own session or change their account. A spare member of staff calls them. */
const ownAccount = /^identity\.(signOut|endSession|endAllSessions|changePassword|change)$/

/**
 * Each role runs twice, except in a short run: the second time more objects exist. Admins come last, because they can change
 * the others.
 */
const listPhases = (rounds: number): readonly Role[] =>
  rounds < 2 ? roles : ['stranger', 'recipient', 'user', 'stranger', 'recipient', 'user', 'admin', 'admin']

/** Calls every operation of `/openapi.json` in every role with generated input, and lists mismatches with the document. */
export async function fuzz({ seed, rounds, maxMs }: FuzzOptions): Promise<FuzzResult> {
  const random = randomFrom(seed)
  const known = new KnownValues(random)
  await using world = await startWorld(known)
  const document = (await world.api.get({}, '/openapi.json')) as Document
  const operations = listOperations(document)
  const check = makeReplyCheck(document)
  const agent = new Agent({ keepAlive: true })
  const endsAt = Date.now() + maxMs
  const tally = makeTally(world)
  for (const role of listPhases(rounds)) {
    const { headersFor, prepared } = await enter(world, role)
    for (const operation of shuffled(operations, random)) {
      const times = timesFor(role, operation, Math.ceil(rounds / 2))
      for (let time = 0; time < times && Date.now() < endsAt; time++) {
        const mode = random.pick(['valid', 'valid', 'boundary', 'invalid', 'invalid'] as const)
        const values = mode === 'valid' && random.chance(0.5) ? prepared[operation.id] : undefined
        const request = values
          ? prepareRequest(operation, values, known, random)
          : generateRequest(operation, mode, known, random)
        request.headers = { ...request.headers, ...(await headersFor(operation)), 'x-forwarded-for': pickAddress(random) }
        const reply = await sendRequest(world.url, agent, request)
        tally.add(role, operation, request, reply, check(operation, request, reply))
        learn(known, operation, reply)
      }
    }
  }
  agent.destroy()
  const { statuses, findings, succeeded } = tally
  return {
    calls: Object.values(statuses).reduce((sum, count) => sum + count, 0),
    statuses,
    findings: [...findings.values(), ...(await finalFindings(world))],
    neverSucceeded: operations.map(({ id }) => id).filter((id) => !succeeded.has(id)),
  }
}

function timesFor(role: Role, { id, access }: Operation, max: number): number {
  if (!allowed[access].includes(role)) return 1
  return ownAccount.test(id) ? Math.min(2, max) : max // each may need a new member of staff, whose password takes long to hash
}

/** Counts replies and keeps the first finding of each kind. */
function makeTally(world: World) {
  const statuses: Record<string, number> = {}
  const findings = new Map<string, string>()
  const succeeded = new Set<string>()
  /** Text that callers have stored themselves, such as names: they may read it again. */
  let stored = ''
  return {
    statuses,
    findings,
    succeeded,
    add(role: Role, operation: Operation, request: FuzzRequest, reply: FuzzReply, faults: string[]) {
      statuses[reply.status] = (statuses[reply.status] ?? 0) + 1
      const sent = `${decodeURIComponent(request.target)} ${request.body ?? ''} ${Object.values(request.headers)}`
      if (reply.status < 300 && request.method !== 'GET' && world.othersIds.some((id) => sent.includes(id))) stored += sent
      if (reply.status < 400) succeeded.add(operation.id)
      for (const fault of [...faults, ...(role === 'admin' ? [] : leaks(world, sent + stored, reply))]) {
        const key = `${operation.id} ${fault.slice(0, 60)}`
        if (!findings.has(key)) findings.set(key, `${operation.id} as ${role} ${fault}\n    ${formatRequest(request)}`)
      }
    },
  }
}

/** Picks one of a few addresses, so that rate limits are reached now and then. */
const pickAddress = (random: Random) => `192.0.2.${random.between(1, 20)}`

const shuffled = <T>(items: T[], random: Random): T[] =>
  items
    .map((item) => ({ item, place: random.between(0, 2 ** 30) }))
    .toSorted((a, b) => a.place - b.place)
    .map(({ item }) => item)

/** Returns the headers by which a role calls an operation, and input that succeeds. */
async function enter(world: World, role: Role) {
  const { recipient, prepared } = await world.refill(role === 'admin' ? world.asAdmin : world.asUser)
  const callers = { stranger: {}, recipient, user: world.asUser, admin: world.asAdmin }
  let spare = role === 'user' || role === 'admin' ? await world.addSpare(role) : {}
  const headersFor = async ({ id }: Operation): Promise<Record<string, string>> => {
    if ((role !== 'user' && role !== 'admin') || !ownAccount.test(id)) return callers[role]
    const isSignedIn = (await fetch(`${world.url}/v1/identity`, { headers: spare })).ok
    if (!isSignedIn) spare = await world.addSpare(role)
    return spare
  }
  return { headersFor, prepared }
}

/** Lists what a user, a recipient or a stranger learns about the other company without having sent it. */
function leaks({ othersIds }: World, sent: string, { headers, body }: FuzzReply): string[] {
  const received = `${JSON.stringify(headers)} ${body}`
  return [marker, ...othersIds].filter((id) => received.includes(id) && !sent.includes(id)).map((id) => `received ${id}`)
}

function learn(known: KnownValues, { path }: Operation, { status, headers, body }: FuzzReply) {
  const upload = /^\/v1\/upload\/([\w-]+)$/.exec(headers.location ?? '')?.[1]
  if (upload) known.add('upload', upload)
  if (status < 300 && headers['content-type']?.startsWith('application/json') && body[0] === 0x7b)
    known.learn(path, JSON.parse(body.toString()))
}

const formatRequest = ({ method, target, headers, body }: FuzzRequest) => {
  const lines = Object.entries(headers).filter(([name]) => name !== 'authorization')
  return [method, target.slice(0, 300), JSON.stringify(Object.fromEntries(lines)), body?.toString().slice(0, 500)].join(' ')
}

/** After the run the server must still respond, and the audit log must verify. */
async function finalFindings(world: World): Promise<string[]> {
  const health = await fetch(`${world.url}/healthz`)
  const stats = await fetch(`${world.url}/v1/stats`, { headers: world.asAdmin })
  const audit = await runCommand(['audit', 'verify'], { DATA_DIR: join(world.folder, 'data') })
  return [
    ...(health.ok ? [] : [`/healthz returned ${health.status} afterwards`]),
    ...(stats.ok ? [] : [`/v1/stats returned ${stats.status} afterwards`]),
    ...(audit.code === 0 ? [] : [`neptune audit verify: ${audit.out}${audit.err}`]),
  ]
}
