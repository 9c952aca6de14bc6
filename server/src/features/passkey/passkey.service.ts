import { type api, maxPasskeys, type PasskeyRow, type Reply } from '@neptune/contract'
import type { Deps } from '../../deps.ts'
import type { Staff } from '../../lib/actor.ts'
import { AppError } from '../../lib/app-error.ts'
import { getPasskeyHost, getRelyingParty } from '../../lib/relying-party.ts'
import { newId } from '../../lib/secrets.ts'
import { record, recordLater } from '../audit/audit.service.ts'
import { changeFactors, requireUser } from '../factor/factor.service.ts'
import { reportChange, updateAfterAdding, updateAfterRemoving } from '../factor/factor-changes.service.ts'
import { findSession } from '../session/session.repo.ts'
import { getSessionLimits } from '../session/session-limits.service.ts'
import { readSettings } from '../settings/settings.service.ts'
import { requireOwnSignInMethod } from '../settings/sign-in-methods.service.ts'
import type { UserRecord } from '../user/user.repo.ts'
import {
  countPasskeysByHost,
  deletePasskey,
  findPasskey,
  insertPasskey,
  insertUsedChallenge,
  listPasskeys,
  type PasskeyRecord,
  setPasskeyName,
} from './passkey.repo.ts'
import { createChallenge } from './passkey-challenge.ts'
import { checkClientData, type Refuse, requireRelyingParty } from './passkey-check.service.ts'
import {
  algorithms,
  describeCredential,
  type RegistrationResponse,
  timeoutMs,
  toUserHandle,
  verifyRegistration,
} from './webauthn.ts'

type Db = Deps['db']

export async function listOwnPasskeys(deps: Deps, { userId }: Staff): Promise<Reply<typeof api.passkey.list>['data']> {
  const passkeys = await listPasskeys(deps.db, userId)
  return { ...describeAvailability(deps), passkeys: passkeys.map((passkey) => toPasskeyRow(deps, passkey)) }
}

/** Returns whether browsers allow passkeys here, how many passkeys work, and how many don't. For admins. */
export async function readPasskeyStatus(deps: Deps): Promise<Reply<typeof api.passkey.status>['data']> {
  const host = getPasskeyHost(deps.config)
  const counts = await countPasskeysByHost(deps.db)
  const { passkeys, users } = counts.find((count) => count.host === host) ?? { passkeys: 0, users: 0 }
  return {
    ...describeAvailability(deps),
    working: { passkeys, users },
    elsewhere: counts.filter((count) => count.host !== host),
  }
}

/** Logs if passkeys can't be used, and how many no longer work because PUBLIC_URL has changed. Call it when the server starts. */
export async function logPasskeyWarnings(deps: Deps): Promise<void> {
  const { available, reason, host, elsewhere } = await readPasskeyStatus(deps)
  if (!available)
    deps.log.info({ reason, host }, 'passkeys are not available: PUBLIC_URL must start with https:// and have a host name')
  if (elsewhere.length > 0) deps.log.warn({ host, elsewhere }, 'PUBLIC_URL has changed: these passkeys no longer work')
}

const describeAvailability = ({ config }: Deps) => {
  const { id: host, obstacle } = getRelyingParty(config)
  return { available: obstacle === null, reason: obstacle, host }
}

const toPasskeyRow = ({ config }: Deps, { id, name, created_at, last_used_at, rp_id }: PasskeyRecord): PasskeyRow => ({
  id,
  name,
  created_at,
  last_used_at,
  host: rp_id,
  works: rp_id === getPasskeyHost(config),
})

/** Returns the purpose of a registration. It includes the session, so that only the session that started it can add the passkey. */
const toPurpose = ({ userId, sessionId }: Staff) => `registration ${userId} ${sessionId}`

/** Returns the options with which the browser creates a passkey. */
export async function startRegistration(deps: Deps, actor: Staff): Promise<Reply<typeof api.passkey.startRegistration>['data']> {
  const rp = requireRelyingParty(deps)
  const user = await requireUser(deps, actor)
  const passkeys = await listPasskeys(deps.db, user.id)
  rejectTooMany(passkeys)
  return {
    challenge: createChallenge(deps.keys.passkey, toPurpose(actor), deps.now()),
    rp: { id: rp.id, name: (await readSettings(deps)).organisation.name ?? 'Neptune' },
    user: { id: toUserHandle(user), name: user.email, displayName: user.name },
    pubKeyCredParams: algorithms.map((alg) => ({ type: 'public-key', alg })),
    timeout: timeoutMs,
    excludeCredentials: passkeys.filter(({ rp_id }) => rp_id === rp.id).map(describeCredential),
    authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
    attestation: 'none',
  }
}

