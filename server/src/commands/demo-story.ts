import { Readable } from 'node:stream'
import type { LinkType } from '@neptune/contract'
import { compose } from '../composers.ts'
import type { Deps } from '../deps.ts'
import { writeNotes } from '../features/audit/audit.service.ts'
import { changeCompanyName, createCompany } from '../features/company/company.service.ts'
import { createDirectory } from '../features/directory/directory.service.ts'
import { downloadFile } from '../features/file/download.service.ts'
import { removeFiles, renameFile } from '../features/file/file.service.ts'
import { uploadFile } from '../features/file/upload.service.ts'
import { identify, startSession } from '../features/identity/identity.service.ts'
import { askOwner } from '../features/link/ask.service.ts'
import { createLink, initialise } from '../features/link/link.service.ts'
import { sendLink } from '../features/link/link-code.service.ts'
import { deliverDue } from '../features/outbox/delivery.service.ts'
import { issueReceipt } from '../features/receipt/receipt.service.ts'
import { countAllTransfers } from '../features/stats/transfer.service.ts'
import { findUserByEmail } from '../features/user/user.repo.ts'
import { createFirstAdmin, createUser, suspendUser } from '../features/user/user.service.ts'
import { identifyRecipient, verifyCode } from '../features/visit/visit.service.ts'
import { type Reader, requireRecipient, requireStaff, type Staff } from '../lib/actor.ts'
import { bytesOf, chances } from './demo-bytes.ts'
import { type CompanyCast, cast, openToRecipients } from './demo-cast.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour
const days = 30

interface Directory {
  id: string
  company: string
  staff: string[]
  names: string[]
  files: string[]
  isOpen: boolean
  recipients: string[]
}

interface Shared {
  key: string
  code: string
  type: LinkType
  directory: Directory
  file: string | undefined
  maker: string
  endsAt: number
}

/** A month of a few offices, told by the same services that would have done it: only the clock is another. */
export class Story {
  readonly deps: Deps
  readonly #clock: { now: number }
  readonly #end: number
  readonly #chance = chances(2026)
  readonly #password: string
  readonly #directories: Directory[] = []
  readonly #links: Shared[] = []
  readonly #numbers = new Map<string, number>()
  files = 0

