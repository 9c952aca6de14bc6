import { formatCode } from '@neptune/contract'
import type { Deps } from '../../deps.ts'
import type { Staff } from '../../lib/actor.ts'
import { AppError } from '../../lib/app-error.ts'
import { isSameSecret } from '../../lib/secrets.ts'
import { deleteAskFor, findLastReset, insertEvent } from '../access/access.repo.ts'
import { newEvent } from '../access/access.service.ts'
import { computeCodeMac, sealCode, unsealCode } from '../access/access-code.ts'
import { rejectArchivedLink } from '../access/link-standing.service.ts'
import { type Entry, record } from '../audit/audit.service.ts'
import { endUploads, removeEndedUploads } from '../upload/upload-sweep.service.ts'
import { changeLink } from './change-link.service.ts'
import { lockLink } from './link.repo.ts'
import { getVisibleLink, readLink, toLinkAuditFields } from './link.service.ts'
import { takeReservation } from './reservation.repo.ts'

type Db = Deps['db']

/**
 * Replaces a link's code with a reserved one. The old code, and the visits and unfinished uploads begun with it, end at once. If the
 * owner can't sign in or has no access, the caller becomes the link's owner. A repeated request changes nothing, because
 * the code is already in use.
 */
export async function resetLink(
  deps: Deps,
  actor: Staff,
  { accessKey: key, accessCode }: { accessKey: string; accessCode: string },
) {
  rejectArchivedLink(await getVisibleLink(deps, actor, key))
  const now = deps.now().toISOString()
  const code_mac = computeCodeMac(deps.keys, key, accessCode)
  const ended = await deps.db.transaction().execute(async (trx) => {
    if (!(await takeReservation(trx, { key, user_id: actor.userId, kind: 'RESET', code_mac }, now)))
      return requireRepeatedReset(trx, actor, key, code_mac)
    const { entries, ended } = await changeCode(deps, trx, actor, key, accessCode)
    await record(deps, trx, entries)
    return ended
  })
  await removeEndedUploads(deps, ended)
  return readLink(deps, actor, key)
}

/**
 * Accepts a repeated request if the same person has already set this code: its reservation is used up then. Returns no uploads to end.
 */
async function requireRepeatedReset(trx: Db, actor: Staff, key: string, code_mac: string): Promise<string[]> {
  const link = await lockLink(trx, key)
  const isRepeated = link && isSameSecret(link.code_mac, code_mac) && (await findLastReset(trx, key))?.user_id === actor.userId
  if (!isRepeated) throw new AppError('link.not_reserved')
  return []
}

/**
 * Changes a link's code. Call it inside a transaction: of two concurrent calls, the second waits, and its code replaces the first
 * one's. Returns the audit entries to record, and the uploads to remove once the transaction is committed.
 */
export async function changeCode(
  deps: Deps,
  trx: Db,
  actor: Staff,
  key: string,
  code: string,
): Promise<{ entries: Entry[]; ended: string[] }> {
  const link = await lockLink(trx, key)
  if (!link) throw new AppError('link.not_found')
  const generation = link.generation + 1
  const code_sealed = sealCode(deps.keys, { key, generation }, code)
  const code_mac = computeCodeMac(deps.keys, key, code)
  const entries = await changeLink(deps, trx, actor, key, { code_mac, code_sealed, generation })
  await deleteAskFor(trx, key, 'code')
  await insertEvent(trx, { ...newEvent(deps, key), kind: 'reset', user_id: actor.userId })
  const ended = await endUploads(deps, trx, [key])
  return { entries: [{ action: 'link.reset', by: actor, ...toLinkAuditFields(link) }, ...entries], ended }
}

export async function showCode(deps: Deps, actor: Staff, key: string): Promise<{ accessCode: string }> {
  await getVisibleLink(deps, actor, key)
  return deps.db.transaction().execute(async (trx) => {
    const link = await lockLink(trx, key)
    if (!link) throw new AppError('link.not_found')
    await insertEvent(trx, { ...newEvent(deps, key), kind: 'code_shown', user_id: actor.userId })
    await record(deps, trx, [{ action: 'link.code_shown', by: actor, ...toLinkAuditFields(link) }])
    return { accessCode: formatCode(unsealCode(deps.keys, link)) }
  })
}
