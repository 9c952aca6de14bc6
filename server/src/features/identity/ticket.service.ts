import type { Deps } from '../../deps.ts'
import type { Reader } from '../../lib/actor.ts'
import { clientOf } from '../../lib/client-address.ts'
import { isSigned, sign } from '../../lib/secrets.ts'
import { findTokenActor } from '../token/token.service.ts'
import { findRecipient } from '../visit/visit.service.ts'
import { findSessionActor } from './identity.repo.ts'

/** What a ticket opens. */
export interface TicketTarget {
  kind: 'file' | 'zip' | 'picture' | 'preview' | 'activity'
  /** Of an export of what happened, the wish itself. */
  id: string
}

const hour = 60 * 60_000

/**
 * Stands in an address, where a browser can use it without a header: for a download that must not pass through the page's memory,
 * and for pictures. It is good for one thing and an hour, two at most, so that the address of a picture stays the same for a while
 * and is not loaded again; and only while the session, or the token, lives by which it was made.
 */
export function createTicket(deps: Deps, actor: Reader, { kind, id }: TicketTarget): string {
  const end = (Math.floor(deps.now().getTime() / hour) + 2) * hour
  const claim = `${kind}.${id}.${holderOf(actor)}.${actor.sessionId}.${end.toString(36)}`
  return `${claim}.${sign(deps.keys.ticket, claim)}`
}

/** Who shows the ticket, with the rights they have now, and what it is for. */
export async function readTicket(
  deps: Deps,
  ticket: string,
  address: string,
): Promise<{ actor: Reader; what: TicketTarget } | undefined> {
  const [, claim = '', kind, id = '', who = '', sessionId = '', end = '', signature = ''] =
    /^((file|zip|picture|preview|activity)\.([\w-]{1,1800})\.(staff|token|recipient)\.([\w-]{22})\.([0-9a-z]{1,12}))\.([\w-]{43})$/.exec(
      ticket,
    ) ?? []
  const now = deps.now()
  if (!isSigned(deps.keys.ticket, claim, signature) || Number.parseInt(end, 36) <= now.getTime()) return undefined
  const actor = await findHolder(deps, who as Holder, sessionId)
  return actor && { actor: { ...actor, client: clientOf(address) }, what: { kind: kind as TicketTarget['kind'], id } }
}

type Holder = Reader['kind'] | 'token'

const holderOf = (actor: Reader): Holder => (actor.kind === 'staff' && actor.token ? 'token' : actor.kind)

/** Whoever has this session, token or visit, with the rights they have now; undefined when it is over. */
export const findReader = (deps: Deps, actor: Reader) => findHolder(deps, holderOf(actor), actor.sessionId)

async function findHolder(deps: Deps, kind: Holder, sessionId: string): Promise<Reader | undefined> {
  if (kind === 'recipient') return findRecipient(deps, sessionId)
  if (kind === 'token') return findTokenActor(deps, sessionId)
  const session = await findSessionActor(deps.db, sessionId, deps.now().toISOString())
  if (!session) return undefined
  const { user_id: userId, company_id: companyId, role, name, client } = session
  return { kind, userId, companyId, role, sessionId, name, client }
}