  constructor(deps: Omit<Deps, 'now' | 'mailer'>, password: string, end: Date) {
    this.#end = end.getTime()
    this.#clock = { now: this.#end - days * day }
    this.#password = password
    // Nobody gets a mail out of a demo: it counts as sent.
    const mailer = {
      way: 'files' as const,
      send: async (_: unknown, handOver: () => Promise<boolean>) => void (await handOver()),
    }
    this.deps = { ...deps, mailer, now: () => new Date(this.#clock.now) }
  }

  get links() {
    return this.#links.length
  }

  /** As many files as wanted, spread over the days. */
  async tell(wanted: number, onDay: (day: number) => void) {
    await this.#open()
    const shares = this.#sharesOfWork()
    for (let today = 0; today < days; today++) {
      onDay(today + 1)
      for (const part of this.#partsOf(today)) await part(Math.round(wanted * (shares[today] ?? 1)))
      await deliverDue(this.deps, compose)
    }
    this.#clock.now = this.#end
    await writeNotes(this.deps)
    await countAllTransfers(this.deps)
  }

  /** How much of the work is done by the end of each day: little of it on weekends. */
  #sharesOfWork(): number[] {
    const weights = Array.from({ length: days }, (_, today) => {
      const weekday = new Date(this.#end - (days - 1 - today) * day).getUTCDay()
      return (weekday % 6 === 0 ? 0.15 : 1) * (0.4 + this.#chance())
    })
    const whole = weights.reduce((sum, weight) => sum + weight)
    let done = 0
    return weights.map((weight) => {
      done += weight / whole
      return done
    })
  }

  /** The first day: an admin, companies, people, directories. */
  async #open() {
    await createFirstAdmin(this.deps, () => undefined)
    const { config, db } = this.deps
    const admin = await this.#signIn(config.adminEmail)
    for (const [index, company] of cast.entries()) {
      this.#wait(minute)
      const first = await findUserByEmail(db, config.adminEmail)
      const id = index === 0 ? (first?.company_id ?? '') : (await createCompany(this.deps, admin, company.name)).id
      if (index === 0) await changeCompanyName(this.deps, admin, id, company.name)
      await this.#fill(admin, id, company)
    }
  }

  async #fill(admin: Staff, company: string, { staff, domain, directories, recipients }: CompanyCast) {
    const emails = staff.map((name) => `${name.split(' ')[0]?.toLowerCase()}@${domain}`)
    for (const [index, name] of staff.entries()) {
      this.#wait(minute)
      const body = { name, email: emails[index] ?? '', company, role: 'NEPTUNE_USER' as const, password: this.#password }
      await createUser(this.deps, admin, body)
    }
    for (const [name, names] of Object.entries(directories)) {
      this.#wait(minute)
      const { id } = await createDirectory(this.deps, admin, { directory: name, client: company })
      this.#directories.push({
        id,
        company,
        staff: emails,
        names,
        files: [],
        isOpen: openToRecipients.includes(name),
        recipients,
      })
    }
  }

  /** What is done on a day, each at its time, in the nine hours before the time of day at which the demo is made. */
  #partsOf(today: number): ((until: number) => Promise<void>)[] {
    const deeds = [
      (until: number) => this.#upload(until),
      ...(today % 3 !== 2 ? [() => this.#share(today)] : []),
      () => this.#visit(),
      () => this.#visit(),
      ...(today % 4 === 1 ? [() => this.#tidy()] : []),
      ...(today % 5 === 3 ? [() => this.#mistype()] : []),
      ...(today === 20 ? [() => this.#suspend()] : []),
      ...(today === days - 1 ? [() => this.#ask()] : []),
      (until: number) => this.#upload(until),
    ]
    const begin = this.#end - (days - 1 - today) * day - 9 * hour
    return deeds.map((deed, index) => async (until: number) => {
      this.#clock.now = Math.max(this.#clock.now, begin + (index / deeds.length) * 8 * hour)
      await deed(until)
      await writeNotes(this.deps)
    })
  }

  /** Time never goes back, and never beyond the moment at which all this is told. */
  #wait(about: number) {
    this.#clock.now = Math.min(this.#end, this.#clock.now + Math.round(about * (0.5 + this.#chance())))
  }

  #one<T>(of: readonly T[]): T {
    const found = of[Math.floor(this.#chance() * of.length)]
    if (found === undefined) throw new Error('There is nothing to choose from')
    return found
  }

  async #signIn(email: string): Promise<Staff> {
    const user = await findUserByEmail(this.deps.db, email)
    if (!user) throw new Error(`Nobody has the address ${email}`)
    const caller = { address: `198.51.100.${1 + (email.length % 200)}`, agent: 'Mozilla/5.0 (X11; Linux x86_64) Firefox/142.0' }
    const { session } = await startSession(this.deps, caller, user, false)
    return requireStaff(await identify(this.deps, session.token, caller.address))
  }

  /** Half of what is left for the day, by somebody of the company; a day without work is not noticed. */
  async #upload(until: number) {
    const directory = this.#one(this.#directories.filter(({ isOpen }) => !isOpen))
    const actor = await this.#signIn(this.#one(await this.#present(directory)))
    while (this.files < until) {
      this.#wait(minute)
      await this.#put(actor, directory)
      if (this.#chance() < 0.08) return
    }
  }

  /** Those of a company who may still sign in. */
  async #present({ staff }: Directory): Promise<string[]> {
    const users = await Promise.all(staff.map((email) => findUserByEmail(this.deps.db, email)))
    return staff.filter((_, index) => users[index]?.suspended_at === null)
  }

  async #put(actor: Reader, directory: Directory): Promise<string> {
    const pattern = this.#one(directory.names)
    const number = (this.#numbers.get(directory.id + pattern) ?? 0) + 1
    this.#numbers.set(directory.id + pattern, number)
    const filename = pattern.replace('#', String(number).padStart(2, '0'))
    const bytes = await bytesOf(filename, this.#chance)
    const target = { directory: directory.id, filename, conflict: 'keep' as const }
    const body = { source: Readable.from([bytes]), completed: Promise.resolve(), signal: new AbortController().signal }
    const { id } = await uploadFile(this.deps, actor, target, bytes.length, async () => body)
    directory.files.push(id)
    this.files++
    return id
  }

  /** Links of each kind: some are over by now, some end within the week, most go on. */
  async #share(today: number) {
    const directory = this.#one(this.#directories.filter(({ files, isOpen }) => isOpen || files.length > 0))
    const maker = this.#one(await this.#present(directory))
    const actor = await this.#signIn(maker)
    const isFile = !directory.isOpen && this.#chance() < 0.3
    const type = isFile ? 'LINK_FILE' : directory.isOpen ? 'LINK_EDITABLE_DIRECTORY' : 'LINK_DIRECTORY'
    const file = isFile ? this.#one(directory.files) : undefined
    const lasts = (days - today + (this.#one([-2, 3, 5, 25, 40, 60]) ?? 0)) * day
    const endsAt = this.#clock.now + Math.max(2 * day, lasts)
    const { key, accessCode } = await initialise(this.deps, actor, {
      type: 'INITIALISE',
      company: directory.company,
      directory: directory.id,
    })
    this.#wait(minute)
    const target = file === undefined ? { directory: directory.id } : { file }
    await createLink(this.deps, actor, { linkType: type, ...target, key, accessCode, expiry: new Date(endsAt).toISOString() })
    const to = this.#one(directory.recipients)
    await sendLink(this.deps, actor, actor.client, { key, targetEmail: to, includeCode: this.#chance() < 0.7 })
    this.#links.push({ key, code: accessCode, type, directory, file, maker, endsAt })
  }

  /** A recipient comes by a link that is open, takes what is there, and brings something where that is wanted, for a receipt. */
  async #visit() {
    const open = this.#links.filter(({ endsAt }) => endsAt > this.#clock.now + hour)
    if (open.length === 0) return
    const { key, code, type, directory, file } = this.#one(open)
    const address = `203.0.113.${1 + Math.floor(this.#chance() * 200)}`
    const { token } = await verifyCode(this.deps, address, { accessKey: key, accessCode: code })
    if (token === null) return // its maker was suspended meanwhile
    const actor = requireRecipient(await identifyRecipient(this.deps, token, address))
    for (const id of file === undefined ? directory.files.slice(-1 - Math.floor(this.#chance() * 6)) : [file]) {
      this.#wait(minute)
      const download = await downloadFile(this.deps, actor, id).catch(() => undefined) // it is in the trash
      await download?.onSent(download.size)
    }
    await writeNotes(this.deps) // before what comes later
    if (type !== 'LINK_EDITABLE_DIRECTORY') return
    for (let i = 0; i < 1 + Math.floor(this.#chance() * 3); i++) {
      this.#wait(minute)
      await this.#put(actor, directory)
    }
    await issueReceipt(this.deps, actor, undefined)
  }

  /** Somebody renames a file, and throws another away. */
  async #tidy() {
    const directory = this.#directories.find(({ files, isOpen }) => files.length > 3 && !isOpen)
    const [first, second] = directory?.files ?? []
    if (!directory || !first || !second) return
    const actor = await this.#signIn(this.#one(await this.#present(directory)))
    await renameFile(this.deps, actor, first, `Final ${this.files}.pdf`)
    this.#wait(minute)
    await removeFiles(this.deps, actor, [second])
    directory.files = directory.files.filter((id) => id !== second)
  }

  async #mistype() {
    const [link] = this.#links
    if (link) await verifyCode(this.deps, '203.0.113.9', { accessKey: link.key, accessCode: '0000-0000-0000' })
  }

  /** What they share is paused from then on. */
  async #suspend() {
    const admin = await this.#signIn(this.deps.config.adminEmail)
    // Never the first of a company: whoever looks around is told to sign in as one of those.
    const others = this.#links.filter(({ maker, directory }) => maker !== directory.staff[0])
    const [longest] = others.toSorted((a, b) => b.endsAt - a.endsAt)
    const user = longest && (await findUserByEmail(this.deps.db, longest.maker))
    if (user) await suspendUser(this.deps, admin, user.id)
  }

  async #ask() {
    const over = this.#links.find(({ endsAt }) => endsAt < this.#clock.now)
    if (over)
      await askOwner(this.deps, '203.0.113.44', { accessKey: over.key, wants: 'time', message: 'Could we have another week?' })
  }
}
