import type { NewPerson, Problem, SsoOutcome } from '@neptune/contract'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../lib/app-error.ts'
import { toClientKey } from '../../lib/net/client-address.ts'
import { seal } from '../../lib/secrets.ts'
import { recordLater } from '../audit/audit.service.ts'
import { type FirstFactorStep, finishSignIn } from '../factor/second-factor.service.ts'
import { startChallenge } from '../session/challenge.service.ts'
import type { ClientDetails, SignedIn } from '../session/session.service.ts'
import { findUser, findUserByEmail, type UserRecord } from '../user/user.repo.ts'
import { maySignIn } from '../user/user.service.ts'
import { createPerson } from './create-person.service.ts'
import { type Identity, isInDomains } from './protocol/provider-identity.ts'
import type { Provider } from './provider.service.ts'
import { findAccount } from './provider-account.repo.ts'
import { type PendingLink, sealPending } from './provider-pending.ts'

/** A session, or the outcome for the login page. `pending` is the cookie with which the browser continues. */
interface Result {
  outcome?: SsoOutcome
  pending?: string
  signedIn?: SignedIn
}

/** The options from the start of the sign-in. */
interface Choice {
  remember: boolean
  isLink: boolean
  /** Whether the provider was told to ask the person to sign in again. */
  isFresh: boolean
  /** With `isLink`: the id of the user who started it. */
  ownerId?: string | undefined
  to: string
}

/**
 * Completes a sign-in. The issuer and the subject identify an account. If it is already connected, its user is signed in, whatever the
 * email address is. Otherwise, looks for a user with its verified email address, but connects nothing without the consent of the person.
 */
export async function completeSignIn(
  deps: Deps,
  caller: ClientDetails,
  provider: Provider,
  identity: Identity,
  choice: Choice,
): Promise<Result> {
  const step = toFirstFactorStep(deps, provider, identity, choice)
  if (choice.isLink) {
    const user = await findUser(deps.db, choice.ownerId ?? '')
    return user ? askToLink(deps, provider, identity, choice, { step, user, needs: 'own' }) : { outcome: 'expired' }
  }
  const account = await findAccount(deps.db, identity)
  if (account) {
    const user = await findUser(deps.db, account.user_id)
    if (!user || !maySignIn(user)) return refuse(deps, caller, provider, user)
    return finish(deps, caller, user, step, choice)
  }
  if (identity.email === null || !identity.isEmailVerified) return { outcome: 'unverified' }
  const user = await findUserByEmail(deps.db, identity.email)
  if (user) return connectUser(deps, caller, provider, identity, choice, { step, user })
  const rights = findRights(provider, identity, identity.email)
  const person = rights && (await createOrFindPerson(deps, provider, { ...identity, email: identity.email }, rights))
  return person ? finish(deps, caller, person, step, choice) : refuse(deps, caller, provider, undefined)
}

/** Creates a person, or returns the one whom another sign-in of the same account has just created. */
async function createOrFindPerson(
  deps: Deps,
  provider: Provider,
  identity: Identity & { email: string },
  rights: NewPerson,
): Promise<UserRecord | undefined> {
  const created = await createPerson(deps, provider, identity, rights)
  const account = created ? undefined : await findAccount(deps.db, identity)
  const user = account && (await findUser(deps.db, account.user_id))
  return created ?? (user && maySignIn(user) ? user : undefined)
}

/** Starts the session, or asks for the second factor. */
async function finish(
  deps: Deps,
  caller: ClientDetails,
  user: UserRecord,
  step: FirstFactorStep,
  { to }: Choice,
): Promise<Result> {
  try {
    return { signedIn: await finishSignIn(deps, caller, user, step) }
  } catch (error) {
    const secondFactor = readSecondFactor(error)
    if (!secondFactor) throw error
    return { outcome: 'second-factor', pending: sealPending(deps, { kind: 'second_factor', second_factor: secondFactor, to }) }
  }
}

