import type { UserRow } from '@neptune/contract'
import type { Deps } from '../../deps.ts'
import { requireConfirmation, type Staff } from '../../lib/actor.ts'
import { AppError } from '../../lib/app-error.ts'
import { normalizeEmail } from '../../lib/email.ts'
import { emails } from '../../mail/emails/emails.ts'
import { type Entry, record } from '../audit/audit.service.ts'
import { deleteFactorReset } from '../factor/factor.repo.ts'
import { readdressMails } from '../outbox/outbox.repo.ts'
import { type Compose, enqueueMails } from '../outbox/outbox.service.ts'
import { countUses } from '../throttle/throttle.service.ts'
import { expireInvitation } from './invitation.repo.ts'
import { rejectMisleadingName } from './person-name.ts'
import { deleteResets, findUser, lockUser, setDetails, type UserRecord } from './user.repo.ts'
import { toUserRow } from './user.service.ts'

type Db = Deps['db']

const hourMs = 60 * 60_000
const addressesPerHour = 20

/** An undefined field stays unchanged. */
export interface Details {
  name?: string | undefined
  email?: string | undefined
}

/**
 * Changes another user's details. Users change their own with their password: see identity/own-details.service.ts. A new email address
 * requires a fresh proof of who the admin is, because its owner can reset the password.
 */
export async function changeUser(deps: Deps, actor: Staff, id: string, details: Details): Promise<UserRow> {
  if (id === actor.userId) throw new AppError('user.own_details')
  const user = await findUser(deps.db, id)
  if (!user) throw new AppError('user.not_found')
  if (details.email !== undefined && normalizeEmail(details.email) !== user.email) requireConfirmation(actor)
  return toUserRow(await changeDetails(deps, actor, user, details))
}

/**
 * Changes a name or an email address. Sessions continue. Notifies both the old and the new address, which counts against their limits, so
 * that this call can't flood anyone. A refused change sends and counts no message, but every attempt to set a new address is counted,
 * because the errors reveal who else has an account. `check` gets the user as they are inside the transaction.
 */
export async function changeDetails(
  deps: Deps,
  actor: Staff,
  user: UserRecord,
  details: Details,
  check: (current: UserRecord) => void = () => undefined,
): Promise<UserRecord> {
  if (details.name !== undefined) rejectMisleadingName(details.name)
  const email = details.email === undefined ? undefined : normalizeEmail(details.email)
  if (email !== undefined && email !== user.email)
    await countUses(deps, 'mail.too_many', [{ key: ['address', actor.userId], limit: addressesPerHour, windowMs: hourMs }])
  return deps.db.transaction().execute(async (trx) => {
    const before = await lockUser(trx, user.id)
    if (!before) throw new AppError('user.not_found')
    check(before)
    const after = { ...before, name: details.name?.trim() ?? before.name, email: email ?? before.email }
    if (!(await setDetails(trx, user.id, after))) throw new AppError('user.email_taken')
    const changed = after.email === before.email ? after : await applyEmailChange(deps, trx, actor, before, after)
    await record(deps, trx, createEntries(actor, before, after))
    return changed
  })
}

/**
 * Notifies both addresses, and sends waiting notices to the new one. Password reset links and invitations sent to the old one stop
 * working, even if the user gets that address again. An invited user isn't notified, because an admin has to send a new link anyway. A
 * requested removal of second factors is cancelled: the link to prevent it was sent to the old address.
 */
async function applyEmailChange(deps: Deps, trx: Db, sender: Staff, before: UserRecord, after: UserRecord): Promise<UserRecord> {
  if (after.invitation_id !== null) return expireInvitation(trx, after, deps.now().toISOString())
  await deleteResets(trx, after.id)
  if (await deleteFactorReset(trx, after.id)) {
    const about = { company: after.company_id, name: after.email }
    await record(deps, trx, [{ action: 'factor.reset_cancelled', by: sender, ...about }])
  }
  await readdressMails(trx, readdressedKinds, before.email, after.email)
  await enqueueMails(deps, trx, [before.email, after.email], { letter: 'email_changed', about: after.id, sender })
  return after
}

/** The kinds of notices whose composers look the user up by address: sent to the old address, they would be dropped. */
const readdressedKinds: Parameters<typeof readdressMails>[1] = [
  'link_uploads',
  'link_downloaded',
  'link_asked',
  'links_handed_over',
  'quota_warning',
]

function createEntries(by: Staff, before: UserRecord, after: UserRecord): Entry[] {
  const about = { by, company: after.company_id, name: after.email }
  const entries: Entry[] = []
  if (after.name !== before.name) entries.push({ action: 'user.renamed', ...about, note: `was ${before.name}` })
  if (after.email !== before.email) entries.push({ action: 'user.email_changed', ...about, note: `was ${before.email}` })
  return entries
}

/** Composes the notice about a new address. Its text depends on whether it is sent to the old or the new address. */
export const composeEmailChanged: Compose = async ({ db, config }, { about, to }) => {
  const user = await findUser(db, about)
  if (!user) return undefined
  const { name, language } = user
  return user.email === to
    ? { write: emails.emailChangedForNewAddress({ name, email: to, url: config.publicUrl }) }
    : { write: emails.emailChangedForOldAddress({ name }), language }
}
