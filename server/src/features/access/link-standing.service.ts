import type { LinkStopReason } from '@neptune/contract'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../lib/app-error.ts'
import { type LinkRecord, refreshStandings, refreshStandingsSoon } from '../link/link.repo.ts'

/** Refreshes the stored states of links. Call it after the transaction that trashed or restored their targets. */
export const refreshLinks = (deps: Deps, scopes: Parameters<typeof refreshStandingsSoon>[1]): Promise<void> =>
  refreshStandingsSoon(deps.db, scopes, (err) => deps.log.error({ err, scopes }, 'could not refresh the states of links'))

/** Refreshes the states of all links every hour, in case a process crashed before it could. */
export const refreshAllLinks = (deps: Deps): Promise<number> => refreshStandings(deps.db, { all: true })

/** Returns why a link doesn't work, in the order in which to fix it. This must be the same order as in db/link-standing.ts. */
export function findStopReasons(deps: Deps, link: LinkRecord): LinkStopReason[] {
  const isRemoved = link.owner_removed_at !== null
  const reasons: [LinkStopReason, boolean][] = [
    ['expired', link.expires_at <= deps.now().toISOString()],
    ['company_archived', link.company_archived_at !== null],
    ['directory_deleted', Boolean(link.directory_is_deleted)],
    ['file_deleted', Boolean(link.file_is_deleted)],
    ['version_deleted', Boolean(link.version_is_deleted)],
    // A removed owner is also suspended and has no access. Neither can be undone, so they are not listed as separate reasons.
    ['owner_removed', isRemoved],
    ['owner_suspended', link.owner_suspended_at !== null && !isRemoved],
    // An owner who works in the link's own company can sign in again when that company is restored, so this is no separate reason.
    ['owner_company_archived', link.owner_company_archived_at !== null && link.company_archived_at === null && !isRemoved],
    ['owner_without_access', !link.owner_has_access && !isRemoved],
  ]
  return reasons.filter(([, applies]) => applies).map(([reason]) => reason)
}

/**
 * Returns the state of a link that stopped working for this reason. States don't reveal that the company of the owner is archived, because
 * the caller may not be allowed to see that company. A removed owner counts as suspended.
 */
export const toStoppedState = (reason: LinkStopReason) =>
  reason === 'owner_company_archived' || reason === 'owner_removed' ? 'owner_suspended' : reason

/** Returns the link. Throws `link.company_archived` if its company is archived: nobody gets such a link before the company is restored. */
export function rejectArchivedLink(link: LinkRecord): LinkRecord {
  if (link.company_archived_at !== null) throw new AppError('link.company_archived')
  return link
}

/**
 * Throws if a link doesn't work and still wouldn't after it was extended and the caller became its owner: its company is archived, its
 * target is in the trash, or the version that it is pinned to was deleted.
 */
export function rejectUnfixableLink(deps: Deps, link: LinkRecord): void {
  rejectArchivedLink(link)
  const reasons = findStopReasons(deps, link)
  if (reasons.includes('directory_deleted') || reasons.includes('file_deleted')) throw new AppError('link.target_deleted')
  if (reasons.includes('version_deleted')) throw new AppError('version.not_found')
}

/** Returns the link. Throws if it doesn't work, so that nobody is sent a link that they can't open. */
export function rejectStoppedLink(deps: Deps, link: LinkRecord): LinkRecord {
  rejectUnfixableLink(deps, link)
  if (findStopReasons(deps, link).length > 0) throw new AppError('link.expired')
  return link
}
