import type { PendingSignIn } from '@neptune/contract'
import type { Deps } from '../../deps.ts'
import { type Actor, requireConfirmation, type Staff } from '../../lib/actor.ts'
import { AppError } from '../../lib/app-error.ts'
import { createHashWithoutPassword } from '../../lib/password/passwords.ts'
import { record } from '../audit/audit.service.ts'
import { finishSignIn } from '../factor/second-factor.service.ts'
import { endChallenge, readChallenge } from '../session/challenge.service.ts'
import { connectAccount } from '../session/provider-proof.service.ts'
import { type ClientDetails, type SignedIn, toStaff } from '../session/session.service.ts'
import { setFirstPassword } from '../user/invitation.repo.ts'
import { findUser, lockUser, type UserRecord } from '../user/user.repo.ts'
import { maySignIn } from '../user/user.service.ts'
import { findEnabledProvider } from './provider.service.ts'
import { type PendingLink, readPending } from './provider-pending.ts'

interface Link {
  /** The user with the same email address, or the user who started to connect the account on the Account page. */
  userId: string | null
  data: PendingLink
  challenge: string
}

/** Returns what a sign-in with a provider waits for, such as the person's consent. */
export async function readPendingSignIn(deps: Deps, cookie: string | undefined): Promise<PendingSignIn | null> {
  const pending = readPending(deps, cookie)
  if (pending?.kind !== 'link') return pending ?? null
  const link = await findLink(deps, pending.challenge)
  if (!link) return null
  const { provider, email, needs, to } = link.data
  return { kind: 'link', provider, email, needs, to }
}

async function findLink(deps: Deps, challenge: string): Promise<Link | undefined> {
  const found = await readChallenge<PendingLink>(deps, 'provider_link', challenge)
  return found && { ...found, challenge }
}

/**
 * Connects an account at a provider, with the consent of the person. Returns the session of someone who was not signed in.
 * The user's second factor is required even if the provider has checked one: control of an email address must not be enough to bypass it.
 * The account is connected only when the sign-in is complete.
 */
export async function linkAccount(
  deps: Deps,
  caller: ClientDetails,
  actor: Actor,
  cookie: string | undefined,
): Promise<SignedIn | undefined> {
  const pending = readPending(deps, cookie)
  const link = pending?.kind === 'link' ? await findLink(deps, pending.challenge) : undefined
  if (!link || !(await findEnabledProvider(deps, link.data.provider.id))) throw new AppError('session.challenge_ended')
  if (actor.kind === 'staff') return linkOwnUser(deps, actor, link)
  if (link.data.needs === 'sign_in' || link.data.needs === 'own') throw new AppError('session.missing')
  const user = await (link.data.needs === 'invitation' ? acceptInvitation(deps, caller, link) : takeConsent(deps, link))
  const { step } = link.data
  const hasSecondFactor = step.hasSecondFactor === true && user.second_factor_at === null
  return finishSignIn(deps, caller, user, { ...step, hasSecondFactor })
}

/** Connects the account to the signed-in user, who must have confirmed their identity recently. */
async function linkOwnUser(deps: Deps, actor: Staff, { userId, data, challenge }: Link): Promise<undefined> {
  if (userId !== actor.userId) throw new AppError('provider.other_user')
  requireConfirmation(actor)
  const { provider } = data.step
  await deps.db.transaction().execute(async (trx) => {
    const user = await lockUser(trx, actor.userId)
    if (!user || !provider || !(await endChallenge(deps, trx, 'provider_link', challenge)))
      throw new AppError('session.challenge_ended')
    const entries = await connectAccount(deps, trx, user, provider)
    if (!entries) throw new AppError('provider.account_taken')
    const about = { by: actor, company: user.company_id, name: user.email }
    await record(
      deps,
      trx,
      entries.map((entry) => ({ ...about, ...entry })),
    )
  })
}

async function takeConsent(deps: Deps, { userId, data, challenge }: Link): Promise<UserRecord> {
  const user = await findUser(deps.db, userId ?? '')
  if (!user || !maySignIn(user) || user.generation !== data.generation || user.email !== data.email)
    throw new AppError('session.challenge_ended')
  if (!(await endChallenge(deps, deps.db, 'provider_link', challenge))) throw new AppError('session.challenge_ended')
  return user
}

/** Accepts the invitation of a user, who then signs in with the provider and has no password. */
async function acceptInvitation(deps: Deps, caller: ClientDetails, { userId, data, challenge }: Link): Promise<UserRecord> {
  const user = await findUser(deps.db, userId ?? '')
  if (!user || user.company_archived_at !== null || user.generation !== data.generation || user.email !== data.email)
    throw new AppError('session.challenge_ended')
  await deps.db.transaction().execute(async (trx) => {
    const isOpen = await endChallenge(deps, trx, 'provider_link', challenge)
    // Fails if the invitation has expired, or was used or replaced in the meantime.
    if (!isOpen || !(await setFirstPassword(trx, user, createHashWithoutPassword(), deps.now().toISOString())))
      throw new AppError('session.challenge_ended')
    const by = toStaff(user, '', caller)
    await record(deps, trx, [{ action: 'user.invitation_accepted', by, company: user.company_id, name: user.email }])
  })
  return { ...user, generation: user.generation + 1, invitation_id: null, invitation_ends_at: null }
}
