import { gone, type Outcome, Register } from './history.ts'
import { type Answer, type House, inTurns, type Person } from './house.ts'
import type { Random } from './random.ts'

/** A failure of the server's own leaves it open whether the change was made; a refusal does not. */
const outcomeOfChange = (answer: Answer | undefined): Outcome =>
  answer === undefined || answer.status >= 500 ? 'info' : answer.status < 300 ? 'ok' : 'fail'

/** Links that many clients make, reset, delete and open at once: each is a register that holds a code, or is gone. */
export function shareLinks(house: Pick<House, 'call' | 'company' | 'directory'>) {
  const links: { key: string; register: Register }[] = []
  const visits: { key: string; register: Register; code: string; token: string }[] = []
  let addresses = 0
  /** Another one every time, so that no limit on guesses gets in the way. */
  const newAddress = () => {
    addresses++
    return `10.${(addresses >> 16) & 255}.${(addresses >> 8) & 255}.${addresses & 255}`
  }

  async function create({ headers }: Person): Promise<void> {
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

  async function reset({ headers }: Person, { key, register }: (typeof links)[number]): Promise<void> {
    const reserved = await house.call('POST', '/v1/link/initialise', { type: 'RESET', accessKey: key }, headers)
    if (reserved?.status !== 200) return
    const wanted = { accessKey: key, accessCode: reserved.body.data.accessCode }
    await register.write(wanted.accessCode, async () =>
      outcomeOfChange(await house.call('PATCH', '/v1/link/reset', wanted, headers)),
    )
  }

  async function remove({ headers }: Person, { key, register }: (typeof links)[number]): Promise<void> {
    await register.write(gone, async () => outcomeOfChange(await house.call('DELETE', `/v1/link/${key}`, undefined, headers)))
  }

  async function verify({ key, register }: (typeof links)[number], code: string): Promise<void> {
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
  async function visit({ register, code, token }: (typeof visits)[number]): Promise<void> {
    await register.probe(code, async () => {
      const answer = await house.call('GET', '/v1/file?limit=1', undefined, { authorization: `Bearer ${token}` })
      return answer === undefined || answer.status >= 500 ? undefined : answer.status === 200
    })
  }

  async function look({ key, register }: (typeof links)[number]): Promise<void> {
    await register.probe(gone, async () => {
      const answer = await house.call('GET', `/v1/link/${key}/info`, undefined, {})
      return answer === undefined || answer.status >= 500 ? undefined : answer.status === 404
    })
  }

  return {
    links,
    newAddress,

    /** One thing that somebody does with some link. */
    async act(random: Random, person: Person): Promise<void> {
      if (links.length < 10 || random.chance(0.1)) return create(person)
      const link = random.pick(links)
      if (random.chance(0.3)) return reset(person, link)
      if (random.chance(0.1)) return remove(person, link)
      const codes = link.register.values().filter((value) => value !== gone)
      if (random.chance(0.5) && codes.length > 0) return verify(link, random.pick(codes))
      if (visits.length > 0) await visit(random.pick(visits))
    },

    /** When all is quiet: asks for every code there ever was, every visit, every link, and judges the whole history. */
    async violations(): Promise<string[]> {
      const questions = links.flatMap((link) => [
        () => look(link),
        ...link.register.values().flatMap((code) => (code === gone ? [] : [() => verify(link, code)])),
      ])
      await inTurns(8, questions)
      await inTurns(
        8,
        visits.map((known) => () => visit(known)),
      )
      return links.flatMap(({ register }) => register.violations())
    },
  }
}
