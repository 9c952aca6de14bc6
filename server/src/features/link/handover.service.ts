import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Deps } from '../../deps.ts'
import type { Staff } from '../../lib/actor.ts'
import { AppError } from '../../lib/app-error.ts'
import { insertEvents } from '../access/access.repo.ts'
import { newEvent } from '../access/access.service.ts'
import { forwardLinkMessages, notifyOfHandover } from '../access/link-emails.service.ts'
import { type Entry, record } from '../audit/audit.service.ts'
import { findUser, type UserRecord } from '../user/user.repo.ts'
import { maySignIn } from '../user/user.service.ts'
import { listOwnedLinks, lockOwnedLinks, lockUsers, type OwnedLinks, setOwner } from './handover.repo.ts'
import { toLinkAuditFields } from './link.service.ts'

type Db = Deps['db']

/** Small enough that one transaction takes a few milliseconds. */
const sliceSize = 200

type Handover = OwnedLinks & { to: string }

/**
 * Hands over all links of a user, or those with the given keys, to another user, and returns their number. Works in slices, because
 * someone may own a million links. If the call is interrupted, repeating it hands over the remaining links.
 */
export async function handOverLinks(deps: Deps, actor: Staff, handover: Handover): Promise<number> {
  if (handover.from === handover.to)
    throw new AppError('request.invalid', { fields: [{ field: 'to', message: 'Choose someone else.' }] })
  await requireOwners(deps.db, handover)
  await requireAccess(deps.db, handover)
  for (let moved = 0; ; await nextTurn()) {
    const entries = await deps.db.transaction().execute(async (trx) => {
      const { entries, notice } = await moveLinks(deps, trx, actor, handover)
      // One message, in the first transaction: links that were moved are announced even if the rest fails.
      if (moved === 0 && notice && handover.to !== actor.userId) await notifyOfHandover(deps, trx, notice.keys, notice)
      await record(deps, trx, entries)
      return entries
    })
    moved += entries.length
    if (entries.length < sliceSize) return moved
  }
}

interface Moved {
  entries: Entry[]
  /** What the new owner is notified about: the links, the name of their previous owner, and the address of the new one. */
  notice?: { keys: string[]; from: string; to: string }
}

/**
 * Hands over the next links of a user, at most `sliceSize`. Throws `user.no_access` if the new owner has no access to one of them. Call
 * it inside a transaction, and record the returned audit entries last. Call it again while it returns `sliceSize` entries.
 */
async function moveLinks(deps: Deps, trx: Db, actor: Staff, handover: Handover): Promise<Moved> {
  const { from, to } = handover
  await lockUsers(trx, [from, to])
  const { owner, newOwner } = await requireOwners(trx, handover)
  const links = await lockOwnedLinks(trx, handover, sliceSize)
  const keys = links.map(({ key }) => key)
  if (keys.length === 0) return { entries: [] }
  await requireAccess(trx, { from, to, keys })
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

/** Returns the current and the new owner. Throws if one of them doesn't exist, or if the new owner can't sign in. */
async function requireOwners(db: Db, { from, to }: Handover): Promise<{ owner: UserRecord; newOwner: UserRecord }> {
  const [owner, newOwner] = [await findUser(db, from), await findUser(db, to)]
  if (!owner || !newOwner) throw new AppError('user.not_found')
  if (!maySignIn(newOwner)) throw new AppError('user.no_access')
  return { owner, newOwner }
}

/** Throws `user.no_access` if the new owner has no access to the company of one of the links. */
async function requireAccess(db: Db, { to, ...links }: Handover): Promise<void> {
  for (let after = { expires_at: '', key: '' }; ; await nextTurn()) {
    const slice = await listOwnedLinks(db, links, to, after, sliceSize)
    if (slice.some(({ has_access }) => !has_access)) throw new AppError('user.no_access')
    const last = slice.at(-1)
    if (!last || slice.length < sliceSize) return
    after = last
  }
}
