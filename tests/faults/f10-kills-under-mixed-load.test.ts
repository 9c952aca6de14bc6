import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { digest } from '../support/client.ts'
import { postLogin } from '../support/start-signed-in.ts'
import { expectNoViolations, Register, type SentFile, toOutcome, UploadHistory } from './history.ts'
import { makeLinkWorkload } from './link-workload.ts'
import { makeRandom, type Random } from './random.ts'
import { addStaff, expectIntact, makeBody, openFaultServer, type Person, type TestServer } from './test-server.ts'

const quota = 12 * 2 ** 20
const roles = ['NEPTUNE_USER', 'NEPTUNE_ADMIN'] as const

/** A file that only one client uses. */
interface OwnFile {
  entry: SentFile
  bytes: Buffer
  id: string | undefined
  /** The URL path of a tus upload; empty for PUT. */
  path: string
}

/** A person whose role is changed and who signs in to read it. */
interface Subject {
  person: Person
  register: Register
}

const random = makeRandom('F10')
const history = new UploadHistory()
/** Violations found while the load runs. */
const violations: string[] = []
let server: TestServer
let people: Person[]
let subjects: Subject[]
let linkWorkload: ReturnType<typeof makeLinkWorkload>
let smallDirectory: string
const clients = Array.from({ length: 20 }, (_, i) => ({
  name: `client-${i}`,
  random: random.fork(),
  files: [] as OwnFile[],
  count: 0,
}))
const findPerson = (client: (typeof clients)[number]) => people[clients.indexOf(client) % people.length] as Person

beforeAll(async () => {
  server = await openFaultServer({ TRUST_PROXY: '127.0.0.1', COMPANY_QUOTA_BYTES: String(quota) })
  people = await Promise.all(['ada', 'ben', 'cleo', 'dan'].map((name) => addStaff(server, name)))
  subjects = await Promise.all(['eve', 'fay', 'gus'].map((name) => addSubject(server, name)))
  linkWorkload = makeLinkWorkload(server)
  const company = (await server.call('POST', '/v1/admin/company', { name: 'Small' }))?.body.data.id
  smallDirectory = await server.openDirectory('Full', company)
}, 60_000)
afterAll(() => server[Symbol.asyncDispose]())

describe('F10: after twenty kills under mixed load from twenty clients', () => {
  beforeAll(async () => {
    for (let round = 0; round < 20; round++) {
      // The moment is counted in actions, not in seconds, so that it does not depend on the machine's speed.
      let actionsLeft = random.between(20, 120)
      await Promise.all(
        clients.map(async (client) => {
          while (actionsLeft-- > 0) await act(client)
          server.process.kill('SIGKILL')
        }),
      )
      await server.start()
    }
    // The load is over: resume the interrupted tus uploads.
    for (const client of clients) await Promise.all(client.files.map((file) => resumeUpload(file, findPerson(client))))
  }, 120_000)

  it('every acknowledged upload is complete and identical, no other is partial, and no quota is exceeded', async () => {
    await server.expectConsistent(history, { quota })
    expectNoViolations(violations)
    const counts = `${history.count('ok')} acknowledged, ${history.count('fail')} rejected, ${history.count('info')} unknown`
    process.stdout.write(`F10: ${history.sent.length} uploads, ${counts}\n`)
    expect(history.count('ok'), 'many uploads').toBeGreaterThan(100)
    expect(history.count('info'), 'some were interrupted').toBeGreaterThan(5)
  })

  it('every acknowledged reset, deletion and role change is in effect', async () => {
    for (const { register, person } of subjects) await register.read(() => readRole(person))
    expectNoViolations([
      ...(await linkWorkload.findViolations()),
      ...subjects.flatMap(({ register }) => register.findViolations()),
    ])
    const changes = [...linkWorkload.links, ...subjects]
      .map(({ register }) => register.count('ok'))
      .reduce((sum, count) => sum + count, 0)
    process.stdout.write(`F10: ${changes} changes acknowledged\n`)
    expect(changes, 'many changes').toBeGreaterThan(100)
  })

  it('neptune fsck --scrub and neptune audit verify find no errors', () => expectIntact(server))
})

