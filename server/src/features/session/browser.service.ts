import type { Deps } from '../../deps.ts'
import { hashToken, newToken } from '../../lib/secrets.ts'
import { emails } from '../../mail/emails/emails.ts'
import { type Compose, enqueueMail } from '../outbox/outbox.service.ts'
import { readSettings } from '../settings/settings.service.ts'
import { findUser, type UserRecord } from '../user/user.repo.ts'
import {
  countTrusted,
  deleteOldestBrowsers,
  endTrustInBrowser,
  findBrowser,
  isKnownBrowser,
  saveBrowser,
} from './browser.repo.ts'
import type { ClientDetails } from './session.service.ts'

type Db = Deps['db']

const dayMs = 24 * 60 * 60_000
const maxBrowsersPerUser = 30

/**
 * Remembers that a user has signed in with this browser, and trusts it for `trustDays`. If the user has signed in before, but not with this
 * browser, they get an email. Returns a new secret for the browser's cookie, unless the browser keeps the one it has.
 */
export async function rememberBrowser(
  deps: Deps,
  trx: Db,
  caller: ClientDetails,
  user: UserRecord,
  { isContinued, trustDays }: { isContinued: boolean; trustDays: number },
) {
  const now = deps.now()
  const sent = caller.browser === undefined ? undefined : { user_id: user.id, hash: hashToken(caller.browser) }
  const known = sent && (await findBrowser(trx, sent))
  const isKept = trustDays === 0 && sent !== undefined && (known !== undefined || (await isKnownBrowser(trx, sent.hash)))
  // Someone else may have planted the cookie, so a trusted browser gets a new value that only it knows.
  const secret = isKept ? undefined : newToken('npb')
  const key = { user_id: user.id, hash: secret === undefined ? (sent?.hash ?? '') : hashToken(secret) }
  const until = new Date(now.getTime() + trustDays * dayMs).toISOString()
  const trust =
    trustDays > 0
      ? { trusted_until: until, trusted_generation: user.generation }
      : { trusted_until: known?.trusted_until ?? null, trusted_generation: known?.trusted_generation ?? null }
  await saveBrowser(trx, { ...key, last_seen_at: now.toISOString(), ...trust })
  if (!known) await deleteOldestBrowsers(trx, user.id, maxBrowsersPerUser)
  const isNew = !known && !isContinued && user.signed_in_at !== null
  if (isNew) {
    const about = [now.toISOString(), user.id, caller.address, caller.agent.slice(0, 200)].join(' ')
    await enqueueMail(deps, trx, { letter: 'new_sign_in', to: user.email, about })
  }
  return { secret, isNew }
}

/** Remembers the browser of a session that is already open. Returns a secret for its cookie. */
export async function registerBrowser(deps: Deps, trx: Db, user: UserRecord): Promise<string> {
  const secret = newToken('npb')
  const row = { user_id: user.id, hash: hashToken(secret), last_seen_at: deps.now().toISOString() }
  await saveBrowser(trx, { ...row, trusted_until: null, trusted_generation: null })
  await deleteOldestBrowsers(trx, user.id, maxBrowsersPerUser)
  return secret
}

/** Returns whether the user has chosen to sign in with this browser without a second factor. */
export async function isTrustedBrowser(deps: Deps, { browser }: ClientDetails, user: UserRecord): Promise<boolean> {
  if (browser === undefined) return false
  const key = { user_id: user.id, hash: hashToken(browser) }
  const known = await findBrowser(deps.db, key)
  if (!known?.trusted_until || known.trusted_generation !== user.generation) return false
  const { now, latest } = await getTrustLimits(deps)
  // Ends trust that lasts longer than the settings allow now. Otherwise the browser would be trusted again later, when less time is left.
  if (known.trusted_until > latest) await endTrustInBrowser(deps.db, key)
  return known.trusted_until > now && known.trusted_until <= latest
}

/** Counts the browsers in which a user needs no second factor. */
export const countTrustedBrowsers = async (deps: Deps, { id, generation }: UserRecord): Promise<number> =>
  countTrusted(deps.db, { user_id: id, generation, ...(await getTrustLimits(deps)) })

/** Returns the limits for when the trust in a browser may end: after `now`, and not after `latest`. */
async function getTrustLimits(deps: Deps) {
  const now = deps.now()
  const { trust_days } = (await readSettings(deps)).security
  return { now: now.toISOString(), latest: new Date(now.getTime() + trust_days * dayMs).toISOString() }
}

/** Composes the notice about sign-ins with new browsers. `about` has a line for each: the time, the user's id, the client and the agent. */
export const composeNewSignIn: Compose = async (deps, { about }) => {
  const signIns = about.split('\n').map((line) => {
    const [at = '', userId = '', client = '', ...agent] = line.split(' ')
    return { at, userId, client, agent: agent.join(' ') }
  })
  const user = await findUser(deps.db, signIns[0]?.userId ?? '')
  return user && { write: emails.newSignIn({ name: user.name, signIns, url: `${deps.config.publicUrl}/account` }) }
}
