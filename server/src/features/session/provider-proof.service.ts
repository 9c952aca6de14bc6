import type { Deps } from '../../deps.ts'
import { AppError } from '../../lib/app-error.ts'
import type { Entry } from '../audit/audit.service.ts'
import { enqueueMail } from '../outbox/outbox.service.ts'
import { insertAccount, touchAccount } from '../provider/provider-account.repo.ts'
import { insertProviderSession, type ProviderProof } from '../provider/provider-session.repo.ts'
import type { UserRecord } from '../user/user.repo.ts'

/**
 * Stores the account at a provider with which a session began, and connects a new account to the user. Returns audit entries. Throws
 * `session.challenge_ended` if the account has been disconnected, or connected to someone else, in the meantime.
 */
export async function storeProviderProof(
  deps: Deps,
  trx: Deps['db'],
  user: UserRecord,
  sessionId: string,
  { isNew, email, ...proof }: ProviderProof,
): Promise<Pick<Entry, 'action' | 'note'>[]> {
  const entries = isNew ? await connectAccount(deps, trx, user, { ...proof, email }) : []
  const { issuer, subject } = proof
  const isConnected = await touchAccount(trx, { issuer, subject, user_id: user.id }, email, deps.now().toISOString())
  if (!entries || !isConnected) throw new AppError('session.challenge_ended')
  const { providerId: provider_id, sid, idToken: id_token } = proof
  await insertProviderSession(trx, { session_id: sessionId, provider_id, issuer, subject, sid, id_token })
  return entries
}

/**
 * Connects an account at a provider to a user, and notifies them by email. Returns audit entries; undefined if it belongs to another user.
 */
export async function connectAccount(
  deps: Deps,
  trx: Deps['db'],
  user: UserRecord,
  { issuer, subject, email }: Pick<ProviderProof, 'issuer' | 'subject' | 'email'>,
): Promise<Pick<Entry, 'action' | 'note'>[] | undefined> {
  const row = { issuer, subject, user_id: user.id, email, created_at: deps.now().toISOString(), last_used_at: null }
  if ((await insertAccount(trx, row)) !== user.id) return undefined
  await enqueueMail(deps, trx, { letter: 'factor_changed', to: user.email, about: `${user.id} provider_added` })
  return [{ action: 'provider.linked', note: `${email} at ${issuer}` }]
}