async function act(client: (typeof clients)[number]) {
  const { random, files } = client
  const person = findPerson(client)
  const dice = random.between(1, 100)
  if (dice <= 48) {
    const name = `${client.name}-${client.count++}.bin`
    const method = random.chance(0.6) ? ('put' as const) : ('tus' as const)
    // Some go to a company whose quota is soon used up.
    const [bytes, into] =
      dice <= 40 ? [makeBody(random, 1, 20_000), server.directory] : [makeBody(random, 100_000, 700_000), smallDirectory]
    files.push(await upload(name, bytes, method, person, into))
  } else if (dice <= 78) await linkWorkload.act(random, person)
  else if (dice <= 83) await changeRole(random, person)
  else if (files.length > 0) await useFile(random, random.pick(files), person)
}

async function upload(name: string, bytes: Buffer, method: 'put' | 'tus', { headers }: Person, into: string): Promise<OwnFile> {
  let path = ''
  const onCreated = (location: string) => {
    path = location
  }
  const { entry, id } = await server.upload(history, name, bytes, method, { headers, into, onCreated })
  return { entry, bytes, id, path }
}

/** Resumes a tus upload whose outcome is unknown. */
async function resumeUpload(file: OwnFile, { headers }: Person) {
  if (file.path === '' || file.entry.outcome !== 'info') return
  const { status, id } = await server.resume(file.path, file.bytes, headers)
  if (status === 404) violations.push(`${file.entry.name} was created but cannot be resumed`)
  if (status !== undefined && status < 500) file.entry.outcome = toOutcome(status)
  if (status === 507) file.entry.outcome = 'fail'
  file.id = id
}

async function useFile(random: Random, file: OwnFile, person: Person) {
  const { entry, id, bytes } = file
  if (entry.outcome === 'info') return resumeUpload(file, person)
  if (id === undefined || entry.outcome !== 'ok' || entry.place === 'either') return
  if (entry.place === 'trash') return move(entry, 'listed', () => server.call('POST', '/v1/file/restore', { ids: [id] }))
  if (random.chance(0.5)) return move(entry, 'trash', () => server.call('DELETE', `/v1/file/${id}`))
  const hash = await fetch(`${server.url}/v1/file/${id}`, { headers: person.headers })
    .then(
      async (reply) => (reply.ok ? digest(new Uint8Array(await reply.arrayBuffer())) : `status ${reply.status}`),
      () => undefined,
    )
    .catch(() => undefined)
  if (hash !== undefined && hash !== digest(bytes)) violations.push(`${entry.name} was downloaded as ${hash}`)
}

async function move(entry: SentFile, to: 'listed' | 'trash', attempt: () => Promise<{ status: number } | undefined>) {
  entry.place = 'either'
  const response = await attempt()
  if (response && response.status < 300) entry.place = to
  else if (response) violations.push(`${entry.name} could not be moved (${to}): ${response.status}`)
}

async function changeRole(random: Random, { headers }: Person) {
  const { person, register } = random.pick(subjects)
  if (random.chance(0.3)) return register.read(() => readRole(person))
  const role = random.pick(roles)
  await register.write(role, async () => {
    const response = await server.call('PATCH', '/v1/admin/role', { email: person.email, role }, headers)
    return response === undefined || response.status >= 500 ? 'info' : toOutcome(response.status)
  })
}

/** Returns the role that the person gets when they sign in. */
async function readRole({ email, password }: Person): Promise<string | undefined> {
  const reply = await postLogin(server.url, { email, password }).catch(() => undefined)
  const session = await reply?.json().catch(() => undefined)
  return session?.info?.role
}

async function addSubject(server: TestServer, name: string): Promise<Subject> {
  const person = await addStaff(server, name, { role: 'NEPTUNE_USER' })
  const register = new Register(`role of ${name}`)
  await register.write('NEPTUNE_USER', async () => 'ok')
  return { person, register }
}
