import type { ApiResponse } from '../support/call-api.ts'
import { runConcurrently } from '../support/run-concurrently.ts'
import { gone, type Outcome, Register } from './history.ts'
import type { Random } from './random.ts'
import type { Person, TestServer } from './test-server.ts'

/** Returns the outcome of a change. After a server error it is unknown whether the change was made. */
const toChangeOutcome = (response: ApiResponse | undefined): Outcome =>
  response === undefined || response.status >= 500 ? 'info' : response.status < 300 ? 'ok' : 'fail'

interface Link {
  key: string
  register: Register
}

interface Visit extends Link {
  code: string
  token: string
}

interface Workload {
  server: Pick<TestServer, 'call' | 'company' | 'directory'>
  links: Link[]
  visits: Visit[]
  /** Returns a new client address every time, to avoid the rate limit. */
  makeAddress: () => string
}

/**
 * Creates, resets, deletes and opens links at random, for many concurrent clients. Records each link as a register of its code, or `gone`.
 */
export function makeLinkWorkload(server: Workload['server']) {
  let addressCount = 0
  const makeAddress = () => {
    addressCount++
    return `10.${(addressCount >> 16) & 255}.${(addressCount >> 8) & 255}.${addressCount & 255}`
  }
  const workload: Workload = { server, links: [], visits: [], makeAddress }
  const { links, visits } = workload

  return {
    links,
    makeAddress,

    /** Performs one random action on a random link. */
    async act(random: Random, person: Person): Promise<void> {
      if (links.length < 10 || random.chance(0.1)) return create(workload, person)
      const link = random.pick(links)
      if (random.chance(0.3)) return reset(workload, person, link)
      if (random.chance(0.1)) return remove(workload, person, link)
      const codes = link.register.values().filter((value) => value !== gone)
      if (random.chance(0.5) && codes.length > 0) return verify(workload, link, random.pick(codes))
      if (visits.length > 0) await checkVisit(workload, random.pick(visits))
    },

    /** Checks every code, visit and link once the load is over, and returns the violations in the whole history. */
    async findViolations(): Promise<string[]> {
      const checks = links.flatMap((link) => [
        () => checkExists(workload, link),
        ...link.register.values().flatMap((code) => (code === gone ? [] : [() => verify(workload, link, code)])),
      ])
      await runConcurrently(8, checks)
      await runConcurrently(
        8,
        visits.map((opened) => () => checkVisit(workload, opened)),
      )
      return links.flatMap(({ register }) => register.findViolations())
    },
  }
}

async function create({ server, links }: Workload, { headers }: Person): Promise<void> {
  const place = { company: server.company, directory: server.directory }
  const reserved = await server.call('POST', '/v1/link/initialise', place, headers)
  if (reserved?.status !== 200) return
  const { key, accessCode } = reserved.body.data
  const link = { key, register: new Register(`link ${key}`) }
  await link.register.write(gone, async () => 'ok') // until it is created
  links.push(link)
  const expiry = new Date(Date.now() + 24 * 60 * 60_000).toISOString()
  const request = { linkType: 'LINK_DIRECTORY', directory: server.directory, key, accessCode, expiry }
  await link.register.write(accessCode, async () => toChangeOutcome(await server.call('POST', '/v1/link', request, headers)))
}

async function reset({ server }: Workload, { headers }: Person, { key, register }: Link): Promise<void> {
  const reserved = await server.call('POST', '/v1/link/initialise', { type: 'RESET', accessKey: key }, headers)
  if (reserved?.status !== 200) return
  const request = { accessKey: key, accessCode: reserved.body.data.accessCode }
  await register.write(request.accessCode, async () =>
    toChangeOutcome(await server.call('PATCH', '/v1/link/reset', request, headers)),
  )
}

async function remove({ server }: Workload, { headers }: Person, { key, register }: Link): Promise<void> {
  await register.write(gone, async () => toChangeOutcome(await server.call('DELETE', `/v1/link/${key}`, undefined, headers)))
}

async function verify({ server, visits, makeAddress }: Workload, { key, register }: Link, code: string): Promise<void> {
  await register.probe(code, async () => {
    const request = { accessKey: key, accessCode: code }
    const response = await server.call('POST', '/v1/link/verify', request, { 'x-forwarded-for': makeAddress() })
    if (response?.status !== 200) return undefined
    const { validation, token } = response.body.data
    if (token) visits.push({ key, register, code, token })
    return validation as boolean
  })
}

/** Checks that a visit lasts exactly as long as the code it was opened with. */
async function checkVisit({ server }: Workload, { register, code, token }: Visit): Promise<void> {
  await register.probe(code, async () => {
    const response = await server.call('GET', '/v1/file?limit=1', undefined, { authorization: `Bearer ${token}` })
    return response === undefined || response.status >= 500 ? undefined : response.status === 200
  })
}

async function checkExists({ server }: Workload, { key, register }: Link): Promise<void> {
  await register.probe(gone, async () => {
    const response = await server.call('GET', `/v1/link/${key}/info`, undefined, {})
    return response === undefined || response.status >= 500 ? undefined : response.status === 404
  })
}
