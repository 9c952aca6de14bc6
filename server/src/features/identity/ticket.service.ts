import type { Deps } from '../../deps.ts'
import type { Reader } from '../../lib/actor.ts'
import { toClientKey } from '../../lib/net/client-address.ts'
import { isSigned, sign } from '../../lib/secrets.ts'
import { findRecipient } from '../access/access.service.ts'
import { mustEnroll } from '../session/policy.service.ts'
import { findSessionActor } from '../session/session.repo.ts'
import { getSessionLimits } from '../session/session-limits.service.ts'
import { findTokenActor } from '../token/token.service.ts'

/** What a ticket gives access to. */
export interface TicketTarget {
  kind: 'file' | 'zip' | 'picture' | 'preview' | 'activity'
  /** For an export of the audit log, the encoded query. */
  id: string
  /** A version of a file. Without it, the one that the holder sees when the ticket is used. */
  version?: string | undefined
  /** For a ZIP, the files and folders that are in it. Without them, everything in the directory is. */
  items?: readonly string[] | undefined
}

const hourMs = 60 * 60_000

/**
 * Creates a ticket for a URL that a browser can load without an Authorization header: a download that should not pass through the page's
 * memory, or a thumbnail. It is valid for one target, for one to two hours, and only while its session, API token or visit is valid.
 * Its expiry is rounded up to the hour, so that a thumbnail's URL stays the same for a while and the browser can cache it.
 */
export function createTicket(deps: Deps, actor: Reader, { kind, id, version, items = [] }: TicketTarget): string {
  const end = (Math.floor(deps.now().getTime() / hourMs) + 2) * hourMs
  const target = [id, ...(version === undefined ? items : [version])].join('~')
  const claim = `${kind}.${target}.${getHolderKind(actor)}.${actor.sessionId}.${end.toString(36)}`
  return `${claim}.${sign(deps.keys.ticket, claim)}`
}

/** Returns the holder of a ticket, with their current rights, and its target. Returns undefined if it is invalid or has ended. */
export async function readTicket(
  deps: Deps,
  ticket: string,
  address: string,
): Promise<{ actor: Reader; target: TicketTarget } | undefined> {
  const [, claim = '', kind, target = '', who = '', sessionId = '', end = '', signature = ''] =
    /^((file|zip|picture|preview|activity)\.([\w-]{1,1800}(?:~[\w-]{1,64}){0,200})\.(staff|token|recipient)\.([\w-]{22})\.([0-9a-z]{1,12}))\.([\w-]{43})$/.exec(
      ticket,
    ) ?? []
  const now = deps.now()
  if (!isSigned(deps.keys.ticket, claim, signature) || Number.parseInt(end, 36) <= now.getTime()) return undefined
  const actor = await findHolder(deps, who as HolderKind, sessionId)
  const [id = '', ...more] = target.split('~')
  const rest = kind === 'zip' ? { items: more } : { version: more[0] }
  return (
    actor && { actor: { ...actor, client: toClientKey(address) }, target: { kind: kind as TicketTarget['kind'], id, ...rest } }
  )
}

type HolderKind = Reader['kind'] | 'token'

const getHolderKind = (actor: Reader): HolderKind => (actor.kind === 'staff' && actor.token ? 'token' : actor.kind)

/** Reads the actor's session, token or visit again. Returns the actor with their current rights, or undefined if it has ended. */
export const findReader = (deps: Deps, actor: Reader) => findHolder(deps, getHolderKind(actor), actor.sessionId)

async function findHolder(deps: Deps, kind: HolderKind, sessionId: string): Promise<Reader | undefined> {
  if (kind === 'recipient') return findRecipient(deps, sessionId)
  if (kind === 'token') return findTokenActor(deps, sessionId)
  const session = await findSessionActor(deps.db, sessionId, await getSessionLimits(deps))
  if (!session || (await mustEnroll(deps, session))) return undefined
  const { user_id: userId, company_id: companyId, role, access, name, client } = session
  return { kind, userId, companyId, role, access, sessionId, name, client }
}
