import { extendableDays, extendExpiry, type LinkRow } from '@neptune/contract'
import type { Deps } from '../../deps.ts'
import { allCompanies, type Staff } from '../../lib/actor.ts'
import { AppError } from '../../lib/app-error.ts'
import { parseExpiry } from '../../lib/expiry.ts'
import { deleteAskFor, insertEvent } from '../access/access.repo.ts'
import { newEvent } from '../access/access.service.ts'
import { rejectUnfixableLink } from '../access/link-standing.service.ts'
import { type Entry, record } from '../audit/audit.service.ts'
import { enqueueMail } from '../outbox/outbox.service.ts'
import { readSettings } from '../settings/settings.service.ts'
import { changeLink } from './change-link.service.ts'
import { findLink, lockLink } from './link.repo.ts'
import { readLink, toLinkAuditFields } from './link.service.ts'

const dayMs = 24 * 60 * 60_000

/**
 * Extends a link until the given time, and notifies the address it was sent to. Without a given time, extends it by 30 days,
 * or less if the settings limit it, and only if it expires within 90 days, so that repeating the call can't make it endless.
 * If several calls without a time run in parallel, one extends the link, and the others return the extended link. Rejects a
 * link that would stay closed: see `requireFixable`.
 */
export async function extendLink(deps: Deps, actor: Staff, key: string, until: string | undefined): Promise<LinkRow> {
  const { expiry } = await readLink(deps, actor, key) // throws if the caller may not see the link
  if (until === undefined) requireEndingSoon(deps, expiry)
  await deps.db.transaction().execute(async (trx) => {
    const link = await lockLink(trx, key)
    if (!link) throw new AppError('link.not_found')
    if (until === undefined && link.expires_at !== expiry) return // a colleague has already extended it
    await requireFixable(deps, trx, key)
    await record(deps, trx, await applyExtension(deps, trx, actor, link, until))
  })
  return readLink(deps, actor, key)
}

function requireEndingSoon(deps: Deps, expiresAt: string) {
  if (Date.parse(expiresAt) - deps.now().getTime() > extendableDays * dayMs) throw new AppError('link.not_ending')
}

/** Throws if a link would stay closed after it was extended: see `rejectUnfixableLink`. Its recipient must not be notified then. */
export async function requireFixable(deps: Deps, trx: Deps['db'], key: string): Promise<void> {
  const link = await findLink(trx, key, allCompanies)
  if (link) rejectUnfixableLink(deps, link)
}

function computeExpiry(deps: Deps, expiresAt: string, limits: Parameters<typeof extendExpiry>[2]): string {
  const expiryMs = extendExpiry(deps.now().getTime(), Date.parse(expiresAt), limits)
  if (expiryMs === undefined) throw new AppError('link.max_lifetime')
  return new Date(expiryMs).toISOString()
}

function requireLater(current: string, expiry: string): string {
  if (expiry > current) return expiry
  throw new AppError('request.invalid', { fields: [{ field: 'expiry', message: 'This must be later than the current expiry.' }] })
}

/**
 * Extends a link, until the given time if there is one. Call it inside a transaction, with the link locked. Returns the
 * audit entries to record.
 */
export async function applyExtension(
  deps: Deps,
  trx: Deps['db'],
  actor: Staff,
  link: NonNullable<Awaited<ReturnType<typeof lockLink>>>,
  until?: string | undefined,
): Promise<Entry[]> {
  const { key, email } = link
  const { links, organisation } = await readSettings({ ...deps, db: trx })
  const limits = { maxDays: links.max_days, timeZone: organisation.time_zone }
  const expires_at =
    until === undefined
      ? computeExpiry(deps, link.expires_at, limits)
      : requireLater(link.expires_at, parseExpiry(deps.now(), 'expiry', until, links.max_days))
  const entries = await changeLink(deps, trx, actor, key, { expires_at })
  await deleteAskFor(trx, key, 'time')
  await insertEvent(trx, { ...newEvent(deps, key), kind: 'extended', user_id: actor.userId, name: expires_at })
  if (email) await enqueueMail(deps, trx, { letter: 'link_extended', to: email, about: key, sender: actor })
  return [
    { action: 'link.extended', by: actor, ...toLinkAuditFields(link), note: `until ${expires_at.slice(0, 10)}` },
    ...entries,
  ]
}
