import { type api, maxRemovalCount, type Parsed, type Removal } from '@neptune/contract'
import type { Deps } from '../../deps.ts'
import type { Staff } from '../../lib/actor.ts'
import { AppError } from '../../lib/app-error.ts'
import { type Entry, record } from '../audit/audit.service.ts'
import { closeLinks } from '../link/close-links.service.ts'
import { handOverLinks } from '../link/handover.service.ts'
import { lockSignInMethods } from '../provider/provider.repo.ts'
import { storeSums } from '../stats/transfer.repo.ts'
import { removeEndedUploads } from '../upload/upload-sweep.service.ts'
import { findUser, lockAdmins, lockUser, refreshStandingsSoon, type UserRecord } from '../user/user.repo.ts'
import { maySignIn, requireOtherAdmin } from '../user/user.service.ts'
import { deleteDeliveriesOf } from '../webhook/delivery.repo.ts'
import {
  countUnexpiredLinks,
  countUnfinishedUploads,
  deleteRowsOfUser,
  deleteWaitingMessages,
  endUploadsOfUser,
  listWebhooksOf,
  markRemoved,
} from './removal.repo.ts'

type Db = Deps['db']

/** Returns what ends when a user is removed. */
export async function readRemoval(deps: Deps, id: string): Promise<Removal> {
  if (!(await findUser(deps.db, id))) throw new AppError('user.not_found')
  return {
    links: await countUnexpiredLinks(deps.db, id, deps.now().toISOString(), maxRemovalCount),
    uploads: await countUnfinishedUploads(deps.db, id, maxRemovalCount),
    webhooks: (await listWebhooksOf(deps.db, id)).length,
  }
}

/**
 * Removes a user for good. First hands over or closes their links, in batches. Then one transaction ends everything else. If it
 * fails, the links stay handed over or closed, and the user keeps the account.
 */
export async function removeUser(
  deps: Deps,
  actor: Staff,
  id: string,
  { to, closeLinks: closes = false }: Parsed<typeof api.user.remove>['body'],
): Promise<void> {
  await requireRemovable(deps, deps.db, actor, await findUser(deps.db, id))
  if (to !== undefined) await handOverLinks(deps, actor, { from: id, to })
  else if (closes) await closeLinks(deps, actor, id)
  const { uploads, webhooks } = await deps.db.transaction().execute(async (trx) => {
    await lockSignInMethods(trx)
    await lockAdmins(trx)
    const user = await requireRemovable(deps, trx, actor, await lockUser(trx, id))
    return endAccount(deps, trx, actor, user)
  })
  await removeEndedUploads(deps, uploads)
  for (const webhook of webhooks) await deleteDeliveriesOf(deps.db, webhook)
  await refreshStandingsSoon(deps.db, [{ maker_id: id }], (err) =>
    deps.log.error({ err, user: id }, 'the states of links could not be refreshed'),
  )
}

/** Returns the user. Throws if they don't exist, are the caller, or are the last admin who can sign in. */
async function requireRemovable(deps: Deps, db: Db, actor: Staff, user: UserRecord | undefined): Promise<UserRecord> {
  if (!user) throw new AppError('user.not_found')
  if (user.id === actor.userId) throw new AppError('user.own_role')
  if (user.role === 'NEPTUNE_ADMIN' && maySignIn(user)) await requireOtherAdmin(deps, db, user.id)
  return user
}

/** Throws `user.owns_links` if a link is left. Returns the uploads and webhooks whose bytes and deliveries the caller must still delete. */
async function endAccount(deps: Deps, trx: Db, actor: Staff, { id, email, name, company_id: company }: UserRecord) {
  const now = deps.now().toISOString()
  if ((await countUnexpiredLinks(trx, id, now, 1)) > 0) throw new AppError('user.owns_links')
  const webhooks = await listWebhooksOf(trx, id)
  const uploads = await endUploadsOfUser(trx, id, now)
  await deleteRowsOfUser(trx, id)
  await deleteWaitingMessages(trx, email)
  await markRemoved(trx, id, now)
  const deletions: Entry[] = webhooks.map(({ company_id, url }) => {
    return { action: 'webhook.deleted', by: actor, company: company_id, name: new URL(url).host }
  })
  await record(deps, trx, [{ action: 'user.removed', by: actor, company, name: email, note: name }, ...deletions])
  await storeSums(trx, id) // deletes the user's sums, because no companies are selected for them any more
  return { uploads, webhooks: webhooks.map((webhook) => webhook.id) }
}
