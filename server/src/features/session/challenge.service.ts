import type { Deps } from '../../deps.ts'
import { hashToken, newToken } from '../../lib/secrets.ts'
import {
  deleteChallenge,
  deleteEndedChallenges,
  deleteOldestChallenges,
  findChallenge,
  insertChallenge,
} from './challenge.repo.ts'

type Db = Deps['db']
type Kind = Parameters<typeof findChallenge>[1]

const lifetimeMs = 10 * 60_000
/** Applies to each kind of challenge. */
const maxChallengesPerUser = 10

/**
 * Starts an action that a second request completes, such as a sign-in with two factors. Returns the secret that the second request must
 * contain. Only this browser gets it.
 */
export async function startChallenge(deps: Deps, kind: Kind, userId: string | null, data: object): Promise<string> {
  const secret = newToken('npc')
  const ends_at = new Date(deps.now().getTime() + lifetimeMs).toISOString()
  await deps.db.transaction().execute(async (trx) => {
    await insertChallenge(trx, { hash: hashToken(secret), kind, user_id: userId, data: JSON.stringify(data), ends_at })
    if (userId !== null) await deleteOldestChallenges(trx, userId, kind, maxChallengesPerUser)
  })
  return secret
}

/** Returns the user and the data of a challenge. Undefined if it has ended. */
export async function readChallenge<Data>(deps: Deps, kind: Kind, secret: string) {
  const row = await findChallenge(deps.db, kind, hashToken(secret), deps.now().toISOString())
  return row && { userId: row.user_id, data: JSON.parse(row.data) as Data }
}

/** Ends a challenge. Returns false if it has already ended: of concurrent requests, only one gets true. */
export const endChallenge = async (deps: Deps, trx: Db, kind: Kind, secret: string): Promise<boolean> =>
  (await deleteChallenge(trx, kind, hashToken(secret), deps.now().toISOString())) !== undefined

export const sweepChallenges = (deps: Deps) => deleteEndedChallenges(deps.db, deps.now().toISOString())
