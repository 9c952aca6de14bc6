import { expect } from 'vitest'

/**
 * What clients did and were told, and whether it can have been so. The idea is Jepsen's: clients write down when they began, what they
 * were answered and when; afterwards the history as a whole is judged, whatever was killed or broken in between.
 */

/** `ok` and `fail` are what the server said; `info` is that it said nothing, so that either may be true. */
export type Outcome = 'ok' | 'fail' | 'info'

/** The outcome of an HTTP call, from its status; undefined when no answer came. */
export const outcomeOf = (status: number | undefined): Outcome =>
  status === undefined ? 'info' : status >= 200 && status < 300 ? 'ok' : 'fail'

/** A file that somebody sent, and where it is to be found now: nobody knows where while a move to or from the trash went unanswered. */
export interface Sent {
  name: string
  sha256: string
  size: number
  outcome: Outcome
  place: 'listed' | 'trash' | 'either'
}

/** A file that was found at the end, with the sum of the bytes that came down. */
export interface Found {
  name: string
  sha256: string
  place: 'listed' | 'trash'
}

const where = (place: 'listed' | 'trash') => (place === 'trash' ? 'in the trash' : 'listed')

/** Uploads of unique names and bodies. */
export class SetHistory {
  readonly sent: Sent[] = []

  /** To be called before the first byte leaves. Until somebody says more, nobody knows. */
  invoke(name: string, sha256: string, size: number): Sent {
    const entry: Sent = { name, sha256, size, outcome: 'info', place: 'listed' }
    this.sent.push(entry)
    return entry
  }

  count(outcome: Outcome) {
    return this.sent.filter((entry) => entry.outcome === outcome).length
  }

  /** Every violation, as a sentence: ok is there once and exact, fail is absent, info is whole or absent, and there is nothing else. */
  violations(found: Found[]): string[] {
    const expected = new Map(this.sent.map((entry) => [entry.name, entry]))
    const wrong: string[] = []
    for (const { name, outcome, place } of this.sent) {
      const copies = found.filter((file) => file.name === name)
      if (copies.length > 1) wrong.push(`${name} is there ${copies.length} times`)
      if (outcome === 'ok' && copies.length === 0) wrong.push(`${name} was acknowledged and is lost`)
      if (outcome === 'fail' && copies.length > 0) wrong.push(`${name} was refused and is there`)
      const [copy] = copies
      if (copy && outcome === 'ok' && place !== 'either' && copy.place !== place)
        wrong.push(`${name} should be ${where(place)} and is ${where(copy.place)}`)
    }
    for (const { name, sha256 } of found) {
      const entry = expected.get(name)
      if (!entry) wrong.push(`${name} is there and was never sent`)
      else if (entry.sha256 !== sha256) wrong.push(`${name} is there with other bytes than were sent`)
    }
    return wrong
  }
}

interface Write {
  value: string
  outcome: Outcome
  begin: number
  end: number
}

interface Probe {
  value: string
  holds: boolean
  begin: number
  end: number
}

/** What a deleted thing holds. */
export const gone = 'gone'

/**
 * One thing that has one value at a time: the code of a link, the role of a user. Any number of clients write it and ask whether it has
 * a value. A write without an answer took effect, if at all, before its connection broke.
 */
export class Register {
  readonly #writes: Write[] = []
  readonly #probes: Probe[] = []
  readonly name: string

  constructor(name: string) {
    this.name = name
  }

  /** The outcome, as it is when the attempt is over. */
  async write(value: string, attempt: () => Promise<Outcome>): Promise<Outcome> {
    const entry: Write = { value, outcome: 'info', begin: performance.now(), end: Number.POSITIVE_INFINITY }
    this.#writes.push(entry)
    try {
      entry.outcome = await attempt()
    } finally {
      entry.end = performance.now()
    }
    return entry.outcome
  }

  /** `ask` says whether the value holds, or undefined when no answer came: then nothing was learnt. */
  async probe(value: string, ask: () => Promise<boolean | undefined>): Promise<boolean | undefined> {
    const begin = performance.now()
    const holds = await ask()
    if (holds !== undefined) this.#probes.push({ value, holds, begin, end: performance.now() })
    return holds
  }

  /** The same where one asks what it is. */
  async read(ask: () => Promise<string | undefined>): Promise<void> {
    const begin = performance.now()
    const value = await ask()
    if (value !== undefined) this.#probes.push({ value, holds: true, begin, end: performance.now() })
  }

  /** Every value it ever may have had: what to ask about at the end. */
  values(): string[] {
    return [...new Set(this.#writes.filter(({ outcome }) => outcome !== 'fail').map(({ value }) => value))]
  }

  count(outcome: Outcome) {
    return this.#writes.filter((write) => write.outcome === outcome).length
  }

  get probed() {
    return this.#probes.length
  }

  /** Every answer that cannot have been right, as a sentence. */
  violations(): string[] {
    return this.#probes.flatMap((probe) => {
      const shown = probe.value === gone ? gone : JSON.stringify(probe.value)
      if (probe.holds && !this.#mayHold(probe)) return [`${this.name}: ${shown} held, though it was replaced or never given`]
      if (!probe.holds && this.#mustHold(probe)) return [`${this.name}: ${shown} was acknowledged and does not hold`]
      return []
    })
  }

  /** There is a write of it that nothing acknowledged came after, before we asked. */
  #mayHold({ value, begin, end }: Probe): boolean {
    const isReplaced = (write: Write) =>
      this.#writes.some(
        (later) => later.outcome === 'ok' && later.value !== value && write.end < later.begin && later.end < begin,
      )
    return this.#writes.some(
      (write) => write.value === value && write.outcome !== 'fail' && write.begin < end && !isReplaced(write),
    )
  }

  /** It was acknowledged before we asked, and nothing else was even tried since. */
  #mustHold({ value, begin, end }: Probe): boolean {
    const isAlone = (write: Write) =>
      this.#writes.every(
        (other) => other.value === value || other.outcome === 'fail' || other.end < write.begin || other.begin > end,
      )
    return this.#writes.some((write) => write.value === value && write.outcome === 'ok' && write.end < begin && isAlone(write))
  }
}

/** What a company keeps: the number that is kept, and the rows it is the sum of. */
export interface Account {
  company: string
  bytes: number
  sum: number
}

/** Every account that is wrong, as a sentence: the number is the sum of the rows, and never above what is allowed. */
export function counterViolations(accounts: Account[], quota = Number.POSITIVE_INFINITY): string[] {
  return accounts.flatMap(({ company, bytes, sum }) => [
    ...(bytes === sum ? [] : [`${company} is said to keep ${bytes} bytes, and its files have ${sum}`]),
    ...(sum <= quota ? [] : [`${company} keeps ${sum} bytes, more than the ${quota} it may`]),
  ])
}

/** Violations, of which the first are named: the rest is mostly the same again. */
export const expectNone = (violations: string[]) => expect(violations, violations.slice(0, 3).join('; ')).toEqual([])
