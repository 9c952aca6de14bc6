import type { Answer } from '../support/call.ts'
import { inTurns } from '../support/in-turns.ts'
import { gone, type Outcome, Register } from './history.ts'
import type { House, Person } from './house.ts'
import type { Random } from './random.ts'

/** A failure of the server's own leaves it open whether the change was made; a refusal does not. */
const outcomeOfChange = (answer: Answer | undefined): Outcome =>
  answer === undefined || answer.status >= 500 ? 'info' : answer.status < 300 ? 'ok' : 'fail'

interface Link {
  key: string
  register: Register
}

interface Visit extends Link {
  code: string
  token: string
}

interface Shares {
  house: Pick<House, 'call' | 'company' | 'directory'>
  links: Link[]
  visits: Visit[]
  /** Another one every time, so that no limit on guesses gets in the way. */
  newAddress: () => string
}

/** Links that many clients make, reset, delete and open at once: each is a register that holds a code, or is gone. */
export function shareLinks(house: Shares['house']) {
  let addresses = 0
  const newAddress = () => {
    addresses++
    return `10.${(addresses >> 16) & 255}.${(addresses >> 8) & 255}.${addresses & 255}`
  }
  const shares: Shares = { house, links: [], visits: [], newAddress }
  const { links, visits } = shares

  return {
    links,
    newAddress,

    /** One thing that somebody does with some link. */
    async act(random: Random, person: Person): Promise<void> {
      if (links.length < 10 || random.chance(0.1)) return create(shares, person)
      const link = random.pick(links)
      if (random.chance(0.3)) return reset(shares, person, link)
      if (random.chance(0.1)) return remove(shares, person, link)
      const codes = link.register.values().filter((value) => value !== gone)
      if (random.chance(0.5) && codes.length > 0) return verify(shares, link, random.pick(codes))
      if (visits.length > 0) await visit(shares, random.pick(visits))
    },

    /** When all is quiet: asks for every code there ever was, every visit, every link, and judges the whole history. */
    async violations(): Promise<string[]> {
      const questions = links.flatMap((link) => [
        () => look(shares, link),
        ...link.register.values().flatMap((code) => (code === gone ? [] : [() => verify(shares, link, code)])),
      ])
      await inTurns(8, questions)
      await inTurns(
        8,
        visits.map((known) => () => visit(shares, known)),
      )
      return links.flatMap(({ register }) => register.violations())
    },
  }
}

async function create({ house, links }: Shares, { headers }: Person): Promise<void> {
  const place = { company: house.company, directory: house.directory }
  const reserved = await house.call('POST', '/v1/link/initialise', place, headers)
  if (reserved?.status !== 200) return
  const { key, accessCode } = reserved.body.data
  const link = { key, register: new Register(`link ${key}`) }
  await link.register.write(gone, async () => 'ok') // as long as nobody made it
  links.push(link)
  const expiry = new Date(Date.now() + 24 * 60 * 60_000).toISOString()
  const wanted = { linkType: 'LINK_DIRECTORY', directory: house.directory, key, accessCode, expiry }
  await link.register.write(accessCode, async () => outcomeOfChange(await house.call('POST', '/v1/link', wanted, headers)))
}

async function reset({ house }: Shares, { headers }: Person, { key, register }: Link): Promise<void> {
  const reserved = await house.call('POST', '/v1/link/initialise', { type: 'RESET', accessKey: key }, headers)
  if (reserved?.status !== 200) return
  const wanted = { accessKey: key, accessCode: reserved.body.data.accessCode }
  await register.write(wanted.accessCode, async () =>
    outcomeOfChange(await house.call('PATCH', '/v1/link/reset', wanted, headers)),
  )
}

async function remove({ house }: Shares, { headers }: Person, { key, register }: Link): Promise<void> {
  await register.write(gone, async () => outcomeOfChange(await house.call('DELETE', `/v1/link/${key}`, undefined, headers)))
}

async function verify({ house, visits, newAddress }: Shares, { key, register }: Link, code: string): Promise<void> {
  await register.probe(code, async () => {
    const wanted = { accessKey: key, accessCode: code }
    const answer = await house.call('POST', '/v1/link/verify', wanted, { 'x-forwarded-for': newAddress() })
    if (answer?.status !== 200) return undefined
    const { validation, token } = answer.body.data
    if (token) visits.push({ key, register, code, token })
    return validation as boolean
  })
}

/** Whoever came in by a code is in for as long as that code holds, and no longer. */
async function visit({ house }: Shares, { register, code, token }: Visit): Promise<void> {
  await register.probe(code, async () => {
    const answer = await house.call('GET', '/v1/file?limit=1', undefined, { authorization: `Bearer ${token}` })
    return answer === undefined || answer.status >= 500 ? undefined : answer.status === 200
  })
}

async function look({ house }: Shares, { key, register }: Link): Promise<void> {
  await register.probe(gone, async () => {
    const answer = await house.call('GET', `/v1/link/${key}/info`, undefined, {})
    return answer === undefined || answer.status >= 500 ? undefined : answer.status === 404
  })
}
