import type { api, Parsed, TokenRow } from '@neptune/contract'
import type { Deps } from '../../deps.ts'
import type { Actor, Staff } from '../../lib/actor.ts'
import { AppError } from '../../lib/app-error.ts'
import { parseExpiry } from '../../lib/expiry.ts'
import { hashToken, newId, newToken } from '../../lib/secrets.ts'
import { record } from '../audit/audit.service.ts'
import { mustEnroll } from '../session/policy.service.ts'
import { findUser } from '../user/user.repo.ts'
import {
  deleteEndedTokens,
  deleteToken,
  findGeneration,
  findToken,
  findTokenByHash,
  insertApiToken,
  listTokens,
  lockTokens,
  type TokenOwner,
  touchToken,
} from './token.repo.ts'

const maxTokensPerUser = 50
/** How often `last_used_at` is updated. */
const touchIntervalMs = 60_000

/** Resolves an API token to its owner, with their current rights. */
export async function identifyToken(deps: Deps, token: string, client: string): Promise<Actor> {
  const now = deps.now()
  const found = await findTokenByHash(deps.db, hashToken(token), now.toISOString())
  if (!found) return { kind: 'anonymous' }
  if (found.last_used_at === null || now.getTime() - Date.parse(found.last_used_at) > touchIntervalMs) {
    // Reading stays possible while the database is read-only.
    await touchToken(deps.db, found.id, now.toISOString()).catch((err) =>
      deps.log.warn({ err }, 'the last use of a token could not be stored'),
    )
  }
  return toActor(deps, found, client)
}

/** Finds the owner of a token by the token's id, for tickets and for long-running requests that check access again. */
export async function findTokenActor(deps: Deps, id: string): Promise<Staff | undefined> {
  const found = await findToken(deps.db, id, deps.now().toISOString())
  const actor = found && (await toActor(deps, found, ''))
  return actor?.mustEnroll ? undefined : actor
}

/** Returns the owner as the caller. If they must set up a second factor, their tokens don't work until they have one. */
async function toActor(deps: Deps, owner: TokenOwner, client: string): Promise<Staff> {
  const { id, token_name, scope, user_id: userId, company_id: companyId, role, access, name } = owner
  const token = { name: token_name, scope }
  const enrollment = { ...owner, second_factor: owner.provider_subject === null ? null : ('provider' as const) }
  return {
    kind: 'staff',
    userId,
    companyId,
    role,
    access,
    name,
    sessionId: id,
    token,
    client,
    mustEnroll: await mustEnroll(deps, enrollment),
  }
}

export async function listOwnTokens(deps: Deps, { userId }: Staff): Promise<TokenRow[]> {
  return (await listTokens(deps.db, userId, deps.now().toISOString())).map(toTokenRow)
}

export async function createToken(
  deps: Deps,
  actor: Staff,
  { name, scope, expiresAt }: Parsed<typeof api.token.create>['body'],
): Promise<TokenRow & { token: string }> {
  const now = deps.now()
  const token = newToken('npt')
  const expires_at = expiresAt === undefined ? null : parseExpiry(now, 'expiresAt', expiresAt)
  const row = { id: newId(), name: name.trim(), scope, created_at: now.toISOString(), last_used_at: null, expires_at }
  await deps.db.transaction().execute(async (trx) => {
    await lockTokens(trx, actor.userId)
    // Uses the generation of the session, not of the user, so that a token created while the password changes ends with its session.
    const generation = await findGeneration(trx, actor.sessionId)
    if (generation === undefined) throw new AppError('session.missing')
    if ((await listTokens(trx, actor.userId, row.created_at)).length >= maxTokensPerUser) throw new AppError('token.too_many')
    await insertApiToken(trx, { ...row, user_id: actor.userId, generation, hash: hashToken(token) })
    const note = expires_at ? `${scope}, until ${expires_at.slice(0, 10)}` : scope
    await record(deps, trx, [{ action: 'token.created', by: actor, company: actor.companyId, name: row.name, note }])
  })
  return { ...row, token }
}

export const revokeToken = (deps: Deps, actor: Staff, id: string) => revoke(deps, actor, { ...actor, id: actor.userId }, id)

/** Lists another user's tokens, for admins. */
export async function listTokensOfUser(deps: Deps, userId: string): Promise<TokenRow[]> {
  if (!(await findUser(deps.db, userId))) throw new AppError('user.not_found')
  return (await listTokens(deps.db, userId, deps.now().toISOString())).map(toTokenRow)
}

export async function revokeTokenOfUser(deps: Deps, actor: Staff, userId: string, id: string): Promise<void> {
  const user = await findUser(deps.db, userId)
  if (!user) throw new AppError('user.not_found')
  await revoke(deps, actor, { id: user.id, companyId: user.company_id, email: user.email }, id)
}

const revoke = (deps: Deps, actor: Staff, owner: { id: string; companyId: string; email?: string }, id: string) =>
  deps.db.transaction().execute(async (trx) => {
    const token = await deleteToken(trx, owner.id, id)
    if (!token) throw new AppError('token.not_found')
    const note = owner.email ? `${token.scope}, of ${owner.email}` : token.scope
    await record(deps, trx, [{ action: 'token.revoked', by: actor, company: owner.companyId, name: token.name, note }])
  })

export const sweepTokens = (deps: Deps) => deleteEndedTokens(deps.db, deps.now().toISOString())

const toTokenRow = ({ id, name, scope, created_at, last_used_at, expires_at }: TokenRow): TokenRow => ({
  id,
  name,
  scope,
  created_at,
  last_used_at,
  expires_at,
})
