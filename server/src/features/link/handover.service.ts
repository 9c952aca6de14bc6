import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Deps } from '../../deps.ts'
import type { Staff } from '../../lib/actor.ts'
import { AppError } from '../../lib/app-error.ts'
import { insertEvents } from '../access/access.repo.ts'
import { newEvent } from '../access/access.service.ts'
import { forwardLinkMessages, notifyOfHandover } from '../access/link-emails.service.ts'
import { type Entry, record } from '../audit/audit.service.ts'
import { createLostAccessCheck, type NewAccess } from '../user/new-access.service.ts'
import { findUser } from '../user/user.repo.ts'
import { maySignIn } from '../user/user.service.ts'
import { findOwner, listOwnedLinks, lockOwnedLinks, lockUsers, type OwnedLinks, setOwner } from './handover.repo.ts'
import { toLinkAuditFields } from './link.service.ts'

type Db = Deps['db']

/** Small enough that one transaction takes a few milliseconds. */
const sliceSize = 200

type Handover = OwnedLinks & NewAccess & { to: string }

/**
 * Hands links of a user over to another user: all of them, those with the given keys, or those in companies that the user loses with the
 * new access. Returns their number. Works in slices, because someone may own a million links. If the call is interrupted, repeating it
 * hands over the remaining links.
 */
export async function handOverLinks(deps: Deps, actor: Staff, handover: Handover): Promise<number> {
  const { from, to } = handover
  if (from === to) throw new AppError('request.invalid', { fields: [{ field: 'to', message: 'Choose someone else.' }] })
  const { owner } = await requireOwners(deps.db, handover)
  const isLost = createLostAccessCheck(owner, handover)
  for await (const slice of readSlices(deps.db, handover, isLost)) requireAccess(slice)
  let moved = 0
  for await (const slice of readSlices(deps.db, handover, isLost)) {
    const entries = await deps.db.transaction().execute(async (trx) => {
      const keys = slice.map(({ key }) => key)
      const { entries, notice } = await changeOwner(deps, trx, actor, { from, to, keys })
      // Sends only one message, in the first transaction, so that the new owner is notified even if a later slice fails.
      if (moved === 0 && notice && to !== actor.userId) await notifyOfHandover(deps, trx, notice.keys, notice)
      await record(deps, trx, entries)
      return entries
    })
    moved += entries.length
  }
  return moved
}

type Slice = Awaited<ReturnType<typeof listOwnedLinks>>

/** Yields the links to hand over, in slices: those in companies for which `isLost` returns true. */
async function* readSlices(db: Db, { to, ...links }: Handover, isLost: (companyId: string) => boolean): AsyncGenerator<Slice> {
  for (let after = { expires_at: '', key: '' }; ; await nextTurn()) {
    const slice = await listOwnedLinks(db, links, to, after, sliceSize)
    const lost = slice.filter(({ company_id }) => isLost(company_id))
    if (lost.length > 0) yield lost
    const last = slice.at(-1)
    if (!last || slice.length < sliceSize) return
    after = last
  }
}

interface OwnerChange {
  from: string
  to: string
  keys: string[]
}

interface ChangedLinks {
  entries: Entry[]
  /** What the new owner is notified about: the links, the name of their previous owner, and the address of the new one. */
  notice?: { keys: string[]; from: string; to: string }
}

/**
 * Changes the owner of those links that the user still owns. Throws `user.no_access` if the new owner has no access to one of them. Call it
 * inside a transaction, and record the returned audit entries last.
 */
async function changeOwner(deps: Deps, trx: Db, actor: Staff, { from, to, keys: requested }: OwnerChange): Promise<ChangedLinks> {
  await lockUsers(trx, [from, to])
  const { owner, newOwner } = await requireOwners(trx, { from, to })
  const links = await lockOwnedLinks(trx, from, requested)
  const keys = links.map(({ key }) => key)
  if (keys.length === 0) return { entries: [] }
  requireAccess(await listOwnedLinks(trx, { from, keys }, to, { expires_at: '', key: '' }, keys.length))
  await setOwner(trx, keys, to, deps.now().toISOString())
  await insertEvents(
    trx,
    keys.map((key) => ({ ...newEvent(deps, key), kind: 'handed_over', user_id: actor.userId, name: newOwner.name })),
  )
  await forwardLinkMessages(trx, keys, { from: owner.email, to: newOwner.email })
  const note = `${owner.name} → ${newOwner.name}`
  const entries = links.map((link): Entry => ({ action: 'link.handed_over', by: actor, ...toLinkAuditFields(link), note }))
  return { entries, notice: { keys, from: owner.name, to: newOwner.email } }
}

/**
 * Returns the current and the new owner. Throws if one of them doesn't exist, or if the new owner can't sign in. The current owner may be
 * removed.
 */
async function requireOwners(db: Db, { from, to }: Pick<Handover, 'from' | 'to'>) {
  const [owner, newOwner] = [await findOwner(db, from), await findUser(db, to)]
  if (!owner || !newOwner) throw new AppError('user.not_found')
  if (!maySignIn(newOwner)) throw new AppError('user.no_access')
  return { owner, newOwner }
}

/** Throws `user.no_access` if the new owner has no access to the company of one of the links. */
function requireAccess(links: Slice): void {
  if (links.some(({ has_access }) => !has_access)) throw new AppError('user.no_access')
}
