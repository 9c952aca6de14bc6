import type { SessionRow } from '@neptune/contract'
import type { Deps } from '../../deps.ts'
import type { Staff } from '../../lib/actor.ts'
import { AppError } from '../../lib/app-error.ts'
import { record } from '../audit/audit.service.ts'
import { findUser, raiseGeneration, type UserRecord } from '../user/user.repo.ts'
import { deleteSessionOf, listSessions } from './session.repo.ts'
import { getSessionLimits } from './session-limits.service.ts'

export async function listOwnSessions(deps: Deps, { userId, sessionId }: Staff): Promise<SessionRow[]> {
  const sessions = await listSessions(deps.db, userId, await getSessionLimits(deps))
  return sessions.map((session) => ({
    ...session,
    is_new_browser: session.new_browser_at !== null,
    current: session.id === sessionId,
  }))
}

export const endOwnSession = (deps: Deps, actor: Staff, id: string) =>
  deps.db.transaction().execute(async (trx) => {
    if (!(await deleteSessionOf(trx, actor.userId, id))) throw new AppError('session.not_found')
    await record(deps, trx, [{ action: 'session.ended', by: actor, company: actor.companyId, note: 'from another browser' }])
  })

export const endAllSessions = (deps: Deps, actor: Staff) =>
  deps.db.transaction().execute(async (trx) => {
    await raiseGeneration(trx, actor.userId)
    await record(deps, trx, [{ action: 'session.ended_everywhere', by: actor, company: actor.companyId }])
  })

/** Lists the sessions of any user, for admins. */
export async function listSessionsOfUser(deps: Deps, actor: Staff, userId: string): Promise<SessionRow[]> {
  const { id } = await requireUser(deps, userId)
  return listOwnSessions(deps, { ...actor, userId: id })
}

export async function endSessionOfUser(deps: Deps, actor: Staff, userId: string, id: string): Promise<void> {
  const user = await requireUser(deps, userId)
  await deps.db.transaction().execute(async (trx) => {
    if (!(await deleteSessionOf(trx, user.id, id))) throw new AppError('session.not_found')
    await record(deps, trx, [{ action: 'session.ended', by: actor, company: user.company_id, name: user.email }])
  })
}

/** Ends the user's sessions, API tokens and password reset links, as their own *Sign out everywhere* does. */
export async function endAllSessionsOfUser(deps: Deps, actor: Staff, userId: string): Promise<void> {
  const user = await requireUser(deps, userId)
  await deps.db.transaction().execute(async (trx) => {
    await raiseGeneration(trx, user.id)
    await record(deps, trx, [{ action: 'session.ended_everywhere', by: actor, company: user.company_id, name: user.email }])
  })
}

async function requireUser({ db }: Deps, id: string): Promise<UserRecord> {
  const user = await findUser(db, id)
  if (!user) throw new AppError('user.not_found')
  return user
}
