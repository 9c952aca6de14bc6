import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { digest } from '../support/client.ts'
import { login } from '../support/signed-in.ts'
import { expectNone, outcomeOf, Register, type Sent, SetHistory } from './history.ts'
import { body, expectClean, type House, hire, openHouse, type Person } from './house.ts'
import { shareLinks } from './links.ts'
import { type Random, randomOf } from './random.ts'

const quota = 12 * 2 ** 20
const roles = ['NEPTUNE_USER', 'NEPTUNE_ADMIN'] as const

/** A file of a client's own: nobody else touches it. */
interface Own {
  entry: Sent
  bytes: Buffer
  id: string | undefined
  /** Of one in pieces: where to go on. */
  path: string
}

/** Somebody whose role is changed, and who signs in to see what it is. */
interface Subject {
  person: Person
  register: Register
}

const random = randomOf('F10')
const history = new SetHistory()
/** What was wrong at once, without looking at the whole. */
const wrong: string[] = []
let house: House
let people: Person[]
let subjects: Subject[]
let links: ReturnType<typeof shareLinks>
let smallDirectory: string
const clients = Array.from({ length: 20 }, (_, i) => ({
  name: `client-${i}`,
  random: random.fork(),
  files: [] as Own[],
  count: 0,
}))
const personOf = (client: (typeof clients)[number]) => people[clients.indexOf(client) % people.length] as Person

beforeAll(async () => {
  house = await openHouse({ TRUST_PROXY: '127.0.0.1', COMPANY_QUOTA_BYTES: String(quota) })
  people = await Promise.all(['ada', 'ben', 'cleo', 'dan'].map((name) => hire(house, name)))
  subjects = await Promise.all(['eve', 'fay', 'gus'].map((name) => beSubject(house, name)))
  links = shareLinks(house)
  const company = (await house.call('POST', '/v1/admin/company', { name: 'Small' }))?.body.data.id
  smallDirectory = await house.openDirectory('Full', company)
}, 60_000)
afterAll(() => house[Symbol.asyncDispose]())

describe('F10: after twenty kills under the mixed load of twenty clients', () => {
  beforeAll(async () => {
    for (let round = 0; round < 20; round++) {
      // A moment counted in deeds, not in seconds: the same on a slow machine.
      let left = random.between(20, 120)
      await Promise.all(
        clients.map(async (client) => {
          while (left-- > 0) await act(client)
          house.process.kill('SIGKILL')
        }),
      )
      await house.start()
    }
    // Quiet now. What came in pieces and was cut goes on.
    for (const client of clients) await Promise.all(client.files.map((file) => goOn(file, personOf(client))))
  }, 120_000)

  it('every upload that was acknowledged is there and byte-exact, no other is half there, and no quota is broken', async () => {
    await house.expectWhole(history, { quota })
    expectNone(wrong)
    const counts = `${history.count('ok')} acknowledged, ${history.count('fail')} refused, ${history.count('info')} unknown`
    process.stdout.write(`F10: ${history.sent.length} uploads, ${counts}\n`)
    expect(history.count('ok'), 'many uploads').toBeGreaterThan(100)
    expect(history.count('info'), 'some were cut').toBeGreaterThan(5)
  })

  it('every reset, deletion and change of role that was acknowledged holds', async () => {
    for (const { register, person } of subjects) await register.read(() => roleOf(person))
    expectNone([...(await links.violations()), ...subjects.flatMap(({ register }) => register.violations())])
    const changes = [...links.links, ...subjects]
      .map(({ register }) => register.count('ok'))
      .reduce((sum, count) => sum + count, 0)
    process.stdout.write(`F10: ${changes} changes acknowledged\n`)
    expect(changes, 'many changes').toBeGreaterThan(100)
  })

  it('neptune fsck --scrub and neptune audit verify come out clean', () => expectClean(house))
})

async function act(client: (typeof clients)[number]) {
  const { random, files } = client
  const person = personOf(client)
  const deed = random.between(1, 100)
  if (deed <= 48) {
    const name = `${client.name}-${client.count++}.bin`
    const way = random.chance(0.6) ? ('put' as const) : ('tus' as const)
    // Some go where there will soon be no more room.
    const [bytes, into] =
      deed <= 40 ? [body(random, 1, 20_000), house.directory] : [body(random, 100_000, 700_000), smallDirectory]
    files.push(await upload(name, bytes, way, person, into))
  } else if (deed <= 78) await links.act(random, person)
  else if (deed <= 83) await changeRole(random, person)
  else if (files.length > 0) await useFile(random, random.pick(files), person)
}

async function upload(name: string, bytes: Buffer, way: 'put' | 'tus', { headers }: Person, into: string): Promise<Own> {
  let path = ''
  const at = (told: string) => {
    path = told
  }
  const { entry, id } = await house.upload(history, name, bytes, way, { headers, into, at })
  return { entry, bytes, id, path }
}

/** An upload in pieces of which nobody knows whether it came through. One that was refused for good is gone. */
async function goOn(file: Own, { headers }: Person) {
  if (file.path === '' || file.entry.outcome !== 'info') return
  const { status, id } = await house.resume(file.path, file.bytes, headers)
  if (status === 404) wrong.push(`${file.entry.name} was begun, and cannot be gone on with`)
  if (status !== undefined && status < 500) file.entry.outcome = outcomeOf(status)
  if (status === 507) file.entry.outcome = 'fail'
  file.id = id
}

async function useFile(random: Random, file: Own, person: Person) {
  const { entry, id, bytes } = file
  if (entry.outcome === 'info') return goOn(file, person)
  if (id === undefined || entry.outcome !== 'ok' || entry.place === 'either') return
  if (entry.place === 'trash') return move(entry, 'listed', () => house.call('POST', '/v1/file/restore', { ids: [id] }))
  if (random.chance(0.5)) return move(entry, 'trash', () => house.call('DELETE', `/v1/file/${id}`))
  const sum = await fetch(`${house.url}/v1/file/${id}`, { headers: person.headers })
    .then(
      async (reply) => (reply.ok ? digest(new Uint8Array(await reply.arrayBuffer())) : `answered ${reply.status}`),
      () => undefined,
    )
    .catch(() => undefined)
  if (sum !== undefined && sum !== digest(bytes)) wrong.push(`${entry.name} came down as ${sum}`)
}

async function move(entry: Sent, to: 'listed' | 'trash', attempt: () => Promise<{ status: number } | undefined>) {
  entry.place = 'either'
  const answer = await attempt()
  if (answer && answer.status < 300) entry.place = to
  else if (answer) wrong.push(`${entry.name} could not be moved (${to}): ${answer.status}`)
}

async function changeRole(random: Random, { headers }: Person) {
  const { person, register } = random.pick(subjects)
  if (random.chance(0.3)) return register.read(() => roleOf(person))
  const role = random.pick(roles)
  await register.write(role, async () => {
    const answer = await house.call('PATCH', '/v1/admin/role', { email: person.email, role }, headers)
    return answer === undefined || answer.status >= 500 ? 'info' : outcomeOf(answer.status)
  })
}

/** As the person themselves learn it: by signing in. */
async function roleOf({ email, password }: Person): Promise<string | undefined> {
  const reply = await login(house.url, { email, password }).catch(() => undefined)
  const session = await reply?.json().catch(() => undefined)
  return session?.info?.role
}

async function beSubject(house: House, name: string): Promise<Subject> {
  const person = await hire(house, name, { role: 'NEPTUNE_USER' })
  const register = new Register(`role of ${name}`)
  await register.write('NEPTUNE_USER', async () => 'ok')
  return { person, register }
}
