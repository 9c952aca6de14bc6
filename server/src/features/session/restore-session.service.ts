import type { Deps } from '../../deps.ts'
import { AppError } from '../../lib/app-error.ts'
import { toClientKey } from '../../lib/net/client-address.ts'
import { hashToken, newToken } from '../../lib/secrets.ts'
import { record } from '../audit/audit.service.ts'
import { findUser } from '../user/user.repo.ts'
import { registerBrowser } from './browser.service.ts'
import {
  deleteOldestTokens,
  deleteSession,
  findSession,
  insertSessionToken,
  rotateRestoreNumber,
  touchSession,
} from './session.repo.ts'
import { type ClientDetails, getLastSeenColumns, type SignedIn, toSignedIn, toStaff } from './session.service.ts'
import { readRestoreSecret } from './session-cookie.ts'
import { getSessionLimits } from './session-limits.service.ts'

const maxTokensPerSession = 50
/** Tabs that are opened together send the same secret; within this time all of them are accepted. */
const restoreGraceMs = 60_000

/**
 * Exchanges the restore secret in the cookie for a new token, as every new tab does. The secret is replaced when it is used, at most once a
 * minute. If an old secret is used again later, it was copied, so the session ends for everyone.
 */
export async function restoreSession(deps: Deps, caller: ClientDetails, secret: string): Promise<SignedIn> {
  const claim = readRestoreSecret(deps.keys, secret)
  const now = deps.now()
  const session = claim && (await findSession(deps.db, claim.sessionId, await getSessionLimits(deps)))
  const user = session && (await findUser(deps.db, session.user_id))
  if (!claim || !session || !user) throw new AppError('session.missing')

  const isJustRestored = now.getTime() - Date.parse(session.restored_at) <= restoreGraceMs
  const isCurrent = claim.number === session.restore_number
  if (!isCurrent && !(isJustRestored && claim.number === session.restore_number - 1)) {
    deps.log.warn({ userId: user.id, sessionId: session.id }, 'an old restore secret was used again: its session was ended')
    await deps.db.transaction().execute(async (trx) => {
      await deleteSession(trx, session.id)
      // The web translates this note, and older audit entries contain it.
      const about = { company: user.company_id, name: user.email, note: 'a used session secret was presented again' }
      await record(deps, trx, [{ action: 'session.ended', by: { kind: 'system' }, ...about }])
    })
    throw new AppError('session.missing')
  }

  const token = newToken('nps')
  const lastSeen = await getLastSeenColumns(deps, now, session)
  const { number, browser } = await deps.db.transaction().execute(async (trx) => {
    const created_at = now.toISOString()
    // Fails if another tab has signed out meanwhile.
    if (!(await touchSession(trx, session.id, lastSeen))) throw new AppError('session.missing')
    await insertSessionToken(trx, { hash: hashToken(token), session_id: session.id, created_at })
    await deleteOldestTokens(trx, session.id, maxTokensPerSession)
    const isRotated = isCurrent && !isJustRestored
    // If another tab has just rotated the secret, this changes nothing: both tabs get the same number.
    if (isRotated) await rotateRestoreNumber(trx, session.id, session.restore_number, created_at)
    // Sessions from before Neptune recognized browsers have no method. Only their browsers get the cookie here. In any other session, a
    // missing browser cookie may mean that the session cookie was stolen, so later sign-ins with this browser must not look familiar.
    const isOlder = session.method === null && caller.browser === undefined
    const browser = isOlder ? await registerBrowser(deps, trx, user) : undefined
    // The same address means another tab. From a different address, the cookie may have been stolen, so it is recorded.
    if (toClientKey(caller.address) !== toClientKey(session.client)) {
      const entry = {
        action: 'session.started' as const,
        by: toStaff(user, session.id, caller),
        company: user.company_id,
        name: user.email,
      }
      await record(deps, trx, [{ ...entry, note: 'a session that started elsewhere' }])
    }
    return { number: isRotated ? session.restore_number + 1 : session.restore_number, browser }
  })
  return { ...(await toSignedIn(deps, user, token, { ...session, restore_number: number })), browser }
}

/** Returns the id of the user whose session has this restore secret. Undefined if it has ended. */
export async function findSessionOwner(deps: Deps, secret = ''): Promise<string | undefined> {
  const claim = readRestoreSecret(deps.keys, secret)
  return claim && (await findSession(deps.db, claim.sessionId, await getSessionLimits(deps)))?.user_id
}
