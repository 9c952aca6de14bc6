import { Agent } from 'node:http'
import { join } from 'node:path'
import { makeSeededRandom, type Random } from '../faults/random.ts'
import { runCommand } from '../support/run-command.ts'
import { makeReplyCheck } from './check-reply.ts'
import { type Document, listOperations, type Operation } from './document.ts'
import { type FuzzRequest, generateRequest, prepareRequest } from './generate-request.ts'
import { KnownValues } from './known-values.ts'
import { type FuzzReply, sendFuzzRequest } from './send-request.ts'
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

const rolesByAccess: Record<Operation['access'], readonly Role[]> = {
  public: roles,
  staff: ['user', 'admin'],
  admin: ['admin'],
  link: ['recipient'],
  shared: ['recipient', 'user', 'admin'],
}

/** Operations that end the caller's own session or change their account. A spare member of staff calls them. */
const ownAccountOperations = /^identity\.(signOut|endSession|endAllSessions|changePassword|change)$/

/**
 * Returns the roles in the order in which they make their calls. Each comes twice, except in a short run, because more objects exist the
 * second time. Admins come last, because they can change the others' accounts.
 */
const listPhases = (rounds: number): readonly Role[] =>
  rounds < 2 ? roles : ['stranger', 'recipient', 'user', 'stranger', 'recipient', 'user', 'admin', 'admin']

/** Calls every operation of `/openapi.json` in every role with generated input, and lists mismatches with the document. */
export async function fuzz({ seed, rounds, maxMs }: FuzzOptions): Promise<FuzzResult> {
  const random = makeSeededRandom(seed)
  const known = new KnownValues(random)
  await using world = await startWorld(known)
  const document = (await world.api.get({}, '/openapi.json')) as Document
  const operations = listOperations(document)
  const check = makeReplyCheck(document)
  const agent = new Agent({ keepAlive: true })
  const endsAt = Date.now() + maxMs
  const results = makeResultCollector(world)
  for (const role of listPhases(rounds)) {
    const { headersFor, prepared } = await prepareRole(world, role)
    for (const operation of shuffle(operations, random)) {
      const callCount = countCalls(role, operation, Math.ceil(rounds / 2))
      for (let n = 0; n < callCount && Date.now() < endsAt; n++) {
        const mode = random.pick(['valid', 'valid', 'boundary', 'invalid', 'invalid'] as const)
        const values = mode === 'valid' && random.chance(0.5) ? prepared[operation.id] : undefined
        const request = values
          ? prepareRequest(operation, values, known, random)
          : generateRequest(operation, mode, known, random)
        request.headers = { ...request.headers, ...(await headersFor(operation)), 'x-forwarded-for': pickAddress(random) }
        keepSecondFactorOptional(request)
        const reply = await sendFuzzRequest(world.url, agent, request)
        results.add(role, operation, request, reply, check(operation, request, reply))
        rememberValues(known, operation, reply)
      }
    }
  }
  agent.destroy()
  const { statuses, findings, succeeded } = results
  return {
    calls: Object.values(statuses).reduce((sum, count) => sum + count, 0),
    statuses,
    findings: [...findings.values(), ...(await checkServerAfterwards(world))],
    neverSucceeded: operations.map(({ id }) => id).filter((id) => !succeeded.has(id)),
  }
}

/** Returns how often a role calls an operation: once if it is not allowed to, so that the rejection is checked. */
function countCalls(role: Role, { id, access }: Operation, max: number): number {
  if (!rolesByAccess[access].includes(role)) return 1
  // Each of these calls may need a new member of staff, whose password takes long to hash.
  return ownAccountOperations.test(id) ? Math.min(2, max) : max
}

