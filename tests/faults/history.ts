import { expect } from 'vitest'

/**
 * Records what clients did and which responses they got, and checks the history for contradictions, as Jepsen does: clients record the
 * start, the response and the end of each operation; afterwards the whole history is checked, whatever was killed or broken in between.
 */

/** `ok` and `fail` are responses of the server; `info` means that no response arrived, so either may be true. */
export type Outcome = 'ok' | 'fail' | 'info'

/** Returns the outcome of an HTTP call with this status; undefined stands for no response. */
export const toOutcome = (status: number | undefined): Outcome =>
  status === undefined ? 'info' : status >= 200 && status < 300 ? 'ok' : 'fail'

/** A file that a client sent, and where it must be now: `either` after a move to or from the trash without a response. */
export interface SentFile {
  name: string
  sha256: string
  size: number
  outcome: Outcome
  place: 'listed' | 'trash' | 'either'
}

/** A file that was found at the end, with the hash of its downloaded bytes. */
export interface FoundFile {
  name: string
  sha256: string
  place: 'listed' | 'trash'
}

const describePlace = (place: 'listed' | 'trash') => (place === 'trash' ? 'in the trash' : 'listed')

/** A history of uploads with unique names and bodies. */
export class UploadHistory {
  readonly sent: SentFile[] = []

  /** Records the start of an upload, with an unknown outcome. Call it before the first byte is sent. */
  invoke(name: string, sha256: string, size: number): SentFile {
    const entry: SentFile = { name, sha256, size, outcome: 'info', place: 'listed' }
    this.sent.push(entry)
    return entry
  }

  count(outcome: Outcome) {
    return this.sent.filter((entry) => entry.outcome === outcome).length
  }

  /**
   * Returns a description of every violation: `ok` must exist once and be identical, `fail` must not exist, `info` must be complete or
   * missing, and there must be nothing else.
   */
  findViolations(found: FoundFile[]): string[] {
    const expected = new Map(this.sent.map((entry) => [entry.name, entry]))
    const violations: string[] = []
    for (const { name, outcome, place } of this.sent) {
      const copies = found.filter((file) => file.name === name)
      if (copies.length > 1) violations.push(`${name} exists ${copies.length} times`)
      if (outcome === 'ok' && copies.length === 0) violations.push(`${name} was acknowledged but is lost`)
      if (outcome === 'fail' && copies.length > 0) violations.push(`${name} was rejected but exists`)
      const [copy] = copies
      if (copy && outcome === 'ok' && place !== 'either' && copy.place !== place)
        violations.push(`${name} should be ${describePlace(place)} but is ${describePlace(copy.place)}`)
    }
    for (const { name, sha256 } of found) {
      const entry = expected.get(name)
      if (!entry) violations.push(`${name} exists but was never sent`)
      else if (entry.sha256 !== sha256) violations.push(`${name} exists with other bytes than were sent`)
    }
    return violations
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
  isInEffect: boolean
  begin: number
  end: number
}

/** The value of a deleted record. */
export const gone = 'gone'

/**
 * A history of something with one value at a time, such as a link's code or a user's role. Any number of clients write it and check
 * whether it has a value. A write without a response took effect, if at all, before its connection broke.
 */
export class Register {
  readonly #writes: Write[] = []
  readonly #probes: Probe[] = []
  readonly name: string

  constructor(name: string) {
    this.name = name
  }

  /** Records a write and returns its outcome. */
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

  /** Records whether the value is in effect. `check` returns undefined if no response arrived, which records nothing. */
  async probe(value: string, check: () => Promise<boolean | undefined>): Promise<boolean | undefined> {
    const begin = performance.now()
    const isInEffect = await check()
    if (isInEffect !== undefined) this.#probes.push({ value, isInEffect, begin, end: performance.now() })
    return isInEffect
  }

  /** Records the current value, or nothing if no response arrived. */
  async read(check: () => Promise<string | undefined>): Promise<void> {
    const begin = performance.now()
    const value = await check()
    if (value !== undefined) this.#probes.push({ value, isInEffect: true, begin, end: performance.now() })
  }

  /** Returns every value it may ever have had, to check at the end. */
  values(): string[] {
    return [...new Set(this.#writes.filter(({ outcome }) => outcome !== 'fail').map(({ value }) => value))]
  }

  count(outcome: Outcome) {
    return this.#writes.filter((write) => write.outcome === outcome).length
  }

  /** Returns a description of every response that contradicts the history. */
  findViolations(): string[] {
    return this.#probes.flatMap((probe) => {
      const value = probe.value === gone ? gone : JSON.stringify(probe.value)
      if (probe.isInEffect && !this.#mayHold(probe))
        return [`${this.name}: ${value} was in effect although it was replaced or never written`]
      if (!probe.isInEffect && this.#mustHold(probe)) return [`${this.name}: ${value} was acknowledged but is not in effect`]
      return []
    })
  }

  /** Whether there is a write of the value that no acknowledged write replaced before the probe. */
  #mayHold({ value, begin, end }: Probe): boolean {
    const isReplaced = (write: Write) =>
      this.#writes.some(
        (later) => later.outcome === 'ok' && later.value !== value && write.end < later.begin && later.end < begin,
      )
    return this.#writes.some(
      (write) => write.value === value && write.outcome !== 'fail' && write.begin < end && !isReplaced(write),
    )
  }

  /** Whether the value was acknowledged before the probe, and no other write was attempted since. */
  #mustHold({ value, begin, end }: Probe): boolean {
    const isAlone = (write: Write) =>
      this.#writes.every(
        (other) => other.value === value || other.outcome === 'fail' || other.end < write.begin || other.begin > end,
      )
    return this.#writes.some((write) => write.value === value && write.outcome === 'ok' && write.end < begin && isAlone(write))
  }
}

/** The storage of a company: its counter, and the sum of the sizes of its files. */
export interface Account {
  company: string
  bytes: number
  sum: number
}

/** Returns a description of every account whose counter differs from the sum, or whose sum exceeds the quota. */
export function findCounterViolations(accounts: Account[], quota = Number.POSITIVE_INFINITY): string[] {
  return accounts.flatMap(({ company, bytes, sum }) => [
    ...(bytes === sum ? [] : [`${company}’s counter is ${bytes} bytes, but its files have ${sum}`]),
    ...(sum <= quota ? [] : [`${company} stores ${sum} bytes, more than its quota of ${quota}`]),
  ])
}

/** Expects no violations, and shows the first three. */
export const expectNoViolations = (violations: string[]) => expect(violations, violations.slice(0, 3).join('; ')).toEqual([])