const readSecondFactor = (error: unknown): Problem['second_factor'] =>
  error instanceof AppError && error.code === 'session.second_factor' ? error.secondFactor : undefined

/**
 * Asks the owner of an existing user whether the account may be connected. If the provider manages the domain of the email address, consent
 * is enough. Otherwise, the person must sign in to the existing user first.
 */
async function connectUser(
  deps: Deps,
  caller: ClientDetails,
  provider: Provider,
  identity: Identity,
  choice: Choice,
  { step, user }: { step: FirstFactorStep; user: UserRecord },
): Promise<Result> {
  if (user.suspended_at !== null || user.company_archived_at !== null) return refuse(deps, caller, provider, user)
  const isManaged = isInDomains(provider.rules, user.email)
  if (user.invitation_id !== null) {
    if (!isManaged || (user.invitation_ends_at ?? '') <= deps.now().toISOString()) return { outcome: 'invitation' }
    return askToLink(deps, provider, identity, choice, { step, user, needs: 'invitation' })
  }
  return askToLink(deps, provider, identity, choice, { step, user, needs: isManaged ? 'consent' : 'sign_in' })
}

async function askToLink(
  deps: Deps,
  provider: Provider,
  { email }: Identity,
  { to }: Choice,
  { step, user, needs }: { step: FirstFactorStep; user: UserRecord; needs: PendingLink['needs'] },
): Promise<Result> {
  const data: PendingLink = {
    provider: { id: provider.id, name: provider.name },
    email: email ?? '',
    needs,
    to,
    generation: user.generation,
    step: { ...step, provider: step.provider && { ...step.provider, isNew: true } },
  }
  const challenge = await startChallenge(deps, 'provider_link', user.id, data)
  return { outcome: 'link', pending: sealPending(deps, { kind: 'link', challenge }) }
}

/** Records the sign-in of someone who has no user account, or can't sign in. The login page shows the same message for both. */
function refuse(deps: Deps, caller: ClientDetails, { id, name }: Provider, user: UserRecord | undefined): Result {
  const about = user ? { company: user.company_id, name: user.email } : { name }
  recordLater(deps, `provider ${id} unavailable ${user?.id ?? ''} ${toClientKey(caller.address)}`, {
    action: user ? 'session.unavailable' : 'session.refused',
    by: { kind: 'stranger', client: caller.address },
    isRefused: true,
    ...about,
    note: user ? describeRefusal(user) : 'provider: no-access',
  })
  return { outcome: 'no-access' }
}

const describeRefusal = ({ suspended_at }: UserRecord) => (suspended_at === null ? 'company_archived' : 'suspended')

/** Returns the rights of someone who has no user account yet. Undefined if no rule matches. */
function findRights({ rules }: Provider, { claimValues }: Identity, email: string): NewPerson | undefined {
  const mapped = rules.claim?.values.find(({ value }) => claimValues.includes(value))?.gives
  return mapped ?? (isInDomains(rules, email) ? (rules.create ?? undefined) : undefined)
}

function toFirstFactorStep(deps: Deps, provider: Provider, identity: Identity, { remember, isFresh }: Choice): FirstFactorStep {
  const { issuer, subject, email, sid, idToken, hasSecondFactor, authenticatedAt } = identity
  const now = deps.now().getTime()
  // Without the time, the person may not have signed in just now: anyone at the same computer could use an open session at the provider.
  const provenAt = authenticatedAt ?? (isFresh ? now : undefined)
  const sealed = idToken === null ? null : seal(deps.keys.seal, 'id token', idToken)
  return {
    method: 'provider',
    remember,
    hasSecondFactor,
    confirmedAt: provenAt === undefined ? null : new Date(Math.min(now, provenAt)).toISOString(),
    provider: { providerId: provider.id, issuer, subject, email: email ?? '', sid, idToken: sealed, isNew: false },
  }
}
