import { Readable } from 'node:stream'
import type { LinkType } from '@neptune/contract'
import type { Deps } from '../../deps.ts'
import { identifyRecipient, verifyCode } from '../../features/access/access.service.ts'
import { writeQueuedEntries } from '../../features/audit/audit.service.ts'
import { changeCompany, createCompany } from '../../features/company/company.service.ts'
import { createDirectory } from '../../features/directory/directory.service.ts'
import { ensureFolder } from '../../features/directory/folder.service.ts'
import { downloadFile } from '../../features/download/download.service.ts'
import { renameFile } from '../../features/file/file.service.ts'
import { trashFiles } from '../../features/file/file-trash.service.ts'
import { identifyUser, startSession } from '../../features/session/session.service.ts'
import { askOwner } from '../../features/link/ask.service.ts'
import { createLink, initialiseLink } from '../../features/link/link.service.ts'
import { sendLink } from '../../features/link/send-link.service.ts'
import { createMailQueue } from '../../features/outbox/mail-queue.service.ts'
import { issueReceipt } from '../../features/receipt/receipt.service.ts'
import { countAllTransfers } from '../../features/stats/transfer.service.ts'
import { uploadFile } from '../../features/upload/upload.service.ts'
import { changeSection } from '../../features/settings/change-settings.service.ts'
import { createUser } from '../../features/user/create-user.service.ts'
import { findUserByEmail } from '../../features/user/user.repo.ts'
import { createFirstAdmin, suspendUser } from '../../features/user/user.service.ts'
import { type Reader, requireRecipient, requireStaff, type Staff } from '../../lib/actor.ts'
import { deliverDue } from '../../lib/concurrency/delivery.ts'
import { composeEmail } from '../../process/compose-email.ts'
import { createRandom, generateFile } from './generate-file.ts'
import { type DemoCompany, demoCompanies, demoOrganisation, editableDirectories } from './demo-companies.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs
const days = 30

interface Directory {
  id: string
  company: string
  staff: string[]
  /** See `DemoCompany.directories`. */
  filePatterns: string[]
  files: string[]
  isEditable: boolean
  recipients: string[]
}

interface SharedLink {
  key: string
  code: string
  type: LinkType
  directory: Directory
  file: string | undefined
  owner: string
  expiresAt: number
}

/** Simulates a month of work in a few offices, with the real services and a simulated clock. */
export class DemoSimulation {
  readonly deps: Deps
  readonly #clock: { now: number }
  readonly #end: number
  readonly #random = createRandom(2026)
  readonly #password: string
  readonly #directories: Directory[] = []
  readonly #links: SharedLink[] = []
  readonly #lastNumbers = new Map<string, number>()
  fileCount = 0

