import type { Deps } from '../../deps.ts'
import type { Reader } from '../../lib/actor.ts'
import { clientOf } from '../../lib/client-address.ts'
import { isSigned, sign } from '../../lib/secrets.ts'
import { findRecipient } from '../visit/visit.service.ts'
import { findSessionActor } from './identity.repo.ts'

/** What a ticket opens. */
export interface TicketFor {
  kind: 'file' | 'zip' | 'picture' | 'activity'
  /** Of an export of what happened, the wish itself. */
  id: string
}

const hour = 60 * 60_000

/**
 * Stands in an address, where a browser can use it without a header: for a download that must not pass through the page's memory,
 * and for pictures. It is good for one thing and an hour, two at most, so that the address of a picture stays the same for a while
 * and is not loaded again; and only while the session lives in which it was made.
 */
export function makeTicket(deps: Deps, { kind: who, sessionId }: Reader, { kind, id }: TicketFor): string {
  const end = (Math.floor(deps.now().getTime() / hour) + 2) * hour
  const claim = `${kind}.${id}.${who}.${sessionId}.${end.toString(36)}`
  return `${claim}.${sign(deps.keys.ticket, claim)}`
}

/** Who shows the ticket, with the rights they have now, and what it is for. */
export async function readTicket(
  deps: Deps,
  ticket: string,
  address: string,
): Promise<{ actor: Reader; what: TicketFor } | undefined> {
  const [, claim = '', kind, id = '', who = '', sessionId = '', end = '', signature = ''] =
    /^((file|zip|picture|activity)\.([\w-]{1,800})\.(staff|recipient)\.([\w-]{22})\.([0-9a-z]{1,12}))\.([\w-]{43})$/.exec(
      ticket,
    ) ?? []
  const now = deps.now()
  if (!isSigned(deps.keys.ticket, claim, signature) || Number.parseInt(end, 36) <= now.getTime()) return undefined
  const actor = await findReader(deps, { kind: who as Reader['kind'], sessionId })
  return actor && { actor: { ...actor, client: clientOf(address) }, what: { kind: kind as TicketFor['kind'], id } }
}

/** Whoever has this session or visit, with the rights they have now; undefined when it is over. */
export async function findReader(
  deps: Deps,
  { kind, sessionId }: Pick<Reader, 'kind' | 'sessionId'>,
): Promise<Reader | undefined> {
  if (kind === 'recipient') return findRecipient(deps, sessionId)
  const session = await findSessionActor(deps.db, sessionId, deps.now().toISOString())
  if (!session) return undefined
  const { user_id: userId, company_id: companyId, role, name, client } = session
  return { kind, userId, companyId, role, sessionId, name, client }
}