/** Counts replies and keeps the first finding of each kind. */
function makeResultCollector(world: World) {
  const statuses: Record<string, number> = {}
  const findings = new Map<string, string>()
  const succeeded = new Set<string>()
  /** What callers stored successfully. They may read it again, so it does not count as a leak. */
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
      for (const fault of [...faults, ...(role === 'admin' ? [] : findLeaks(world, sent + stored, reply))]) {
        const key = `${operation.id} ${fault.slice(0, 60)}`
        if (!findings.has(key)) findings.set(key, `${operation.id} as ${role} ${fault}\n    ${formatRequest(request)}`)
      }
    },
  }
}

/** Keeps a request from requiring second factors. Nobody here has one, so every later call would fail. */
function keepSecondFactorOptional(request: FuzzRequest) {
  const harmless = request.body?.toString('latin1').replace(/"second_factor":"(admins|everyone)"/, '"second_factor":"nobody"')
  if (harmless !== undefined) request.body = Buffer.from(harmless, 'latin1') // keeps every byte that isn't text
}

/** Picks one of a few addresses, so that rate limits are reached now and then. */
const pickAddress = (random: Random) => `192.0.2.${random.between(1, 20)}`

const shuffle = <T>(items: T[], random: Random): T[] =>
  items
    .map((item) => ({ item, sortKey: random.between(0, 2 ** 30) }))
    .toSorted((a, b) => a.sortKey - b.sortKey)
    .map(({ item }) => item)

/** Creates objects for a role. Returns a function that returns the role's headers for an operation, and input that succeeds. */
async function prepareRole(world: World, role: Role) {
  const { recipient, prepared } = await world.refill(role === 'admin' ? world.asAdmin : world.asUser)
  const callers = { stranger: {}, recipient, user: world.asUser, admin: world.asAdmin }
  let spareStaff = role === 'user' || role === 'admin' ? await world.addSpareStaff(role) : {}
  const headersFor = async ({ id }: Operation): Promise<Record<string, string>> => {
    if ((role !== 'user' && role !== 'admin') || !ownAccountOperations.test(id)) return callers[role]
    const isSignedIn = (await fetch(`${world.url}/v1/identity`, { headers: spareStaff })).ok
    if (!isSignedIn) spareStaff = await world.addSpareStaff(role)
    return spareStaff
  }
  return { headersFor, prepared }
}

/** Lists what a caller received about the other company without having sent it. */
function findLeaks({ othersIds }: World, sent: string, { headers, body }: FuzzReply): string[] {
  const received = `${JSON.stringify(headers)} ${body}`
  return [marker, ...othersIds].filter((id) => received.includes(id) && !sent.includes(id)).map((id) => `received ${id}`)
}

/** Remembers the ids and keys in a reply, for later calls. */
function rememberValues(known: KnownValues, { path }: Operation, { status, headers, body }: FuzzReply) {
  const upload = /^\/v1\/upload\/([\w-]+)$/.exec(headers.location ?? '')?.[1]
  if (upload) known.add('upload', upload)
  if (status < 300 && headers['content-type']?.startsWith('application/json') && body[0] === 0x7b)
    known.learn(path, JSON.parse(body.toString()))
}

const formatRequest = ({ method, target, headers, body }: FuzzRequest) => {
  const shownHeaders = Object.entries(headers).filter(([name]) => name !== 'authorization')
  return [method, target.slice(0, 300), JSON.stringify(Object.fromEntries(shownHeaders)), body?.toString().slice(0, 500)].join(
    ' ',
  )
}

/** Checks that the server still responds after the run and that the audit log verifies. Returns what failed. */
async function checkServerAfterwards(world: World): Promise<string[]> {
  const health = await fetch(`${world.url}/healthz`)
  const stats = await fetch(`${world.url}/v1/stats`, { headers: world.asAdmin })
  const audit = await runCommand(['audit', 'verify'], { DATA_DIR: join(world.folder, 'data') })
  return [
    ...(health.ok ? [] : [`/healthz returned ${health.status} afterwards`]),
    ...(stats.ok ? [] : [`/v1/stats returned ${stats.status} afterwards`]),
    ...(audit.code === 0 ? [] : [`neptune audit verify: ${audit.out}${audit.err}`]),
  ]
}