  constructor(deps: Omit<Deps, 'now' | 'mailer'>, password: string, end: Date) {
    this.#end = end.getTime()
    this.#clock = { now: this.#end - days * dayMs }
    this.#password = password
    // A demo sends no emails, but records them as sent.
    const mailer: Deps['mailer'] = { send: async (_message, _server, confirmClaim) => void (await confirmClaim()) }
    this.deps = { ...deps, mailer, now: () => new Date(this.#clock.now) }
  }

  get linkCount() {
    return this.#links.length
  }

  /** Simulates the month, with about `targetCount` files spread over the days. */
  async run(targetCount: number, onDay: (day: number) => void) {
    await this.#setUp()
    const cumulativeShares = this.#distributeWork()
    for (let today = 0; today < days; today++) {
      onDay(today + 1)
      for (const runAction of this.#planDay(today)) await runAction(Math.round(targetCount * (cumulativeShares[today] ?? 1)))
      await deliverDue(createMailQueue(this.deps, composeEmail))
    }
    this.#clock.now = this.#end
    await writeQueuedEntries(this.deps)
    await countAllTransfers(this.deps)
  }

  /** Returns the share of all work that is done by the end of each day. Little is done on weekends. */
  #distributeWork(): number[] {
    const weights = Array.from({ length: days }, (_, today) => {
      const weekday = new Date(this.#end - (days - 1 - today) * dayMs).getUTCDay()
      return (weekday % 6 === 0 ? 0.15 : 1) * (0.4 + this.#random())
    })
    const total = weights.reduce((sum, weight) => sum + weight)
    let done = 0
    return weights.map((weight) => {
      done += weight / total
      return done
    })
  }

  /** Creates the admin, the companies, their staff and directories. */
  async #setUp() {
    await createFirstAdmin(this.deps, () => undefined)
    const { config, db } = this.deps
    const admin = await this.#signIn(config.adminEmail)
    if (!config.settings.locked.organisation.name)
      await changeSection(this.deps, admin, 'organisation', { version: 0, values: demoOrganisation })
    for (const [index, company] of demoCompanies.entries()) {
      this.#advance(minuteMs)
      const first = await findUserByEmail(db, config.adminEmail)
      const id = index === 0 ? (first?.company_id ?? '') : (await createCompany(this.deps, admin, company.name)).id
      if (index === 0) await changeCompany(this.deps, admin, id, { name: company.name })
      await this.#setUpCompany(admin, id, company)
    }
  }

  async #setUpCompany(admin: Staff, company: string, { staff, domain, directories, recipients }: DemoCompany) {
    const emails = staff.map((name) => `${name.split(' ')[0]?.toLowerCase()}@${domain}`)
    for (const [index, name] of staff.entries()) {
      this.#advance(minuteMs)
      const body = { name, email: emails[index] ?? '', company, role: 'NEPTUNE_USER' as const, password: this.#password }
      await createUser(this.deps, admin, body)
    }
    for (const [name, filePatterns] of Object.entries(directories)) {
      this.#advance(minuteMs)
      const { id } = await createDirectory(this.deps, admin, { directory: name, client: company })
      this.#directories.push({
        id,
        company,
        staff: emails,
        filePatterns,
        files: [],
        isEditable: editableDirectories.includes(name),
        recipients,
      })
    }
  }

  /** Returns the actions of a day. They run in the nine hours before the time of day at which the demo is created. */
  #planDay(today: number): ((targetCount: number) => Promise<void>)[] {
    const actions = [
      (targetCount: number) => this.#uploadFiles(targetCount),
      ...(today % 3 !== 2 ? [() => this.#shareLink(today)] : []),
      () => this.#visitLink(),
      () => this.#visitLink(),
      ...(today % 4 === 1 ? [() => this.#tidyUp()] : []),
      ...(today % 5 === 3 ? [() => this.#enterWrongCode()] : []),
      ...(today === 20 ? [() => this.#suspendUser()] : []),
      ...(today === days - 1 ? [() => this.#askForMoreTime()] : []),
      (targetCount: number) => this.#uploadFiles(targetCount),
    ]
    const start = this.#end - (days - 1 - today) * dayMs - 9 * hourMs
    return actions.map((action, index) => async (targetCount: number) => {
      this.#clock.now = Math.max(this.#clock.now, start + (index / actions.length) * 8 * hourMs)
      await action(targetCount)
      await writeQueuedEntries(this.deps)
    })
  }

  /** Advances the clock by about this long, but never beyond the present. */
  #advance(aboutMs: number) {
    this.#clock.now = Math.min(this.#end, this.#clock.now + Math.round(aboutMs * (0.5 + this.#random())))
  }

  #pick<T>(items: readonly T[]): T {
    const picked = items[Math.floor(this.#random() * items.length)]
    if (picked === undefined) throw new Error('There is nothing to pick from')
    return picked
  }

  async #signIn(email: string): Promise<Staff> {
    const user = await findUserByEmail(this.deps.db, email)
    if (!user) throw new Error(`No user has the address ${email}`)
    const caller = { address: `198.51.100.${1 + (email.length % 200)}`, agent: 'Mozilla/5.0 (X11; Linux x86_64) Firefox/142.0' }
    const { session } = await startSession(this.deps, caller, user, { method: 'password', secondFactor: null, remember: false })
    return requireStaff(await identifyUser(this.deps, session.token, caller.address))
  }

  /** Uploads files until there are `targetCount` in total, or stops early at random. */
  async #uploadFiles(targetCount: number) {
    const directory = this.#pick(this.#directories.filter(({ isEditable }) => !isEditable))
    const actor = await this.#signIn(this.#pick(await this.#listActive(directory)))
    while (this.fileCount < targetCount) {
      this.#advance(minuteMs)
      await this.#uploadFile(actor, directory)
      if (this.#random() < 0.08) return
    }
  }

  /** Returns the staff of a company who are not suspended. */
  async #listActive({ staff }: Directory): Promise<string[]> {
    const users = await Promise.all(staff.map((email) => findUserByEmail(this.deps.db, email)))
    return staff.filter((_, index) => users[index]?.suspended_at === null)
  }

  async #uploadFile(actor: Reader, directory: Directory): Promise<string> {
    const pattern = this.#pick(directory.filePatterns)
    const number = (this.#lastNumbers.get(directory.id + pattern) ?? 0) + 1
    this.#lastNumbers.set(directory.id + pattern, number)
    const path = pattern.replace('#', String(number).padStart(2, '0'))
    const [filename = path, folder] = path.split('/').toReversed()
    const bytes = await generateFile(filename, this.#random)
    const parent = folder === undefined ? directory.id : await ensureFolder(this.deps, actor, directory.id, folder)
    const target = { directory: parent, filename, conflict: 'keep' as const }
    const body = { source: Readable.from([bytes]), completed: Promise.resolve(), signal: new AbortController().signal }
    const { id } = await uploadFile(this.deps, actor, target, bytes.length, async () => body)
    directory.files.push(id)
    this.fileCount++
    return id
  }

  /** Creates a link and sends it. Some links have expired by now, some expire within a week, most later. */
  async #shareLink(today: number) {
    const directory = this.#pick(this.#directories.filter(({ files, isEditable }) => isEditable || files.length > 0))
    const owner = this.#pick(await this.#listActive(directory))
    const actor = await this.#signIn(owner)
    const isFile = !directory.isEditable && this.#random() < 0.3
    const type = isFile ? 'LINK_FILE' : directory.isEditable ? 'LINK_EDITABLE_DIRECTORY' : 'LINK_DIRECTORY'
    const file = isFile ? this.#pick(directory.files) : undefined
    const lifetimeMs = (days - today + (this.#pick([-2, 3, 5, 25, 40, 60]) ?? 0)) * dayMs
    const expiresAt = this.#clock.now + Math.max(2 * dayMs, lifetimeMs)
    const { key, accessCode } = await initialiseLink(this.deps, actor, {
      type: 'INITIALISE',
      company: directory.company,
      directory: directory.id,
    })
    this.#advance(minuteMs)
    const target = file === undefined ? { directory: directory.id } : { file }
    await createLink(this.deps, actor, { linkType: type, ...target, key, accessCode, expiry: new Date(expiresAt).toISOString() })
    const to = this.#pick(directory.recipients)
    await sendLink(this.deps, actor, actor.client, { key, targetEmail: to, includeCode: this.#random() < 0.7 })
    this.#links.push({ key, code: accessCode, type, directory, file, owner, expiresAt })
  }

  /** Opens a link as its recipient, downloads files, and uploads some for a receipt if the link allows it. */
  async #visitLink() {
    const openLinks = this.#links.filter(({ expiresAt }) => expiresAt > this.#clock.now + hourMs)
    if (openLinks.length === 0) return
    const { key, code, type, directory, file } = this.#pick(openLinks)
    const address = `203.0.113.${1 + Math.floor(this.#random() * 200)}`
    const { token } = await verifyCode(this.deps, address, { accessKey: key, accessCode: code })
    if (token === null) return // its owner was suspended meanwhile
    const actor = requireRecipient(await identifyRecipient(this.deps, token, address))
    for (const id of file === undefined ? directory.files.slice(-1 - Math.floor(this.#random() * 6)) : [file]) {
      this.#advance(minuteMs)
      const download = await downloadFile(this.deps, actor, id).catch(() => undefined) // it may be in the trash
      await download?.onSent(download.size)
    }
    await writeQueuedEntries(this.deps) // so that these entries come before the next ones
    if (type !== 'LINK_EDITABLE_DIRECTORY') return
    for (let i = 0; i < 1 + Math.floor(this.#random() * 3); i++) {
      this.#advance(minuteMs)
      await this.#uploadFile(actor, directory)
    }
    await issueReceipt(this.deps, actor, undefined)
  }

  /** Renames a file and moves another one to the trash. */
  async #tidyUp() {
    const directory = this.#directories.find(({ files, isEditable }) => files.length > 3 && !isEditable)
    const [first, second] = directory?.files ?? []
    if (!directory || !first || !second) return
    const actor = await this.#signIn(this.#pick(await this.#listActive(directory)))
    await renameFile(this.deps, actor, first, `Final ${this.fileCount}.pdf`)
    this.#advance(minuteMs)
    await trashFiles(this.deps, actor, [second])
    directory.files = directory.files.filter((id) => id !== second)
  }

  async #enterWrongCode() {
    const [link] = this.#links
    if (link) await verifyCode(this.deps, '203.0.113.9', { accessKey: link.key, accessCode: '0000-0000-0000' })
  }

  /** Suspends a user, whose links are paused from then on. */
  async #suspendUser() {
    const admin = await this.#signIn(this.deps.config.adminEmail)
    // Never the first user of a company, because the command suggests signing in as one of those.
    const others = this.#links.filter(({ owner, directory }) => owner !== directory.staff[0])
    const [longest] = others.toSorted((a, b) => b.expiresAt - a.expiresAt)
    const user = longest && (await findUserByEmail(this.deps.db, longest.owner))
    if (user) await suspendUser(this.deps, admin, user.id)
  }

  /** Asks for more time on an expired link. */
  async #askForMoreTime() {
    const expired = this.#links.find(({ expiresAt }) => expiresAt < this.#clock.now)
    if (expired)
      await askOwner(this.deps, '203.0.113.44', { accessKey: expired.key, wants: 'time', message: 'Could we have another week?' })
  }
}
