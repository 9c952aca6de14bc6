import { type api, formatCode, type LinkAsk, type Parsed } from '@neptune/contract'
import type { Deps } from '../../deps.ts'
import { allCompanies, getCompanyScope, type Staff } from '../../lib/actor.ts'
import { AppError } from '../../lib/app-error.ts'
import { toClientKey } from '../../lib/net/client-address.ts'
import { newId } from '../../lib/secrets.ts'
import { deleteAsk, findAsk, insertAsk, insertEvent, listAsks } from '../access/access.repo.ts'
import { newEvent } from '../access/access.service.ts'
import { generateCode } from '../access/access-code.ts'
import { notifyOfRequest } from '../access/link-emails.service.ts'
import { type Entry, record } from '../audit/audit.service.ts'
import { readMailDelivery } from '../settings/mail-server.service.ts'
import { countUses } from '../throttle/throttle.service.ts'
import { removeEndedUploads } from '../upload/upload-sweep.service.ts'
import { applyExtension, requireFixable } from './extend.service.ts'
import { findLink, lockLink } from './link.repo.ts'
import { readLink, toLinkAuditFields } from './link.service.ts'
import { changeCode } from './link-code.service.ts'
import { sendDetails } from './send-link.service.ts'

const hourMs = 60 * 60_000
const dayMs = 24 * hourMs
const maxAsksListed = 100

interface AskRequest {
  accessKey: string
  wants: LinkAsk['wants']
  message?: string | undefined
}

/**
 * Sends a recipient's request to the owner of a link, or to others if the owner can't answer. Does not reveal whether the link exists.
 * Ignores a request of the same kind while the first one is open.
 */
export async function askOwner(deps: Deps, address: string, { accessKey, wants, message = '' }: AskRequest): Promise<void> {
  await countUses(deps, 'link.too_many_tries', [
    { key: ['ask', toClientKey(address)], limit: 5, windowMs: hourMs },
    { key: ['ask', 'link', accessKey], limit: 20, windowMs: dayMs },
  ])
  await deps.db.transaction().execute(async (trx) => {
    if (!(await lockLink(trx, accessKey))) return
    const link = await findLink(trx, accessKey, allCompanies)
    if (!link) return
    const row = { id: newId(), link_key: accessKey, wants, message: message.trim() || null, created_at: deps.now().toISOString() }
    if (!(await insertAsk(trx, row))) return
    await insertEvent(trx, { ...newEvent(deps, accessKey), kind: 'asked', name: wants, client: toClientKey(address) })
    await notifyOfRequest(deps, trx, link, wants)
    const by = { kind: 'stranger' as const, client: toClientKey(address) }
    await record(deps, trx, [{ action: 'link.asked', by, ...toLinkAuditFields(link), note: wants }])
  })
}

/** Lists the open requests that the caller may answer. */
export async function listVisibleAsks(deps: Deps, actor: Staff): Promise<LinkAsk[]> {
  const rows = await listAsks(deps.db, getCompanyScope(actor), maxAsksListed)
  return rows.map((row) => {
    const { id, link_key: key, name, type, company_name: client, wants, message, created_at, expires_at: expiry, email } = row
    const target_deleted = Boolean(row.directory_is_deleted) || Boolean(row.file_is_deleted)
    const owner_can_act = Boolean(row.may_share)
    return { id, key, name, type, client, wants, message, created_at, expiry, email, target_deleted, owner_can_act }
  })
}

/**
 * Answers a request: extends the link, gives it a new code, or declines. If it grants the request, it notifies the address that the link
 * was sent to, if any. A request for a link that would stay closed can only be declined: granting it throws, and the request stays open.
 */
export async function answerAsk(deps: Deps, actor: Staff, id: string, { grant, expiry }: Parsed<typeof api.link.answer>['body']) {
  const ask = await findAsk(deps.db, id, getCompanyScope(actor))
  if (!ask) throw new AppError('link.not_found')
  const key = ask.link_key
  const code = generateCode()
  const grantsCode = grant && ask.wants === 'code'
  const ended: string[] = []
  await deps.db.transaction().execute(async (trx) => {
    const link = await lockLink(trx, key)
    if (!link || !(await deleteAsk(trx, id))) throw new AppError('link.not_found') // a colleague has already answered it
    if (!grant) return record(deps, trx, [{ action: 'link.declined', by: actor, ...toLinkAuditFields(link), note: ask.wants }])
    await requireFixable(deps, trx, key)
    if (grantsCode) {
      if (link.expires_at <= deps.now().toISOString()) throw new AppError('link.expired')
      const shownEntry = { action: 'link.code_shown' as const, by: actor, ...toLinkAuditFields(link) }
      const changed = await changeCode(deps, trx, actor, key, code)
      ended.push(...changed.ended)
      const entries: Entry[] = [...changed.entries, shownEntry]
      if (link.email) entries.push(await sendDetails(deps, trx, actor, key, { to: link.email, hasCode: true }))
      return record(deps, trx, entries)
    }
    await record(deps, trx, await applyExtension(deps, trx, actor, link, expiry))
  })
  await removeEndedUploads(deps, ended)
  const link = await readLink(deps, actor, key)
  return {
    link,
    accessCode: grantsCode ? formatCode(code) : null,
    sentTo: grant ? link.email : null,
    way: await readMailDelivery(deps),
  }
}