function rejectTooMany(passkeys: unknown[]) {
  if (passkeys.length >= maxPasskeys) throw new AppError('passkey.too_many')
}

/** Adds a passkey that the browser has created. Returns recovery codes if this is the user's first second factor. */
export async function registerPasskey(
  deps: Deps,
  actor: Staff,
  { name, response }: { name: string; response: RegistrationResponse },
): Promise<Reply<typeof api.passkey.register>['data']> {
  const rp = requireRelyingParty(deps)
  const { credential, used } = await verify(deps, actor, response)
  const created_at = deps.now().toISOString()
  const passkey = {
    id: newId(),
    user_id: actor.userId,
    rp_id: rp.id,
    ...credential,
    name: name.trim(),
    created_at,
    last_used_at: null,
  }
  const codes = await changeFactors(deps, actor, async (trx, user) => {
    await requireOpenSession(deps, trx, actor)
    rejectTooMany(await listPasskeys(trx, user.id))
    if (!(await insertUsedChallenge(trx, used.hash, used.forgetAt))) throw new AppError('passkey.invalid')
    if (!(await insertPasskey(trx, passkey))) throw new AppError('passkey.exists')
    const codes = await updateAfterAdding(deps, trx, user)
    await reportChange(deps, trx, user, 'passkey_added', { action: 'factor.added', by: actor, note: describe(passkey) })
    return codes
  })
  return { passkey: toPasskeyRow(deps, passkey), ...(codes && { recovery_codes: codes }) }
}

async function verify(deps: Deps, actor: Staff, response: RegistrationResponse) {
  const refuse: Refuse = (reason, { error } = {}) => {
    if (error) deps.log.debug({ err: error }, 'a new passkey was refused')
    const entry = { action: 'factor.added' as const, by: actor, isRefused: true, company: actor.companyId }
    recordLater(deps, `passkey registration ${actor.userId}`, { ...entry, note: `passkey: ${reason}` })
    return new AppError('passkey.invalid')
  }
  const { challenge, used } = checkClientData(deps, toPurpose(actor), response.response.clientDataJSON, refuse)
  const verified = await verifyRegistration(requireRelyingParty(deps), response, challenge)
  if ('error' in verified) throw refuse('invalid', { error: verified.error })
  return { credential: verified.credential, used }
}

/** Throws `session.missing` if the session has ended in the meantime, for example because the user has a new password. */
async function requireOpenSession(deps: Deps, trx: Db, { sessionId }: Staff) {
  const limits = await getSessionLimits({ ...deps, db: trx })
  if (!(await findSession(trx, sessionId, limits))) throw new AppError('session.missing')
}

const describe = ({ name }: { name: string }) => `passkey “${name}”`

export const renamePasskey = (deps: Deps, actor: Staff, id: string, newName: string): Promise<PasskeyRow> =>
  changeFactors(deps, actor, async (trx, user) => {
    const passkey = await requirePasskey(trx, user, id)
    const name = newName.trim()
    if (name !== passkey.name) {
      await setPasskeyName(trx, passkey.id, name)
      const about = { company: user.company_id, name: user.email, note: `${passkey.name} → ${name}` }
      await record(deps, trx, [{ action: 'factor.renamed', by: actor, ...about }])
    }
    return toPasskeyRow(deps, { ...passkey, name })
  })

export const removePasskey = (deps: Deps, actor: Staff, id: string): Promise<void> =>
  changeFactors(deps, actor, async (trx, user) => {
    const passkey = await requirePasskey(trx, user, id)
    await deletePasskey(trx, passkey.id)
    await updateAfterRemoving(deps, trx, user)
    if (toPasskeyRow(deps, passkey).works) await requireOwnSignInMethod(deps, trx, user)
    await reportChange(deps, trx, user, 'passkey_removed', { action: 'factor.removed', by: actor, note: describe(passkey) })
  })

async function requirePasskey(trx: Db, user: UserRecord, id: string): Promise<PasskeyRecord> {
  const passkey = await findPasskey(trx, user.id, id)
  if (!passkey) throw new AppError('passkey.not_found')
  return passkey
}
